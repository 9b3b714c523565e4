package org.trellis.bench.adapters.cusparse;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrSegment;

/**
 * A matrix in cuSPARSE's sliced ELLPACK: slices of 32 rows, each as wide as its longest row, stored by columns; padding
 * has the column −1.
 *
 * @param sliceOffsets where each slice starts, and the end
 * @param columns      column indices
 * @param values       values, 0 in the padding
 */
record SlicedEll(int[] sliceOffsets, int[] columns, HostVector values) {
    /** Rows of a slice. */
    static final int SLICE = 32;

    /** A matrix that grows more than this is not what the format is for. */
    private static final long LARGEST_GROWTH = 8;
    private static final long SLACK = 1 << 20;

    static Optional<String> objection(int[] rowOffsets) {
        long padded = 0;
        for (int slice = 0; slice < slices(rowOffsets); slice++) {
            padded += (long) SLICE * width(rowOffsets, slice);
        }
        long limit = Math.min(Integer.MAX_VALUE - SLICE, LARGEST_GROWTH * rowOffsets[rowOffsets.length - 1] + SLACK);
        return padded <= limit
                ? Optional.empty()
                : Optional.of("sliced ELLPACK takes " + padded + " entries for "
                        + rowOffsets[rowOffsets.length - 1] + " non-zeros, expected at most " + limit);
    }

    static SlicedEll of(CsrSegment matrix) {
        int[] rowOffsets = matrix.rowOffsets();
        int[] offsets = new int[slices(rowOffsets) + 1];
        for (int slice = 0; slice + 1 < offsets.length; slice++) {
            offsets[slice + 1] = offsets[slice] + SLICE * width(rowOffsets, slice);
        }
        int[] columns = new int[offsets[offsets.length - 1]];
        Arrays.fill(columns, -1);
        Precision precision = matrix.values().precision();
        HostVector values = HostVector.zeros(precision, columns.length);
        for (int row = 0; row < matrix.rows(); row++) {
            int target = offsets[row / SLICE] + row % SLICE;
            for (int k = rowOffsets[row]; k < rowOffsets[row + 1]; k++) {
                columns[target] = matrix.columnIndices()[k];
                values.set(target, matrix.values().get(k));
                target += SLICE;
            }
        }
        return new SlicedEll(offsets, columns, values);
    }

    private static int slices(int[] rowOffsets) {
        return (rowOffsets.length - 1 + SLICE - 1) / SLICE;
    }

    private static int width(int[] rowOffsets, int slice) {
        int width = 0;
        for (int row = slice * SLICE; row < Math.min(rowOffsets.length - 1, (slice + 1) * SLICE); row++) {
            width = Math.max(width, rowOffsets[row + 1] - rowOffsets[row]);
        }
        return width;
    }
}
