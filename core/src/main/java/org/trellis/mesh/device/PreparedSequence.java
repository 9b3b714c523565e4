package org.trellis.mesh.device;

import java.util.Map;
import java.util.OptionalDouble;

/**
 * Prepared steps that a device is given at once to run, one after the other. Made by {@code LoopKernels.join}; a run is
 * {@link #pass} for each step in order, then {@link #run}. Nothing here allocates after the first runs.
 */
public interface PreparedSequence extends AutoCloseable {
    /**
     * Gives a step the operands and values of globals that it would run with now, and lets globals that it reduces into
     * be {@code Global.pending}. Queues nothing.
     *
     * @param number the step's number among those that were joined
     */
    void pass(int number);

    /** Queues all steps. */
    void run();

    /**
     * Returns how long a run takes by the device's clock. May wait for it.
     *
     * @return the mean of runs since {@link #resetTimes}, in seconds; empty if the device has no clock
     */
    OptionalDouble deviceSeconds();

    /** Forgets the times of past runs. */
    void resetTimes();

    /**
     * Describes what the device is given.
     *
     * @return figures by name
     */
    Map<String, String> deviceFigures();

    /** Releases what the sequence holds. Idempotent. */
    @Override
    void close();
}
