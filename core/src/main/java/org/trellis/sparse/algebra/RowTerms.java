package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.CsrSegment;

/**
 * The terms of one row of a product {@code A B}: a factor, the element of A, for each row of B that the row of A names,
 * and where that row lies in plain arrays. They are the arrays of B itself where it has one segment, with values made
 * doubles once where they are not, or those of its pieces; of several segments, rows are copied one behind the other.
 * For one thread.
 */
final class RowTerms {
    /** A shift that leaves nothing of the number of a row. */
    private static final int ALL_ROWS = 31;

    /** Where rows are copied from; null where they are not. */
    private final CsrRowCursor copied;
    /** See {@link Right}. */
    final int[] offsets;
    final int shift;
    final int[][] columns;
    final double[][] values;
    final int longest;
    private int[] arrays = new int[16];
    /** How many rows there are; their factors, and where each starts and ends in its arrays. */
    int count;
    double[] factors = new double[16];
    int[] starts = new int[16];
    int[] ends = new int[16];
    /** The number of terms, counted up to the largest int less one word, and the columns between which they lie. */
    int terms;
    int lowest;
    int highest;

    /**
     * A right factor, for all threads of a product. Row r lies in the arrays of number {@code r >> shift}, from offset
     * {@code r + (r >> shift)} on.
     *
     * @param several a matrix of several segments, whose rows are to be copied; null for others
     * @param offsets where rows start and end
     * @param shift   as above
     * @param columns arrays of columns
     * @param values  arrays of values
     * @param longest the most entries of a row
     */
    record Right(CsrMatrix several, int[] offsets, int shift, int[][] columns, double[][] values, int longest) {
        static Right of(CsrMatrix matrix) {
            int most = most(matrix);
            if (matrix.segments().size() > 1) {
                return new Right(matrix, new int[0], ALL_ROWS, new int[1][], new double[1][], most);
            }
            CsrSegment all = matrix.onlySegment();
            HostVector values = all.values();
            boolean suits = matrix.precision() == Precision.F64 && values.offset() == 0;
            return new Right(null, all.rowOffsets(), ALL_ROWS, new int[][]{all.columnIndices()},
                    new double[][]{suits ? values.doubleStorage() : values.toDoubleArray()}, most);
        }

        static Right of(RowPieces rows) {
            return new Right(null, rows.offsets(), RowPieces.SHIFT, rows.columns(), rows.values(),
                    most(rows.lengths()));
        }

        private static int most(CsrMatrix matrix) {
            int most = 0;
            for (CsrSegment segment : matrix.segments()) {
                int[] offsets = segment.rowOffsets();
                for (int row = 0; row < segment.rows(); row++) {
                    most = Math.max(most, offsets[row + 1] - offsets[row]);
                }
            }
            return most;
        }

        private static int most(int[] lengths) {
            int most = 0;
            for (int length : lengths) {
                most = Math.max(most, length);
            }
            return most;
        }
    }

    /** Prepares a product for one thread. */
    RowTerms(Right right) {
        boolean several = right.several != null;
        copied = several ? new CsrRowCursor(right.several) : null;
        offsets = right.offsets;
        shift = right.shift;
        columns = several ? new int[][]{new int[64]} : right.columns;
        values = several ? new double[][]{new double[64]} : right.values;
        longest = right.longest;
    }

    /** Says whether rows are copied, so that the arrays have those of the row that was collected last. */
    boolean copies() {
        return copied != null;
    }

    /**
     * Says how far apart the columns of a row's terms lie, as far as the first and the last row that it names show. Not
     * for rows that are copied.
     */
    int span(CsrRowCursor row) {
        int last = row.end() - 1;
        if (last < row.start()) {
            return 0;
        }
        int low = row.columns()[row.start()];
        int high = row.columns()[last];
        int start = offsets[low + (low >> shift)];
        int end = offsets[high + (high >> shift) + 1];
        int startOfLast = offsets[high + (high >> shift)];
        int endOfFirst = offsets[low + (low >> shift) + 1];
        return start == endOfFirst || startOfLast == end
                ? 0
                : columns[high >> shift][end - 1] - columns[low >> shift][start];
    }

    /** Returns the array that has the columns of one of the rows. */
    int[] columnsOf(int k) {
        return columns[arrays[k]];
    }

    /** Returns the array that has the values of one of the rows. */
    double[] valuesOf(int k) {
        return values[arrays[k]];
    }

    /** Collects the terms of a row. */
    void collect(CsrRowCursor row) {
        count = row.end() - row.start();
        if (factors.length < count) {
            int length = Math.max(count, 2 * factors.length);
            factors = new double[length];
            starts = new int[length];
            ends = new int[length];
            arrays = new int[length];
        }
        if (copied != null) {
            copy(row);
        }
        measure(row);
    }

    private void copy(CsrRowCursor row) {
        int size = 0;
        for (int k = 0; k < count; k++) {
            copied.moveTo(row.columns()[row.start() + k]);
            int length = copied.end() - copied.start();
            if (columns[0].length - size < length) {
                int room = Checks.arrayLength("terms of a row of a product",
                        Math.max(2L * columns[0].length, (long) size + length));
                columns[0] = Arrays.copyOf(columns[0], room);
                values[0] = Arrays.copyOf(values[0], room);
            }
            System.arraycopy(copied.columns(), copied.start(), columns[0], size, length);
            for (int l = 0; l < length; l++) {
                values[0][size + l] = copied.value(copied.start() + l);
            }
            starts[k] = size;
            size += length;
            ends[k] = size;
        }
    }

    /** Counts terms, and looks where the columns lie, which the ends of rows show. */
    private void measure(CsrRowCursor row) {
        int[] inner = row.columns();
        int first = row.start();
        int rows = count;
        int[] from = starts;
        int[] to = ends;
        int[] array = arrays;
        double[] factor = factors;
        long sum = 0;
        int least = Integer.MAX_VALUE;
        int greatest = -1;
        for (int k = 0; k < rows; k++) {
            factor[k] = row.value(first + k);
            if (copied == null) {
                int r = inner[first + k];
                int piece = r >> shift;
                array[k] = piece;
                from[k] = offsets[r + piece];
                to[k] = offsets[r + piece + 1];
            }
            int start = from[k];
            int end = to[k];
            if (start < end) {
                int[] list = columns[array[k]];
                sum += end - start;
                least = Math.min(least, list[start]);
                greatest = Math.max(greatest, list[end - 1]);
            }
        }
        terms = (int) Math.min(sum, Integer.MAX_VALUE - Long.SIZE);
        lowest = least;
        highest = greatest;
    }
}
