package org.trellis.convert.smile;

import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import smile.math.matrix.SparseMatrix;

/**
 * Between {@link CsrMatrix} and Smile's sparse matrix, which has compressed columns and keeps its arrays to itself.
 */
public final class SmileConverter {
    private SmileConverter() {}

    /**
     * Copies a matrix to Smile. Costs a transposition.
     *
     * @param matrix a matrix of fewer than 2³¹ non-zeros, in either precision
     * @return a new matrix
     * @throws IllegalStateException if it has more
     */
    public static SparseMatrix toSmile(CsrMatrix matrix) {
        return viewTransposed(matrix.toPrecision(Precision.F64).transpose());
    }

    /**
     * Views the transpose of a matrix as a Smile matrix. Costs nothing; code that writes through the view changes the
     * matrix, which Trellis takes to be immutable.
     *
     * @param matrix a matrix of doubles, of fewer than 2³¹ non-zeros
     * @return its transpose, which shares its arrays
     * @throws IllegalStateException if it has more or holds floats
     */
    public static SparseMatrix viewTransposed(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        return new SparseMatrix(matrix.columns(), matrix.rows(), segment.values().doubles(), segment.columnIndices(),
                segment.rowOffsets());
    }

    /**
     * Copies a matrix from Smile. Costs two passes over its entries and a sort by rows.
     *
     * @param matrix a matrix of fewer than 2³¹ entries
     * @return a new matrix of doubles
     * @throws ArithmeticException if it has more
     */
    public static CsrMatrix fromSmile(SparseMatrix matrix) {
        int[] count = new int[1];
        matrix.forEachNonZero((i, j, value) -> count[0] = Math.addExact(count[0], 1));
        int entries = count[0];
        count[0] = 0;
        int[] rows = new int[entries];
        int[] columns = new int[entries];
        double[] values = new double[entries];
        matrix.forEachNonZero((i, j, value) -> {
            rows[count[0]] = i;
            columns[count[0]] = j;
            values[count[0]++] = value;
        });
        return CooMatrix.of(matrix.nrows(), matrix.ncols(), rows, columns, HostVector.of(values)).toCsr();
    }
}
