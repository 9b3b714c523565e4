package org.trellis.mesh;

/** A loop bound to its data, ready to run again and again. */
public interface PreparedLoop extends AutoCloseable {
    /**
     * Runs the kernel on every element once. On a device it may return before the work is done: whoever reads a dat
     * through its {@link DatStorage}, or a {@link Global}, waits for it. Allocates nothing.
     */
    void run();

    /**
     * Describes how the loop is run. May take a pass over the maps.
     *
     * @return figures of its plan
     */
    LoopStatistics statistics();

    /** Releases what the loop holds. Idempotent; does nothing unless overridden. */
    @Override
    default void close() {}
}
