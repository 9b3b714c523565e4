package org.trellis.mesh.device;

/**
 * Prepared steps that a device runs again and again until it finds by itself that it is enough. Made by
 * {@code LoopKernels.repeat}; a run is {@link #pass} for each step in order, then {@link #run}.
 */
public interface PreparedRepetition extends AutoCloseable {
    /**
     * Gives a step the operands and values of globals that it would run with now. Queues nothing.
     *
     * @param number the step's number among those that are repeated
     */
    void pass(int number);

    /**
     * Runs rounds of all steps, at least one, until what is watched is out of its bounds. Waits for the device.
     *
     * @param most     rounds at most, at least 1
     * @param recorded overwritten by the recorded scalars, one round after the other; room for that many rounds
     * @return how many rounds were run
     */
    int run(int most, double[] recorded);

    /** Releases what the repetition holds. Idempotent. */
    @Override
    void close();
}
