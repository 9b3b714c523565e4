package org.trellis.convert.smile;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import smile.math.blas.Transpose;
import smile.math.matrix.DMatrix;

/**
 * A matrix of Trellis where Smile takes any matrix: its biconjugate gradients, power iteration, PageRank, Lanczos and
 * ARPACK. Products run on the CPU backend that {@link CsrMatrix#multiply(HostVector)} shares.
 */
public final class SmileOperator extends DMatrix {
    private static final long serialVersionUID = 1;

    private final transient CsrMatrix matrix;
    private transient CsrMatrix transpose;

    /**
     * Shows a matrix.
     *
     * @param matrix a matrix of doubles
     * @throws IllegalArgumentException if it holds floats
     */
    public SmileOperator(CsrMatrix matrix) {
        if (matrix.precision() != Precision.F64) {
            throw new IllegalArgumentException("operator of " + matrix + ", expected a matrix of doubles");
        }
        this.matrix = matrix;
    }

    @Override
    public int nrows() {
        return matrix.rows();
    }

    @Override
    public int ncols() {
        return matrix.columns();
    }

    @Override
    public long size() {
        return matrix.nonZeros();
    }

    @Override
    public double get(int row, int column) {
        return matrix.get(row, column);
    }

    /**
     * Refuses: matrices of Trellis do not change.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public DMatrix set(int row, int column, double value) {
        throw new UnsupportedOperationException("element (" + row + ", " + column + ") of " + matrix
                + " is set, expected no change: matrices of Trellis are immutable");
    }

    /**
     * Computes {@code y = α A x + β y}, or with the transpose. The first transposed product transposes the matrix.
     *
     * @param trans whether the matrix is transposed
     * @param alpha α
     * @param x     the operand
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     the result
     * @throws IllegalArgumentException if a length does not fit
     */
    @Override
    public void mv(Transpose trans, double alpha, double[] x, double beta, double[] y) {
        double[] product = of(trans).multiply(x);
        Checks.length("length of y", y.length, product.length);
        for (int i = 0; i < product.length; i++) {
            y[i] = beta == 0 ? alpha * product[i] : alpha * product[i] + beta * y[i];
        }
    }

    private CsrMatrix of(Transpose trans) {
        if (trans == Transpose.NO_TRANSPOSE) {
            return matrix;
        }
        if (transpose == null) {
            transpose = matrix.transpose();
        }
        return transpose;
    }

    /**
     * Multiplies a part of an array and puts the product into another part of it.
     *
     * @param work the array
     * @param inputOffset where the operand begins
     * @param outputOffset where the result goes
     */
    @Override
    public void mv(double[] work, int inputOffset, int outputOffset) {
        multiply(matrix, work, inputOffset, outputOffset);
    }

    /**
     * Multiplies a part of an array by the transpose and puts the product into another part of it.
     *
     * @param work the array
     * @param inputOffset where the operand begins
     * @param outputOffset where the result goes
     */
    @Override
    public void tv(double[] work, int inputOffset, int outputOffset) {
        multiply(of(Transpose.TRANSPOSE), work, inputOffset, outputOffset);
    }

    private static void multiply(CsrMatrix factor, double[] work, int from, int to) {
        HostVector product = factor.multiply(HostVector.of(work).part(from, factor.columns()));
        System.arraycopy(product.doubles(), 0, work, to, factor.rows());
    }
}
