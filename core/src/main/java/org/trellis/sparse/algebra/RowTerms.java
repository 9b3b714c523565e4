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
 * doubles once where they are not; of several segments, rows are copied one behind the other. For one thread.
 */
final class RowTerms {
    private final CsrRowCursor right;
    private final boolean copied;
    private final int[] offsets;
    /** The columns and values of the rows. */
    int[] columns;
    double[] values;
    /** How many rows there are; their factors, and where each starts and ends. */
    int count;
    double[] factors = new double[16];
    int[] starts = new int[16];
    int[] ends = new int[16];
    /** The number of terms, counted up to the largest int less one word, and the columns between which they lie. */
    int terms;
    int lowest;
    int highest;

    /**
     * Prepares a product.
     *
     * @param b      the right factor
     * @param values its {@link #doubles}
     */
    RowTerms(CsrMatrix b, double[] values) {
        CsrSegment first = b.segments().getFirst();
        this.right = new CsrRowCursor(b);
        this.copied = b.segments().size() > 1;
        this.offsets = first.rowOffsets();
        this.columns = copied ? new int[64] : first.columnIndices();
        this.values = copied ? new double[64] : values;
    }

    /**
     * Returns the values of a matrix of one segment as doubles, for all threads of a product.
     *
     * @param b the matrix
     * @return the values of its only segment, the array itself if it has such a one; nothing if there are several
     */
    static double[] doubles(CsrMatrix b) {
        if (b.segments().size() > 1) {
            return new double[0];
        }
        HostVector values = b.onlySegment().values();
        return b.precision() == Precision.F64 && values.offset() == 0 ? values.doubleStorage() : values.toDoubleArray();
    }

    /** Collects the terms of a row. */
    void collect(CsrRowCursor row) {
        count = row.end() - row.start();
        if (factors.length < count) {
            int length = Math.max(count, 2 * factors.length);
            factors = new double[length];
            starts = new int[length];
            ends = new int[length];
        }
        if (copied) {
            copy(row);
        }
        measure(row);
    }

    private void copy(CsrRowCursor row) {
        int size = 0;
        for (int k = 0; k < count; k++) {
            right.moveTo(row.columns()[row.start() + k]);
            int length = right.end() - right.start();
            if (columns.length - size < length) {
                int room = Checks.arrayLength("terms of a row of a product",
                        Math.max(2L * columns.length, (long) size + length));
                columns = Arrays.copyOf(columns, room);
                values = Arrays.copyOf(values, room);
            }
            System.arraycopy(right.columns(), right.start(), columns, size, length);
            for (int l = 0; l < length; l++) {
                values[size + l] = right.value(right.start() + l);
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
        double[] factor = factors;
        int[] list = columns;
        long sum = 0;
        int least = Integer.MAX_VALUE;
        int greatest = -1;
        for (int k = 0; k < rows; k++) {
            factor[k] = row.value(first + k);
            if (!copied) {
                int r = inner[first + k];
                from[k] = offsets[r];
                to[k] = offsets[r + 1];
            }
            int start = from[k];
            int end = to[k];
            if (start < end) {
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
