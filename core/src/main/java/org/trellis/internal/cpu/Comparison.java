package org.trellis.internal.cpu;

import java.util.Arrays;

/**
 * Compares the times of two variants of doing the same, of which one is in use at a time. They take turns in bursts;
 * the first run of a burst does not count, since it finds the data of the other way in the cache. The lower quartiles
 * decide, since other programs only ever make times longer.
 */
final class Comparison {
    /** The way in use so far. */
    static final int OLD = 0;

    /** The way that may replace it. */
    static final int NEW = 1;

    private static final int BURST = 4;
    private static final int BURSTS = 5;
    private static final int SAMPLES = BURSTS * (BURST - 1);
    /** The new way replaces the old one if its time is less than this share. */
    private static final double GAIN = 0.98;
    /** How many times as long a run of the new way takes if its code is thrown away by the compiler. */
    private static final int DISCARDED_CODE_FACTOR = 8;

    private final long[][] samples = new long[2][SAMPLES];
    private final int[] counts = new int[2];
    private int run;
    private boolean far;

    /** Returns the way that runs next. */
    int turn() {
        return run / BURST % 2 == 0 ? OLD : NEW;
    }

    /** Takes the time of the run of {@link #turn}. */
    void add(long nanoseconds) {
        int way = turn();
        if (run % BURST != 0 && counts[way] < SAMPLES) {
            samples[way][counts[way]++] = nanoseconds;
        }
        run++;
    }

    /**
     * Says whether a time and the one before are so long that the new way cannot be compiled. One alone proves
     * nothing: another program may have had the processor.
     */
    boolean isFar(long nanoseconds) {
        boolean before = far;
        far = turn() == NEW && counts[OLD] > 0 && nanoseconds > DISCARDED_CODE_FACTOR * quartile(OLD);
        return before && far;
    }

    /** Says whether both variants have run often enough. */
    boolean isOver() {
        return counts[OLD] == SAMPLES && counts[NEW] == SAMPLES;
    }

    /** Says whether the new way is faster. */
    boolean newWins() {
        return quartile(NEW) < GAIN * quartile(OLD);
    }

    /** Returns what the runs of the new way have taken beyond those of the old one, at least 0. */
    long lost() {
        return Math.max(0, BURST * BURSTS * (quartile(NEW) - quartile(OLD)));
    }

    /** Returns the lower quartile of the times of a way. */
    long quartile(int way) {
        long[] sorted = Arrays.copyOf(samples[way], counts[way]);
        Arrays.sort(sorted);
        return sorted[sorted.length / 4];
    }
}
