package org.trellis.testing;

/**
 * How many cases a test tries: fewer in the check of each change than in that of each night, which the profile
 * {@code nightly} asks for by the system property {@code trellis.test.long}.
 */
public final class TestLength {
    /** The property that asks for all cases. */
    public static final String PROPERTY = "trellis.test.long";

    private TestLength() {}

    /**
     * Says which of the two this run is.
     *
     * @return true in the check of each night
     */
    public static boolean isLong() {
        return Boolean.getBoolean(PROPERTY);
    }

    /**
     * Returns the number of cases of this run.
     *
     * @param daily how many find what breaks often
     * @param nightly all of them
     * @return one of the two
     */
    public static int cases(int daily, int nightly) {
        return isLong() ? nightly : daily;
    }
}
