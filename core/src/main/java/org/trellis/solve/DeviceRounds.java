package org.trellis.solve;

/**
 * How many iterations a device may run by itself before the host looks: all that are left, but not so many that a limit
 * of time or a window of stagnation would be seen late, and what has been run that way.
 */
final class DeviceRounds {
    /** Share of the time that is left that one run may take, from what iterations have taken so far. */
    private static final double SHARE = 0.25;
    /** Iterations of the first run where there is a limit of time, and it is not known yet what they take. */
    private static final int FIRST_ITERATIONS = 16;

    private int launches;
    private int iterations;
    private double secondsEach;
    private double secondsLooking = Double.POSITIVE_INFINITY;

    /** Begins a solution. */
    void reset() {
        launches = 0;
        iterations = 0;
    }

    /** Returns how many iterations one run may have, at least 1. */
    int most(ResidualHistory history) {
        StoppingCriteria criteria = history.criteria();
        int most = criteria.maximumIterations() - history.iterations();
        if (criteria.stagnationWindow() > 0) {
            most = Math.min(most, criteria.stagnationWindow());
        }
        if (criteria.maximumSeconds() < Double.POSITIVE_INFINITY) {
            double left = criteria.maximumSeconds() - history.seconds();
            most = Math.min(most,
                    secondsEach == 0 ? FIRST_ITERATIONS : (int) Math.min(most, SHARE * left / secondsEach));
        }
        return Math.max(1, most);
    }

    /** Takes what a run has done. */
    void add(int done, long nanoseconds) {
        launches++;
        iterations += done;
        if (done > 0) {
            secondsEach = nanoseconds * 1e-9 / done;
        }
    }

    /** Takes what iterations took that the host has read. */
    void looked(int done, long nanoseconds) {
        secondsLooking = Math.min(secondsLooking, nanoseconds * 1e-9 / done);
    }

    /** Returns the least that an iteration took that the host has read, infinite before the first. */
    double secondsLooking() {
        return secondsLooking;
    }

    /** Says whether there was any. */
    boolean any() {
        return launches > 0;
    }

    /** Notes what was run. */
    @Override
    public String toString() {
        return iterations + " iterations in " + launches + (launches == 1 ? " launch" : " launches");
    }
}
