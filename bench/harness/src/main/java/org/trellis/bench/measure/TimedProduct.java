package org.trellis.bench.measure;

import org.trellis.memory.HostVector;

/** A product {@code y = A x} that is ready to run over and over, with vectors of its own. */
public interface TimedProduct extends AutoCloseable {
    /** Computes the product once, and returns when it is done. This is what is timed. */
    void run();

    /**
     * Computes the product several times, and returns when all are done. A product of several ranks tells the others
     * once how often.
     *
     * @param times how many times, at least 1
     */
    default void run(int times) {
        for (int i = 0; i < times; i++) {
            run();
        }
    }

    /**
     * Computes the product several times and measures each on the clock of the device that computes it. What
     * {@link #run()} takes beyond that is the way there and back.
     *
     * @param repetitions how many times, at least 1
     * @return seconds of each, or nothing if the product is computed by this process itself
     */
    default double[] deviceSeconds(int repetitions) {
        return new double[0];
    }

    /**
     * Returns the result of the last {@link #run()}.
     *
     * @return a copy of y
     */
    HostVector result();

    /**
     * Returns the memory that the prepared matrix takes, without x and y.
     *
     * @return bytes, or a negative number if that cannot be known
     */
    long preparedBytes();

    /**
     * Returns for how long threads of this product go on using a processor after a product has returned. The harness
     * waits for that long before the next contender's turn, so that nobody is measured beside another's threads.
     *
     * @return milliseconds, 0 if they do not
     */
    default int lingerMilliseconds() {
        return 0;
    }

    /** Releases everything. */
    @Override
    void close();
}
