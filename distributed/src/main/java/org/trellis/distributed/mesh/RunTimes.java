package org.trellis.distributed.mesh;

import java.util.Arrays;

/** How long runs took that were timed one by one. Takes no memory before the first. */
final class RunTimes {
    private static final int MAX_RUNS = 256;

    private long[] nanoseconds = {};
    private int runs;
    private long[] last = {};

    /** Takes in a run; of very many, the first ones are kept. */
    void add(long took) {
        if (runs < MAX_RUNS) {
            if (nanoseconds.length == 0) {
                nanoseconds = new long[MAX_RUNS];
            }
            nanoseconds[runs] = took;
        }
        runs++;
    }

    /** Notes what the last run took on each rank. */
    void last(long... nanosecondsOfRanks) {
        last = nanosecondsOfRanks;
    }

    /** Returns the nanoseconds of the last run of a rank; 0 before the first. */
    long lastOf(int rank) {
        return last.length == 0 ? 0 : last[rank];
    }

    int runs() {
        return runs;
    }

    /** Returns the lower quartile in seconds, which other work on the machine disturbs less than the median. */
    double usual() {
        long[] sorted = Arrays.copyOf(nanoseconds, Math.min(runs, MAX_RUNS));
        Arrays.sort(sorted);
        return 1e-9 * sorted[sorted.length / 4];
    }

    void reset() {
        runs = 0;
    }
}
