package org.trellis.matrices.generate;

import org.trellis.common.ParallelRanges;

/** Operations on row offsets. */
final class Offsets {
    private Offsets() {}

    /**
     * Returns the row at which a share of the work starts, where a row costs as much as one non-zero and each non-zero
     * one more: neither many empty rows nor a long one unbalances the shares.
     */
    static int rowOfShare(int[] offsets, int share, int shares) {
        int rows = offsets.length - 1;
        long wanted = (rows + (long) offsets[rows]) * share / shares;
        int low = 0;
        int high = rows;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (middle + (long) offsets[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Turns counts at {@code [1..n]} into offsets. */
    static void sum(int[] counts) {
        ParallelRanges.accumulate(counts);
    }
}
