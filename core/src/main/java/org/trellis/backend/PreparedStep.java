package org.trellis.backend;

import java.util.List;

/**
 * Work of a backend that is bound to its operands, ready to be submitted again and again: alone, or as one of the steps
 * that a backend joins into something larger, such as a CUDA graph. A loop over a mesh set and a product of a matrix
 * are such steps.
 *
 * <p>Used by one thread at a time, as its backend is.
 */
public interface PreparedStep extends AutoCloseable {
    /**
     * Submits the work. Steps of one backend take effect in the order in which they are submitted; on a device that
     * works asynchronously this may return before the work is done, and a reader of a result waits for it.
     * Allocates nothing.
     *
     * @throws IllegalStateException if the step or its backend is closed
     */
    void run();

    /**
     * Returns the steps of which this one consists, in the order in which a run submits them; one that joins steps may
     * join these instead. Nested combinations are not looked into. Allocates nothing after the first call.
     *
     * @return the steps, which this one closes; empty if this is not a combination of others
     * @throws IllegalStateException if a run would be refused
     */
    default List<PreparedStep> parts() {
        return List.of();
    }

    /** Releases what the step holds, but not its operands. Idempotent; does nothing unless overridden. */
    @Override
    default void close() {}
}
