package org.trellis.sparse;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * Goes through rows of a {@link CsrMatrix} and gives the plain arrays behind each. For loops over many short rows, in
 * which finding the segment of a row and asking a vector for each element would cost more than the arithmetic: moving
 * on within a segment costs two comparisons. For one thread; the matrix is not changed.
 */
public final class CsrRowCursor {
    private final CsrMatrix matrix;
    private int firstRow;
    private int endRow;
    private int[] offsets;
    private int[] columns;
    private double[] doubles;
    private float[] floats;
    private int shift;
    private int start;
    private int end;

    /**
     * Creates a cursor that stands before the first row.
     *
     * @param matrix the matrix
     */
    public CsrRowCursor(CsrMatrix matrix) {
        this.matrix = matrix;
    }

    /**
     * Goes to a row, any one.
     *
     * @param row its index
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public void moveTo(int row) {
        if (row < firstRow || row >= endRow) {
            load(matrix.segmentOf(Checks.index("row", row, matrix.rows())));
        }
        start = offsets[row - firstRow];
        end = offsets[row - firstRow + 1];
    }

    private void load(CsrSegment segment) {
        HostVector values = segment.values();
        firstRow = segment.firstRow();
        endRow = firstRow + segment.rows();
        offsets = segment.rowOffsets();
        columns = segment.columnIndices();
        doubles = values.precision() == Precision.F64 ? values.doubleStorage() : null;
        floats = doubles == null ? values.floatStorage() : null;
        shift = values.offset();
    }

    /**
     * Returns where the row starts.
     *
     * @return an index for {@link #columns()} and {@link #value(int)}
     */
    public int start() {
        return start;
    }

    /**
     * Returns where the row ends.
     *
     * @return the index after its last entry
     */
    public int end() {
        return end;
    }

    /**
     * Returns the columns of the segment that has the row.
     *
     * @return the array itself, not to be written; increasing from {@link #start()} to {@link #end()}
     */
    public int[] columns() {
        return columns;
    }

    /**
     * Returns a value.
     *
     * @param k an index from {@link #start()} to {@link #end()}, not checked against them
     * @return the value, a float made a double
     */
    public double value(int k) {
        return doubles != null ? doubles[shift + k] : floats[shift + k];
    }

    /**
     * Returns the product of the row with a vector, the terms added up in the order of the columns.
     *
     * @param x as many elements as the matrix has columns
     * @return the sum in double precision
     */
    public double dot(double[] x) {
        double sum = 0;
        if (doubles != null) {
            for (int k = start; k < end; k++) {
                sum += doubles[shift + k] * x[columns[k]];
            }
        } else {
            for (int k = start; k < end; k++) {
                sum += floats[shift + k] * x[columns[k]];
            }
        }
        return sum;
    }

    /**
     * Computes products of rows with a vector, as {@link #dot} does one.
     *
     * @param from the first row
     * @param to   the row after the last one
     * @param x    as many elements as the matrix has columns
     * @param y    gets the product of each row at the row's index
     * @throws IndexOutOfBoundsException if there is no such row
     */
    public void dots(int from, int to, double[] x, double[] y) {
        int row = from;
        while (row < to) {
            moveTo(row);
            int last = Math.min(to, endRow);
            if (doubles != null) {
                doubleDots(row, last, x, y);
            } else {
                floatDots(row, last, x, y);
            }
            row = last;
        }
    }

    private void doubleDots(int from, int to, double[] x, double[] y) {
        int[] places = offsets;
        int[] indices = columns;
        double[] values = doubles;
        int base = firstRow;
        int k = places[from - base];
        for (int row = from; row < to; row++) {
            int last = places[row - base + 1];
            double sum = 0;
            for (; k < last; k++) {
                sum += values[shift + k] * x[indices[k]];
            }
            y[row] = sum;
        }
    }

    private void floatDots(int from, int to, double[] x, double[] y) {
        int[] places = offsets;
        int[] indices = columns;
        float[] values = floats;
        int base = firstRow;
        int k = places[from - base];
        for (int row = from; row < to; row++) {
            int last = places[row - base + 1];
            double sum = 0;
            for (; k < last; k++) {
                sum += values[shift + k] * x[indices[k]];
            }
            y[row] = sum;
        }
    }

    /**
     * Adds a multiple of the row to sums by place.
     *
     * @param factor the factor
     * @param places the place of each column, or a negative number for a column that must not occur
     * @param sums   the sums
     * @return the first column without a place, at which adding stopped, or -1 if there is none
     */
    public int addTo(double factor, int[] places, double[] sums) {
        for (int k = start; k < end; k++) {
            int place = places[columns[k]];
            if (place < 0) {
                return columns[k];
            }
            sums[place] += factor * (doubles != null ? doubles[shift + k] : floats[shift + k]);
        }
        return -1;
    }

    /**
     * Adds multiples of the row to three sums by place.
     *
     * @param factors three factors
     * @param places  the place of each column, or a negative number for a column that must not occur
     * @param sums    three arrays of sums
     * @return the first column without a place, at which adding stopped, or -1 if there is none
     */
    public int addToThree(double[] factors, int[] places, double[][] sums) {
        double first = factors[0];
        double second = factors[1];
        double third = factors[2];
        double[] firstSums = sums[0];
        double[] secondSums = sums[1];
        double[] thirdSums = sums[2];
        for (int k = start; k < end; k++) {
            int place = places[columns[k]];
            if (place < 0) {
                return columns[k];
            }
            double value = doubles != null ? doubles[shift + k] : floats[shift + k];
            firstSums[place] += first * value;
            secondSums[place] += second * value;
            thirdSums[place] += third * value;
        }
        return -1;
    }

    /**
     * Says whether a row has the columns of another cursor's.
     *
     * @param other a cursor that stands at a row
     * @return whether both rows have the same columns
     */
    public boolean hasColumnsOf(CsrRowCursor other) {
        int length = end - start;
        if (length != other.end - other.start) {
            return false;
        }
        // Most rows differ in their first column, which takes less time to see than a call.
        return length == 0 || (columns[start] == other.columns[other.start]
                && Arrays.equals(columns, start, end, other.columns, other.start, other.end));
    }
}
