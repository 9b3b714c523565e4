package org.trellis.solve.dense;

import java.util.function.LongSupplier;

/**
 * Finds out when vector code has been compiled, by trials beside scalar code. Threads may run it at once: what they
 * lose of each other's counts delays the end only.
 */
final class Warming {
    /** Nanoseconds of such a trial from which on the code may have been compiled. */
    private static final long QUICK = 400;
    /** Of the time of scalar code: what trials may take. */
    private static final double SHARE = 0.25;
    /** Trials of all elements, one after the other, that vector code has to be faster in. */
    private static final int WINS = 3;

    private final int few;
    private final LongSupplier clock;
    private double allowed;
    private long usual;
    private long start;
    private boolean quick;
    private int wins;
    private volatile boolean done;

    /**
     * Begins.
     *
     * @param few elements of a trial of code that is not compiled yet: those of one pass of its loop
     */
    Warming(int few) {
        this(few, System::nanoTime);
    }

    /**
     * Begins with a clock.
     *
     * @param few   as above
     * @param clock reads the time, in nanoseconds
     */
    Warming(int few, LongSupplier clock) {
        this.few = few;
        this.clock = clock;
    }

    /** Says whether vector code is faster. */
    boolean done() {
        return done;
    }

    /**
     * Notes a run of scalar code, and says how many of its elements vector code is to be tried on.
     *
     * @param nanoseconds what the run took
     * @param elements    of the run
     * @return 0 if trials have taken too long so far
     */
    int trial(long nanoseconds, int elements) {
        allowed += SHARE * nanoseconds;
        if (allowed < 0 || elements < few) {
            return 0;
        }
        usual = nanoseconds;
        start = clock.getAsLong();
        return quick ? elements : few;
    }

    /** Notes the end of a trial. */
    void tried() {
        long taken = clock.getAsLong() - start;
        allowed -= taken;
        if (quick) {
            wins = taken < usual ? wins + 1 : 0;
            done = wins == WINS;
        }
        quick = quick ? taken < 2 * usual : taken < QUICK;
    }
}
