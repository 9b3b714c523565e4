package org.trellis.solve;

/**
 * A limit of time of a solution that begins when this is made. A rank that solves alone looks at the clock after each
 * iteration; a common clock, whose reading costs messages, is read again when a quarter of the time that was left may
 * have passed by what iterations took so far, but not after more iterations than there were.
 */
public final class TimeLimit {
    private static final double SHARE = 0.25;

    private final double limit;
    private final CollectiveClock clock;
    private final long started;
    /** The iteration in which a common clock is read next. */
    private long nextReading;

    /**
     * Begins.
     *
     * @param seconds the limit, more than 0; may be infinite, and then nothing is read
     * @param clock   that of all who solve together
     */
    public TimeLimit(double seconds, CollectiveClock clock) {
        this.limit = seconds;
        this.clock = clock;
        this.started = clock.nanoTime();
    }

    /**
     * Says whether the time is over. All who share the clock ask after the same iterations, and hear the same.
     *
     * @param iterations done so far
     * @return true once more time has passed than there is
     */
    @SuppressWarnings("ReferenceEquality") // one rank alone pays nothing for a look
    public boolean isOver(int iterations) {
        if (limit == Double.POSITIVE_INFINITY || iterations < nextReading) {
            return false;
        }
        double passed = clock.agree(seconds());
        if (clock != CollectiveClock.OWN) {
            int before = Math.max(1, iterations);
            nextReading = iterations + (long) Math.clamp(SHARE * (limit - passed) * before / passed, 1, before);
        }
        return passed > limit;
    }

    /**
     * Returns the time that is left, for a method that begins another one. To be called by all who share the clock.
     *
     * @return seconds, the same for all, more than 0; infinite without a limit
     */
    public double left() {
        return limit == Double.POSITIVE_INFINITY
                ? limit
                : Math.max(Double.MIN_NORMAL, limit - clock.agree(seconds()));
    }

    /** Returns the time since this was made, by the own clock. */
    double seconds() {
        return (clock.nanoTime() - started) * 1e-9;
    }
}
