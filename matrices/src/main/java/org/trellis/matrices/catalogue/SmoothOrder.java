package org.trellis.matrices.catalogue;

import java.util.Arrays;
import org.trellis.matrices.generate.SplitMix;

/**
 * Deals values out to rows so that neighbouring rows have similar ones, as in matrices of meshes and circuits: rows are
 * cut into segments, each segment draws a level, and the values go to the rows in the order of level plus noise.
 */
final class SmoothOrder {
    private static final int SEGMENT = 200;
    private static final double NOISE = 0.3;
    private static final int INDEX_BITS = 32;

    private SmoothOrder() {}

    /** Returns the sorted values in their new places. */
    static int[] deal(int[] sorted, long seed) {
        long[] keys = new long[sorted.length];
        for (int row = 0; row < keys.length; row++) {
            double level = SplitMix.unit(SplitMix.hash(seed, row / SEGMENT));
            double noise = SplitMix.unit(SplitMix.hash(~seed, row));
            long rank = (long) ((level + NOISE * noise) * (1L << 30));
            keys[row] = rank << INDEX_BITS | row;
        }
        Arrays.parallelSort(keys);
        int[] dealt = new int[sorted.length];
        for (int i = 0; i < keys.length; i++) {
            dealt[(int) keys[i]] = sorted[i];
        }
        return dealt;
    }
}
