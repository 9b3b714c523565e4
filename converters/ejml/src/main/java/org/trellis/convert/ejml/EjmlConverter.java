package org.trellis.convert.ejml;

import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.data.FMatrixSparseCSC;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CscView;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Between {@link CsrMatrix} and EJML's sparse matrices, which have compressed columns. A matrix in one is, with the
 * same arrays, its transpose in the other: the methods that view share arrays, and code that writes through the view
 * changes the other side, which Trellis takes to be immutable; the others copy by transposing once.
 */
public final class EjmlConverter {
    private EjmlConverter() {}

    /**
     * Copies a matrix to EJML.
     *
     * @param matrix a matrix of fewer than 2³¹ non-zeros, in either precision
     * @return a new matrix of doubles
     * @throws IllegalStateException if it has more
     */
    public static DMatrixSparseCSC toEjml(CsrMatrix matrix) {
        return viewTransposed(matrix.toPrecision(Precision.F64).transpose());
    }

    /**
     * Copies a matrix to EJML.
     *
     * @param matrix a matrix of fewer than 2³¹ non-zeros, in either precision; doubles are rounded to nearest
     * @return a new matrix of floats
     * @throws IllegalStateException if it has more
     */
    public static FMatrixSparseCSC toEjmlFloat(CsrMatrix matrix) {
        CsrSegment transpose = matrix.toPrecision(Precision.F32).transpose().onlySegment();
        FMatrixSparseCSC result = new FMatrixSparseCSC(matrix.rows(), matrix.columns(), 0);
        result.col_idx = transpose.rowOffsets();
        result.nz_rows = transpose.columnIndices();
        result.nz_values = transpose.values().floats();
        result.nz_length = transpose.nonZeros();
        result.indicesSorted = true;
        return result;
    }

    /**
     * Views the transpose of a matrix as an EJML matrix. Costs nothing.
     *
     * @param matrix a matrix of doubles, of fewer than 2³¹ non-zeros
     * @return its transpose, which shares its arrays
     * @throws IllegalStateException if it has more or holds floats
     */
    public static DMatrixSparseCSC viewTransposed(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        DMatrixSparseCSC result = new DMatrixSparseCSC(matrix.columns(), matrix.rows(), 0);
        result.nz_values = segment.values().doubles();
        result.col_idx = segment.rowOffsets();
        result.nz_rows = segment.columnIndices();
        result.nz_length = segment.nonZeros();
        result.indicesSorted = true;
        return result;
    }

    /**
     * Copies a matrix from EJML.
     *
     * @param matrix a matrix of doubles, its columns sorted or not
     * @return a new matrix
     * @throws IllegalArgumentException if a row occurs twice in a column
     */
    public static CsrMatrix fromEjml(DMatrixSparseCSC matrix) {
        return view(matrix).toCsr();
    }

    /**
     * Copies a matrix from EJML.
     *
     * @param matrix a matrix of floats, its columns sorted or not
     * @return a new matrix
     * @throws IllegalArgumentException if a row occurs twice in a column
     */
    public static CsrMatrix fromEjml(FMatrixSparseCSC matrix) {
        FMatrixSparseCSC sorted = matrix;
        if (!matrix.indicesSorted) {
            sorted = matrix.copy();
            sorted.sortIndices(null);
        }
        return CsrMatrix.of(matrix.numCols, matrix.numRows, sorted.col_idx, sorted.nz_rows, sorted.nz_values)
                .transpose();
    }

    /**
     * Views an EJML matrix. Costs a check of its arrays; a copy and sorting if its columns are not sorted.
     *
     * @param matrix a matrix of doubles
     * @return a view that shares the arrays if they are sorted
     * @throws IllegalArgumentException if a row occurs twice in a column
     */
    public static CscView view(DMatrixSparseCSC matrix) {
        DMatrixSparseCSC sorted = matrix;
        if (!matrix.indicesSorted) {
            sorted = matrix.copy();
            sorted.sortIndices(null);
        }
        return CscView.ofTranspose(CsrMatrix.of(matrix.numCols, matrix.numRows, sorted.col_idx, sorted.nz_rows,
                sorted.nz_values));
    }

    /**
     * Views a vector as a matrix of one column. Costs nothing.
     *
     * @param vector a vector of doubles
     * @return a matrix that shares its array
     * @throws IllegalStateException if it holds floats
     */
    public static DMatrixRMaj viewColumn(HostVector vector) {
        return DMatrixRMaj.wrap(vector.length(), 1, vector.doubles());
    }
}
