package org.trellis.testing;

import java.util.SplittableRandom;

/**
 * The seed of random tests. Printed once; set by the system property {@code trellis.test.seed} to repeat a run.
 */
public final class TestSeed {
    /** The property that sets the seed. */
    public static final String PROPERTY = "trellis.test.seed";

    private static final long SEED = choose();

    private TestSeed() {}

    private static long choose() {
        String given = System.getProperty(PROPERTY, "");
        long seed = given.isBlank() ? System.nanoTime() : Long.parseLong(given);
        System.out.println("Random tests: repeat with -D" + PROPERTY + "=" + seed);
        return seed;
    }

    /**
     * Returns the seed of this run.
     *
     * @return the seed, to be named in failure messages
     */
    public static long value() {
        return SEED;
    }

    /**
     * Returns a generator that depends on the seed and on who asks, so that tests do not disturb one another.
     *
     * @param purpose a name
     * @return a new generator
     */
    public static SplittableRandom random(String purpose) {
        return new SplittableRandom(SEED ^ (0x9E3779B97F4A7C15L * purpose.hashCode()));
    }
}
