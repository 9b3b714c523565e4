package org.trellis.solve.krylov;

import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * A square matrix of one rank as plain arrays in double precision, for work of one thread: nothing is prepared, and a
 * matrix in double precision is not copied.
 *
 * @param rows    rows and columns
 * @param offsets where each row starts, and the last one ends
 * @param columns of each entry, increasing within a row
 * @param values  of each entry, from {@code first} on
 * @param first   the place of the first value
 */
record WholeMatrix(int rows, int[] offsets, int[] columns, double[] values, int first) {
    /**
     * Views a matrix; copies values of single precision.
     *
     * @param matrix a square matrix of one segment
     * @return the arrays, which are not to be written
     */
    static WholeMatrix of(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        HostVector values = segment.values();
        return values.precision() == Precision.F64
                ? new WholeMatrix(matrix.rows(), segment.rowOffsets(), segment.columnIndices(),
                        values.doubleStorage(), values.offset())
                : new WholeMatrix(matrix.rows(), segment.rowOffsets(), segment.columnIndices(),
                        values.toDoubleArray(), 0);
    }

    int nonZeros() {
        return offsets[rows];
    }

    /**
     * Says whether rows are as those of a mesh in two or three dimensions: short, alike, and with entries as far from
     * the diagonal as a mesh is wide at least. Costs a pass over the rows.
     *
     * @return false for most circuits, whose rows differ, and for narrow bands, whose factors do not fill
     */
    boolean isMesh() {
        int longest = 0;
        int width = 0;
        for (int i = 0; i < rows; i++) {
            int length = offsets[i + 1] - offsets[i];
            longest = Math.max(longest, length);
            if (length > 0) {
                width = Math.max(width, columns[offsets[i + 1] - 1] - i);
            }
        }
        return (long) longest * rows <= 2L * nonZeros() && 4.0 * width * width >= rows;
    }

    /** Computes {@code y = A x}. Costs a pass. */
    void multiply(double[] x, double[] y) {
        for (int i = 0; i < rows; i++) {
            y[i] = dot(i, x);
        }
    }

    /** Computes {@code r = b - A x}. Costs a pass; r may be b. */
    void residual(double[] b, double[] x, double[] r) {
        for (int i = 0; i < rows; i++) {
            r[i] = b[i] - dot(i, x);
        }
    }

    /** Four sums, since the additions of one would wait for each other in long rows. */
    private double dot(int row, double[] x) {
        int end = offsets[row + 1];
        int k = offsets[row];
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        for (; k + 3 < end; k += 4) {
            int e = first + k;
            a += values[e] * x[columns[k]];
            b += values[e + 1] * x[columns[k + 1]];
            c += values[e + 2] * x[columns[k + 2]];
            d += values[e + 3] * x[columns[k + 3]];
        }
        if (k + 1 < end) {
            a += values[first + k] * x[columns[k]];
            b += values[first + k + 1] * x[columns[k + 1]];
            k += 2;
        }
        return a + b + (c + d) + (k < end ? values[first + k] * x[columns[k]] : 0);
    }
}
