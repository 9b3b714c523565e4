package org.trellis.internal.simd;

import java.util.Arrays;

/** Ranges of consecutive chunks of about equal work. */
final class ChunkUnits {
    /** Work below which a unit costs more to hand out than it gains. */
    private static final int SMALLEST = 8_192;
    private static final int UNITS_PER_THREAD = 12;

    private int[] ends = new int[16];
    private int count;

    private ChunkUnits() {}

    /** The work of a chunk, in non-zeros. */
    interface Work {
        long of(int chunk);
    }

    static ChunkUnits of(int chunks, int threads, Work work) {
        long total = 0;
        for (int chunk = 0; chunk < chunks; chunk++) {
            total += work.of(chunk);
        }
        long target = Math.max(SMALLEST, total / ((long) UNITS_PER_THREAD * threads) + 1);
        ChunkUnits units = new ChunkUnits();
        long sum = 0;
        for (int chunk = 0; chunk < chunks; chunk++) {
            sum += work.of(chunk);
            if (sum >= target || chunk == chunks - 1) {
                units.add(chunk + 1);
                sum = 0;
            }
        }
        return units;
    }

    private void add(int end) {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        ends[count++] = end;
    }

    int count() {
        return count;
    }

    int first(int unit) {
        return unit == 0 ? 0 : ends[unit - 1];
    }

    int end(int unit) {
        return ends[unit];
    }
}
