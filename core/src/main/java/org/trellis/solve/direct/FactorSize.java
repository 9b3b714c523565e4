package org.trellis.solve.direct;

import org.trellis.sparse.CsrMatrix;

/**
 * What a factorisation will take, found from the structure of a matrix before any number is computed. Costs the order
 * of elimination and a few passes over the entries of the matrix, however large the factors are.
 *
 * @param nonZeros   entries of all factors
 * @param operations multiplications and additions together
 * @param bytes      the most memory that exists at a time, beside the matrix
 */
public record FactorSize(long nonZeros, double operations, long bytes) {
    /** A value and the row that it is in. */
    private static final int BYTES_OF_LU_ENTRY = Double.BYTES + Integer.BYTES;

    /**
     * Predicts a Cholesky factorisation. Exact: nothing is left to the values of a positive definite matrix.
     *
     * @param matrix a square matrix; its structure is taken with that of its transpose
     * @param order  the order of elimination
     * @return what {@link SparseCholesky#of(CsrMatrix, FillReduction)} will take
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static FactorSize ofCholesky(CsrMatrix matrix, FillReduction order) {
        SymbolicCholesky symbolic = symbolic(matrix, order);
        return new FactorSize(symbolic.nonZeros(), symbolic.operations(), Double.BYTES * symbolic.peakEntries());
    }

    /**
     * Predicts an LU factorisation as if all pivots were on the diagonal, by the Cholesky factor of the structure of A
     * + Aᵀ. Other pivots make other entries, and most often more.
     *
     * @param matrix a square matrix
     * @param order  the order of its columns
     * @return about what {@link SparseLu#of(CsrMatrix, LuOptions)} will take
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static FactorSize ofLu(CsrMatrix matrix, FillReduction order) {
        SymbolicCholesky symbolic = symbolic(matrix, order);
        long entries = 2 * symbolic.columnEntries() - matrix.rows();
        return new FactorSize(entries, 2 * symbolic.operations(), BYTES_OF_LU_ENTRY * entries);
    }

    private static SymbolicCholesky symbolic(CsrMatrix matrix, FillReduction order) {
        int[] elimination = order.eliminate(FillReduction.graph(matrix));
        return SymbolicCholesky.sized(matrix.combine(1, matrix.transpose(), 1), elimination);
    }
}
