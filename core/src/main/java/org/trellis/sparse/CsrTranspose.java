package org.trellis.sparse;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * Transposes a segment by a counting sort on several threads. Rows are cut into as many pieces as threads; each counts
 * its entries by column, the counts are summed up column by column in the order of the pieces, and each piece then
 * knows where its entries go. Rows come out in order, so the columns of the result are sorted, however many pieces
 * there are. Beside the result it takes one integer for each piece and column, and no more than the result takes: for
 * few entries in many columns there is one piece.
 */
final class CsrTranspose {
    private static final int WORTHWHILE_NON_ZEROS = 1 << 16;
    private static final int COLUMNS_PER_TASK = 1 << 13;

    private final CsrSegment source;
    private final int columns;
    private final int[] rowBounds;
    private final int[][] next;

    private CsrTranspose(CsrSegment source, int columns, int pieces) {
        this.source = source;
        this.columns = columns;
        this.rowBounds = rowBounds(source, pieces);
        this.next = new int[pieces][];
    }

    static CsrMatrix of(CsrMatrix a) {
        CsrSegment source = a.onlySegment();
        int threads = ForkJoinPool.getCommonPoolParallelism() + 1;
        int pieces = source.nonZeros() < WORTHWHILE_NON_ZEROS
                ? 1
                : Math.clamp(source.nonZeros() / (a.columns() + 1), 1, threads);
        return of(a, pieces);
    }

    static CsrMatrix of(CsrMatrix a, int pieces) {
        CsrTranspose transpose = new CsrTranspose(a.onlySegment(), a.columns(), pieces);
        int[] offsets = transpose.count();
        int[] rows = new int[a.onlySegment().nonZeros()];
        HostVector values = HostVector.zeros(a.precision(), rows.length);
        ParallelRanges.run(pieces, 1, (from, to) -> {
            for (int p = from; p < to; p++) {
                transpose.scatter(p, rows, values);
            }
        });
        return CsrMatrix.unchecked(a.columns(), a.rows(), offsets, rows, values);
    }

    /** Cuts rows so that the pieces have about as many entries. */
    private static int[] rowBounds(CsrSegment source, int pieces) {
        int[] bounds = new int[pieces + 1];
        for (int p = 1; p < pieces; p++) {
            int wanted = (int) ((long) source.nonZeros() * p / pieces);
            int found = Arrays.binarySearch(source.rowOffsets(), wanted);
            bounds[p] = Math.max(bounds[p - 1], found < 0 ? -found - 1 : found);
        }
        bounds[pieces] = source.rows();
        return bounds;
    }

    /** Fills {@link #next} with where each piece's entries of each column go. */
    private int[] count() {
        int[] offsets = new int[columns + 1];
        ParallelRanges.run(next.length, 1, (from, to) -> {
            for (int p = from; p < to; p++) {
                next[p] = counts(p);
            }
        });
        ParallelRanges.run(columns, COLUMNS_PER_TASK, (from, to) -> {
            for (int j = from; j < to; j++) {
                for (int[] counts : next) {
                    offsets[j + 1] += counts[j];
                }
            }
        });
        ParallelRanges.accumulate(offsets);
        ParallelRanges.run(columns, COLUMNS_PER_TASK, (from, to) -> {
            for (int j = from; j < to; j++) {
                int at = offsets[j];
                for (int[] counts : next) {
                    int count = counts[j];
                    counts[j] = at;
                    at += count;
                }
            }
        });
        return offsets;
    }

    private int[] counts(int piece) {
        int[] counts = new int[columns];
        int end = source.rowOffsets()[rowBounds[piece + 1]];
        for (int k = source.rowOffsets()[rowBounds[piece]]; k < end; k++) {
            counts[source.columnIndices()[k]]++;
        }
        return counts;
    }

    private void scatter(int piece, int[] rows, HostVector values) {
        int[] at = next[piece];
        int[] offsets = source.rowOffsets();
        int[] columnIndices = source.columnIndices();
        HostVector from = source.values();
        boolean isDouble = from.precision() == Precision.F64;
        // Arrays, since a vector would check its numbering at every entry.
        double[] doubles = isDouble ? from.doubleStorage() : null;
        double[] doubleTargets = isDouble ? values.doubleStorage() : null;
        float[] floats = isDouble ? null : from.floatStorage();
        float[] floatTargets = isDouble ? null : values.floatStorage();
        int shift = from.offset();
        for (int row = rowBounds[piece]; row < rowBounds[piece + 1]; row++) {
            for (int k = offsets[row]; k < offsets[row + 1]; k++) {
                int target = at[columnIndices[k]]++;
                rows[target] = source.firstRow() + row;
                if (isDouble) {
                    doubleTargets[target] = doubles[shift + k];
                } else {
                    floatTargets[target] = floats[shift + k];
                }
            }
        }
    }
}
