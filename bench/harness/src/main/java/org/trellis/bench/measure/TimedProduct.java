package org.trellis.bench.measure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalDouble;
import org.trellis.memory.HostVector;

/** A product {@code y = A x} that is ready to run over and over, with vectors of its own. */
public interface TimedProduct extends AutoCloseable {
    /** Computes the product once, and returns when it is done. This is what is timed. */
    void run();

    /**
     * Computes the product several times, and says how long that took on the clock of the process that computes.
     *
     * @param times how many times, at least 1
     * @return seconds of all together
     */
    default double seconds(int times) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
            run();
        }
        return (System.nanoTime() - start) * 1e-9;
    }

    /**
     * Computes the product again and again for a while.
     *
     * @param seconds for how long; at least one product is computed
     * @return seconds of the fastest
     */
    default double warmUp(double seconds) {
        double fastest = Double.POSITIVE_INFINITY;
        long start = System.nanoTime();
        long last = start;
        do {
            run();
            long now = System.nanoTime();
            fastest = Math.min(fastest, (now - last) * 1e-9);
            last = now;
        } while ((last - start) * 1e-9 < seconds);
        return fastest;
    }

    /**
     * Says whether products run from now on as the last one did. While they do not, warming up goes on.
     *
     * @return false while a faster way is looked for; true unless overridden
     */
    default boolean isSettled() {
        return true;
    }

    /**
     * Puts something else into the caches of the process that computes, where that is to be done.
     *
     * @param flush what does so in this process
     */
    default void flush(CacheFlush flush) {
        flush.run();
    }

    /**
     * Returns how often garbage has been collected in the process that computes.
     *
     * @return a number that grows
     */
    default long collections() {
        return collectionsHere();
    }

    /**
     * Returns how often garbage has been collected in this process.
     *
     * @return the collections of all collectors
     */
    static long collectionsHere() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    /**
     * Returns how long this product took to prepare, where that is not the time in which the harness got it.
     *
     * @return seconds, the shortest of some attempts; empty unless overridden
     */
    default OptionalDouble preparationSeconds() {
        return OptionalDouble.empty();
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
     * waits for that long before the next contender's turn, so that no contender is measured beside another's threads.
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
