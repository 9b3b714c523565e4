package org.trellis.convert.hipparchus;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.hipparchus.exception.LocalizedCoreFormats;
import org.hipparchus.exception.MathIllegalArgumentException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealLinearOperator;
import org.hipparchus.linear.RealVector;
import org.trellis.solve.krylov.ArrayOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** An operator of Trellis where Hipparchus takes one: a matrix, or a preconditioner such as multigrid. */
public final class HipparchusOperator implements RealLinearOperator {
    private final int rows;
    private final int columns;
    private final UnaryOperator<double[]> product;
    private final Supplier<UnaryOperator<double[]>> transposed;

    private HipparchusOperator(int rows, int columns, UnaryOperator<double[]> product,
            Supplier<UnaryOperator<double[]>> transposed) {
        this.rows = rows;
        this.columns = columns;
        this.product = product;
        this.transposed = transposed;
    }

    /**
     * Shows a matrix. Its products run on the CPU backend that {@link CsrMatrix#multiply(double[])} shares.
     *
     * @param matrix a matrix in either precision; one of floats rounds operands
     * @return the operator, which can be applied transposed: the first such product transposes the matrix
     */
    public static HipparchusOperator of(CsrMatrix matrix) {
        return new HipparchusOperator(matrix.rows(), matrix.columns(), matrix::multiply, new Supplier<>() {
            private CsrMatrix transpose;

            @Override
            public UnaryOperator<double[]> get() {
                transpose = transpose == null ? matrix.transpose() : transpose;
                return transpose::multiply;
            }
        });
    }

    /**
     * Shows an operator, such as a preconditioner.
     *
     * @param operator an operator of doubles on the host; not closed
     * @return the operator, of use as long as that one is open
     */
    public static HipparchusOperator of(LinearOperator operator) {
        return new HipparchusOperator(operator.rows(), operator.columns(), x -> ArrayOperator.multiply(operator, x),
                null);
    }

    @Override
    public int getRowDimension() {
        return rows;
    }

    @Override
    public int getColumnDimension() {
        return columns;
    }

    @Override
    public RealVector operate(RealVector x) {
        return new ArrayRealVector(product.apply(checked(x, columns)), false);
    }

    @Override
    public RealVector operateTranspose(RealVector x) {
        if (transposed == null) {
            throw new UnsupportedOperationException("an operator of Trellis is applied transposed, expected one of a "
                    + "matrix, for which isTransposable() is true");
        }
        return new ArrayRealVector(transposed.get().apply(checked(x, rows)), false);
    }

    private static double[] checked(RealVector x, int length) {
        if (x.getDimension() != length) {
            throw new MathIllegalArgumentException(LocalizedCoreFormats.DIMENSIONS_MISMATCH, x.getDimension(), length);
        }
        return x.toArray();
    }

    @Override
    public boolean isTransposable() {
        return transposed != null;
    }
}
