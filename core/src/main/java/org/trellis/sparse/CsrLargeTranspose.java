package org.trellis.sparse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * Transposes a matrix whose transpose may need several segments. They are made in place, one after the other: beside
 * the result it takes 8 bytes a column. Each segment costs a pass over the matrix, in which each thread takes the
 * entries of a range of columns; these are together in each row. Rows come in order, so the columns of the result are
 * sorted, however many ranges there are.
 */
final class CsrLargeTranspose {
    private static final int WORTHWHILE_NON_ZEROS = 1 << 16;

    private CsrLargeTranspose() {}

    static CsrMatrix of(CsrMatrix a) {
        int threads = a.nonZeros() < WORTHWHILE_NON_ZEROS ? 1 : ForkJoinPool.getCommonPoolParallelism() + 1;
        return of(a, CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS, threads);
    }

    static CsrMatrix of(CsrMatrix a, int segmentLimit, int threads) {
        int[] lengths = columnLengths(a, threads);
        List<CsrSegment> segments = new ArrayList<>();
        int row = 0;
        long base = 0;
        do {
            CsrSegment segment = CsrFill.allocate(row, base, lengths, segmentLimit, a.precision());
            int[] next = Arrays.copyOf(segment.rowOffsets(), segment.rows());
            ParallelRanges.run(segment.rows(), grain(segment.rows(), threads), (from, to) -> {
                int first = segment.firstRow();
                for (CsrSegment source : a.segments()) {
                    scatter(source, first + from, first + to, segment, next);
                }
            });
            segments.add(segment);
            row += segment.rows();
            base += segment.nonZeros();
        } while (row < lengths.length);
        return new CsrMatrix(a.columns(), a.rows(), a.precision(), segments);
    }

    private static int grain(int columns, int threads) {
        return Math.max(1, Math.ceilDiv(columns, threads));
    }

    private static int[] columnLengths(CsrMatrix a, int threads) {
        int[] lengths = new int[a.columns()];
        ParallelRanges.run(lengths.length, grain(lengths.length, threads), (from, to) -> {
            for (CsrSegment source : a.segments()) {
                count(source, from, to, lengths);
            }
        });
        return lengths;
    }

    private static void count(CsrSegment source, int from, int to, int[] lengths) {
        int[] offsets = source.rowOffsets();
        int[] columns = source.columnIndices();
        for (int row = 0; row < source.rows(); row++) {
            int end = offsets[row + 1];
            for (int k = start(columns, offsets[row], end, from); k < end && columns[k] < to; k++) {
                lengths[columns[k]]++;
            }
        }
    }

    /** Puts the entries of columns {@code from} to {@code to} into their rows of the target. */
    private static void scatter(CsrSegment source, int from, int to, CsrSegment target, int[] next) {
        int[] offsets = source.rowOffsets();
        int[] columns = source.columnIndices();
        int[] targetColumns = target.columnIndices();
        boolean isDouble = source.values().precision() == Precision.F64;
        HostVector values = source.values();
        // Arrays, since a vector would check its numbering at every entry.
        double[] doubles = isDouble ? values.doubleStorage() : null;
        double[] doubleTargets = isDouble ? target.values().doubles() : null;
        float[] floats = isDouble ? null : values.floatStorage();
        float[] floatTargets = isDouble ? null : target.values().floats();
        int shift = values.offset();
        for (int row = 0; row < source.rows(); row++) {
            int end = offsets[row + 1];
            for (int k = start(columns, offsets[row], end, from); k < end && columns[k] < to; k++) {
                int at = next[columns[k] - target.firstRow()]++;
                targetColumns[at] = source.firstRow() + row;
                if (isDouble) {
                    doubleTargets[at] = doubles[shift + k];
                } else {
                    floatTargets[at] = floats[shift + k];
                }
            }
        }
    }

    /** Finds the first of the increasing columns that is not below a given one; most rows need no search. */
    private static int start(int[] columns, int start, int end, int from) {
        if (start == end || columns[start] >= from) {
            return start;
        }
        if (columns[end - 1] < from) {
            return end;
        }
        int found = Arrays.binarySearch(columns, start, end, from);
        return found < 0 ? -found - 1 : found;
    }
}
