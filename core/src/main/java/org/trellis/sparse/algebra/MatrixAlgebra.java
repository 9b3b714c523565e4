package org.trellis.sparse.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;

/**
 * Algebra of sparse matrices in the memory of a backend. The same bits on every backend: elements are the sums of their
 * terms in the order of {@link MatrixProduct}, formed in double precision and rounded once, and there is an entry
 * wherever there is a term. Results are new matrices that the caller closes; operands must belong to the backend, and
 * nothing but sizes goes to the host.
 *
 * <p>Operations on operands of other backends, of sizes that do not fit or of different precisions throw
 * {@link IllegalArgumentException}; results of more non-zeros than one {@link org.trellis.sparse.CsrSegment} holds, or
 * of a closed operand, {@link IllegalStateException}.
 */
public interface MatrixAlgebra {
    /**
     * Brings a matrix to the backend.
     *
     * @param matrix a matrix of one segment
     * @return the same matrix there
     * @throws IllegalStateException if the matrix has several segments
     */
    @MustBeClosed
    BackendMatrix upload(CsrMatrix matrix);

    /**
     * Computes {@code A B}, as {@link MatrixProduct#multiply} does.
     *
     * @param a the left factor
     * @param b the right factor
     * @return the product
     * @throws IllegalArgumentException if sizes do not fit or precisions differ
     */
    @MustBeClosed
    BackendMatrix multiply(BackendMatrix a, BackendMatrix b);

    /**
     * Computes {@code A B} once more for other values in the same structure, as {@link MatrixProduct#again} does.
     *
     * @param structure a product of factors of the same structure; its values mean nothing. It may have further entries
     * @param a         the left factor
     * @param b         the right factor
     * @return a matrix with the entries of {@code structure}
     * @throws IllegalArgumentException if sizes do not fit, precisions differ, or a term has no entry; names its row
     */
    @MustBeClosed
    BackendMatrix multiplyAgain(BackendMatrix structure, BackendMatrix a, BackendMatrix b);

    /**
     * Computes {@code R A P} as {@code R (A P)}.
     *
     * @param r the restriction
     * @param a the matrix
     * @param p the prolongation
     * @return the coarse matrix
     * @throws IllegalArgumentException if sizes do not fit or precisions differ
     */
    @MustBeClosed
    default BackendMatrix triple(BackendMatrix r, BackendMatrix a, BackendMatrix p) {
        try (BackendMatrix right = multiply(a, p)) {
            return multiply(r, right);
        }
    }

    /**
     * Transposes.
     *
     * @param a a matrix
     * @return its transpose
     */
    @MustBeClosed
    BackendMatrix transpose(BackendMatrix a);

    /**
     * Transposes a matrix whose transpose's structure is known. Costs a search in a row for each entry, and neither
     * counting nor sorting; unless a backend does better, as much as {@link #transpose}.
     *
     * @param structure the transpose of a matrix of the same structure; its values mean nothing
     * @param a         a matrix
     * @return its transpose
     * @throws IllegalArgumentException if sizes or precisions do not fit, or an entry is looked for in vain
     */
    @MustBeClosed
    default BackendMatrix transposeAgain(BackendMatrix structure, BackendMatrix a) {
        if (structure.rows() != a.columns() || structure.columns() != a.rows()
                || structure.nonZeros() != a.nonZeros()) {
            throw new IllegalArgumentException("transpose of " + a + " in the structure of " + structure
                    + ", expected that of a transpose");
        }
        return transpose(a);
    }

    /**
     * Computes {@code alpha A + beta B}; there is an entry wherever one of them has one.
     *
     * @param alpha a factor
     * @param a     A
     * @param beta  the factor of B
     * @param b     B, of the same size and precision
     * @return the sum
     * @throws IllegalArgumentException if sizes or precisions differ
     */
    @MustBeClosed
    BackendMatrix combine(double alpha, BackendMatrix a, double beta, BackendMatrix b);

    /**
     * Makes a diagonal matrix.
     *
     * @param diagonal its elements, zeros too, in the memory of the backend; copied
     * @return the matrix
     * @throws IllegalArgumentException if the elements are elsewhere
     */
    @MustBeClosed
    BackendMatrix diagonalMatrix(DenseVector diagonal);

    /**
     * Multiplies each row by a number: {@code diag(factors) A}.
     *
     * @param a       a matrix
     * @param factors one for each row, in the precision of the matrix and the memory of the backend
     * @return a new matrix
     * @throws IllegalArgumentException if number, precision or memory space of the factors do not fit
     */
    @MustBeClosed
    BackendMatrix scaleRows(BackendMatrix a, DenseVector factors);

    /**
     * Rounds values to a precision.
     *
     * @param a         a matrix
     * @param precision the type of the new values
     * @return a new matrix
     */
    @MustBeClosed
    BackendMatrix toPrecision(BackendMatrix a, Precision precision);

    /**
     * Leaves out entries beside the diagonal whose absolute value is below a number.
     *
     * @param a     a matrix
     * @param least the least absolute value that stays; not a number leaves out all
     * @return a new matrix
     */
    @MustBeClosed
    BackendMatrix dropSmall(BackendMatrix a, double least);

    /**
     * Takes a block.
     *
     * @param a          a matrix
     * @param fromRow    first row
     * @param toRow      row after the last
     * @param fromColumn first column
     * @param toColumn   column after the last
     * @return a matrix of {@code toRow - fromRow} by {@code toColumn - fromColumn}
     * @throws IndexOutOfBoundsException if the block lies outside the matrix
     */
    @MustBeClosed
    BackendMatrix submatrix(BackendMatrix a, int fromRow, int toRow, int fromColumn, int toColumn);

    /**
     * Copies the diagonal to a vector.
     *
     * @param a        a square matrix
     * @param diagonal as many elements, in the precision of the matrix and the memory of the backend; overwritten, with
     *                 0 where there is no entry
     * @throws IllegalArgumentException if the matrix is not square, or number, precision or memory space do not fit
     */
    void diagonal(BackendMatrix a, DenseVector diagonal);

    /**
     * Says whether a matrix equals its transpose, as {@link MatrixGraphs#firstAsymmetry} finds out.
     *
     * @param a         a square matrix
     * @param tolerance how far two values may be apart, as a share of the greater absolute value; a negative number
     *                  compares patterns alone
     * @return whether it does
     * @throws IllegalArgumentException if the matrix is not square
     */
    boolean isSymmetric(BackendMatrix a, double tolerance);

    /**
     * Says whether all values are finite numbers.
     *
     * @param a a matrix
     * @return whether they are
     */
    boolean isFinite(BackendMatrix a);

    /**
     * Inverts the diagonal.
     *
     * @param a       a square matrix
     * @param factor  a factor of the inverses, which are rounded before
     * @param inverse as many elements, in the precision of the matrix and the memory of the backend; overwritten
     * @return the first row whose inverse is 0 or not finite, or −1 if all are good
     * @throws IllegalArgumentException if the matrix is not square, or number, precision or memory space do not fit
     */
    int invertDiagonal(BackendMatrix a, double factor, DenseVector inverse);

    /**
     * Inverts the sums of the absolute values of rows, with the signs of the diagonal.
     *
     * @param a       a square matrix
     * @param factor  a factor of the inverses, which are rounded before
     * @param inverse as many elements, in the precision of the matrix and the memory of the backend; overwritten
     * @return the first row whose inverse is 0 or not finite, or −1 if all are good
     * @throws IllegalArgumentException if the matrix is not square, or number, precision or memory space do not fit
     */
    int invertRowSums(BackendMatrix a, double factor, DenseVector inverse);
}
