package org.trellis.internal.threads.team;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The units that the threads of a team still have to do. Each thread has a range of consecutive units, so that products
 * in a row find their part of the matrix in the cache of the same core; it takes them from the front, and once it has
 * none left it steals from the back of others. Both ends are in one word, so that one compare-and-set takes a unit.
 */
final class UnitRange {
    static final int NONE = -1;

    private static final long END_MASK = 0xFFFF_FFFFL;

    /** Words between those of two threads: two cache lines, since neighbouring lines are fetched in pairs. */
    private static final int STRIDE = 16;

    private final int threads;
    private final AtomicLongArray ends;

    UnitRange(int threads) {
        this.threads = threads;
        this.ends = new AtomicLongArray((threads + 1) * STRIDE);
    }

    /** Shares out units 0 to {@code units}, evenly. No thread may be taking units. */
    void share(int units) {
        for (int thread = 0; thread < threads; thread++) {
            long begin = (long) units * thread / threads;
            long end = (long) units * (thread + 1) / threads;
            ends.setPlain((thread + 1) * STRIDE, begin << Integer.SIZE | end);
        }
    }

    /** Takes a unit: the next own one, else the last of another thread. */
    int take(int thread) {
        int unit = takeFirst((thread + 1) * STRIDE);
        for (int other = 1; unit == NONE && other < threads; other++) {
            unit = takeLast(((thread + other) % threads + 1) * STRIDE);
        }
        return unit;
    }

    private int takeFirst(int word) {
        while (true) {
            long now = ends.get(word);
            int begin = (int) (now >>> Integer.SIZE);
            if (begin >= (int) (now & END_MASK)) {
                return NONE;
            }
            if (ends.compareAndSet(word, now, now + (1L << Integer.SIZE))) {
                return begin;
            }
        }
    }

    private int takeLast(int word) {
        while (true) {
            long now = ends.get(word);
            int end = (int) (now & END_MASK);
            if ((int) (now >>> Integer.SIZE) >= end) {
                return NONE;
            }
            if (ends.compareAndSet(word, now, now - 1)) {
                return end - 1;
            }
        }
    }
}
