package org.trellis.bench.measure;

import java.util.Objects;

/**
 * How contenders are timed.
 *
 * @param seconds              measured time that each contender gets on each matrix; a minimum of {@code rounds}
 *                             samples is taken however long they last
 * @param rounds               turns that each contender has
 * @param minimumSampleSeconds shortest time of one sample: faster products are repeated within a sample
 * @param caches               what the caches hold when a sample starts
 * @param seed                 decides on x and on the order of turns
 * @param memoryBytes          memory that the contenders prepared at one time may take
 */
public record MeasureSettings(double seconds, int rounds, double minimumSampleSeconds, Caches caches, long seed,
        long memoryBytes) {
    /** Samples are not shorter than this, against which the resolution of the clock is negligible. */
    public static final double DEFAULT_MINIMUM_SAMPLE_SECONDS = 100e-6;
    /** Turns of each contender unless said otherwise. */
    public static final int DEFAULT_ROUNDS = 12;
    /** The seed unless said otherwise. */
    public static final long DEFAULT_SEED = 20140801;

    private static final double MOST_SETTLING = 10;
    private static final double SETTLING_SHARE = 30;

    /** What the caches hold when a sample starts. */
    public enum Caches {
        /** What the contender's own previous product left: each turn starts with a product that is not timed. */
        WARM,
        /** Something else: before each sample a buffer larger than the caches of a core is read and written. */
        FLUSHED
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of its range; names it
     */
    public MeasureSettings {
        Objects.requireNonNull(caches);
        if (!(seconds > 0) || seconds > 3600) {
            throw new IllegalArgumentException("seconds is " + seconds + ", expected more than 0 and at most 3600");
        }
        if (rounds < 3 || rounds > 1000) {
            throw new IllegalArgumentException("rounds is " + rounds + ", expected 3 to 1000");
        }
        if (!(minimumSampleSeconds >= 0)) {
            throw new IllegalArgumentException(
                    "minimumSampleSeconds is " + minimumSampleSeconds + ", expected at least 0");
        }
    }

    /**
     * Returns the usual settings.
     *
     * @param seconds measured time for each contender on each matrix
     * @return settings with warm caches, the default rounds and seed, and half of the JVM's largest heap
     */
    public static MeasureSettings of(double seconds) {
        return new MeasureSettings(seconds, DEFAULT_ROUNDS, DEFAULT_MINIMUM_SAMPLE_SECONDS, Caches.WARM, DEFAULT_SEED,
                Runtime.getRuntime().maxMemory() / 2);
    }

    /**
     * Returns for how long contenders are warmed up, beyond what all get, that look for a faster way while they work.
     *
     * @return seconds for all contenders of a matrix together: thirty times the measured time of one, at most 10
     */
    public double settlingSeconds() {
        return Math.min(MOST_SETTLING, SETTLING_SHARE * seconds);
    }

    /**
     * Returns these settings with other caches and another seed.
     *
     * @param newCaches the new {@link #caches}
     * @param newSeed   the new {@link #seed}
     * @return new settings
     */
    public MeasureSettings with(Caches newCaches, long newSeed) {
        return new MeasureSettings(seconds, rounds, minimumSampleSeconds, newCaches, newSeed, memoryBytes);
    }
}
