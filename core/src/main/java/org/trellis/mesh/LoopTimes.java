package org.trellis.mesh;

/**
 * How often a loop has run and how long that took. Of loops over few elements not every run is timed: asking for the
 * time, twice, takes hardly less than they do.
 */
final class LoopTimes {
    /** Elements of a loop beside which reading a clock twice is nothing. */
    private static final int LARGE_LOOP = 4096;
    /** Runs of such a loop that are all timed; afterwards one in sixteen is. */
    private static final int ALL_TIMED = 64;
    private static final int BETWEEN = 15;

    private long runs;
    private long nanoseconds;
    /** Runs whose time is in {@link #nanoseconds}. */
    private long timed;
    private long preparation;
    /** Runs of what tuning has left, and their time on the device. */
    private long otherRuns;
    private double otherSeconds;

    /** Says whether the next run over so many elements is to be timed. */
    boolean wants(int elements) {
        return timed < ALL_TIMED || (runs & BETWEEN) == 0 || elements > LARGE_LOOP;
    }

    void count() {
        runs++;
    }

    void count(long time) {
        runs++;
        timed++;
        nanoseconds += time;
    }

    void prepared(long time) {
        preparation += time;
    }

    /** Of the runs so far all but the best's are those of parameters that are not used any more. */
    void settle(long bestRuns, double seconds) {
        otherRuns = runs - bestRuns;
        otherSeconds += seconds;
    }

    long runs() {
        return runs;
    }

    double preparationSeconds() {
        return preparation * 1e-9;
    }

    /** Returns the wall time of all runs, of which some of those over few elements have not been timed. */
    double wallSeconds() {
        return timed == 0 ? nanoseconds * 1e-9 : nanoseconds * 1e-9 * ((double) runs / timed);
    }

    /** Returns the time of all runs on a device's clock, if a run of what is prepared now takes so long. */
    double deviceSeconds(double run) {
        return run * (runs - otherRuns) + otherSeconds;
    }

    /** Returns the time of all runs while parameters are compared. */
    double deviceSeconds(double run, LoopTrials trials) {
        return run * trials.bestRuns() + otherSeconds + trials.otherSeconds();
    }

    /** Forgets runs, but not what preparation took. */
    void reset() {
        runs = 0;
        timed = 0;
        nanoseconds = 0;
        otherRuns = 0;
        otherSeconds = 0;
    }
}
