package org.trellis.sparse.algebra;

import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** The Kronecker product of sparse matrices. */
public final class KroneckerProduct {
    private KroneckerProduct() {}

    /**
     * Computes {@code A ⊗ B}: every element of A times the whole of B. The Laplacian of a grid is {@code A ⊗ I + I ⊗
     * B}.
     *
     * @param a the left factor
     * @param b the right factor, of the same precision
     * @return a new matrix of {@code a.nonZeros() × b.nonZeros()} entries
     * @throws IllegalArgumentException if precisions differ or the result has 2³¹ or more rows or columns
     */
    public static CsrMatrix of(CsrMatrix a, CsrMatrix b) {
        long rows = (long) a.rows() * b.rows();
        long columns = (long) a.columns() * b.columns();
        if (a.precision() != b.precision() || Math.max(rows, columns) > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("Kronecker product of " + a + " and " + b + " is " + rows + " x "
                    + columns + ", expected equal precisions and fewer than 2^31 - 8 rows and columns");
        }
        int[] lengths = new int[(int) rows];
        for (int row = 0; row < lengths.length; row++) {
            lengths[row] = Math.multiplyExact(a.rowLength(row / b.rows()), b.rowLength(row % b.rows()));
        }
        return CsrFill.fill((int) columns, a.precision(), lengths, () -> (row, indices, values, at) -> {
            int outer = row / b.rows();
            int inner = row % b.rows();
            CsrSegment left = a.segmentOf(outer);
            CsrSegment right = b.segmentOf(inner);
            int to = at;
            for (int k = left.rowStart(outer); k < left.rowEnd(outer); k++) {
                for (int l = right.rowStart(inner); l < right.rowEnd(inner); l++) {
                    indices[to] = left.columnIndices()[k] * b.columns() + right.columnIndices()[l];
                    values.set(to++, left.values().get(k) * right.values().get(l));
                }
            }
        });
    }

    /**
     * Computes the Kronecker sum {@code I ⊗ A + B ⊗ I}: the operator of a grid whose lines have the operators A and B,
     * in SciPy's order of the factors.
     *
     * @param a a square matrix, for what is numbered first
     * @param b a square matrix of the same precision
     * @return a new matrix of {@code a.rows() × b.rows()} rows
     * @throws IllegalArgumentException if one is not square, precisions differ or the result has 2³¹ or more rows
     */
    public static CsrMatrix sum(CsrMatrix a, CsrMatrix b) {
        if (a.rows() != a.columns() || b.rows() != b.columns()) {
            throw new IllegalArgumentException("Kronecker sum of " + a + " and " + b + ", expected square matrices");
        }
        return of(CsrMatrix.identity(b.rows(), a.precision()), a)
                .plus(of(b, CsrMatrix.identity(a.rows(), b.precision())));
    }
}
