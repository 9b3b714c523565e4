package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/**
 * An operator or preconditioner of another library, which works on arrays of doubles, for solvers of Trellis on the
 * host. A product costs a copy of operand and result more than the function.
 */
public final class ArrayOperator extends CheckedOperator implements Preconditioner {
    private final VectorSpace domain;
    private final VectorSpace range;
    private final ElementKernels elements;
    private final Product function;
    private final Product adjoint;
    private final boolean symmetric;
    private final double[] right;
    private final double[] left;

    /** A product of arrays. */
    @FunctionalInterface
    public interface Product {
        /**
         * Computes {@code y = A x}.
         *
         * @param x the operand
         * @param y the result, overwritten; another array
         */
        void apply(double[] x, double[] y);
    }

    /**
     * Makes an operator.
     *
     * @param rows      the length of results
     * @param columns   the length of operands
     * @param function  computes {@code y = A x}
     * @param adjoint   computes {@code y = Aᵀ x}; null if it is not known
     * @param symmetric whether the operator is symmetric, as some methods need a preconditioner to be
     * @param backend   of the solver; one whose vectors are on the host
     * @throws IllegalArgumentException if a length is negative, or the backend's vectors are elsewhere
     */
    public ArrayOperator(int rows, int columns, Product function, Product adjoint, boolean symmetric,
            Backend backend) {
        MemorySpace space = backend.device().space();
        if (!space.equals(MemorySpace.HOST)) {
            throw new IllegalArgumentException("operator on arrays for backend " + backend.name()
                    + ", whose vectors are in " + space + ", expected a backend on the host");
        }
        this.domain = VectorSpace.of(Checks.notNegative("columns", columns), Precision.F64, space);
        this.range = VectorSpace.of(Checks.notNegative("rows", rows), Precision.F64, space);
        this.elements = backend.kernels(ElementKernels.class);
        this.function = function;
        this.adjoint = adjoint;
        this.symmetric = symmetric;
        this.right = new double[columns];
        this.left = new double[rows];
    }

    /**
     * Applies an operator of Trellis to an array.
     *
     * @param operator an operator of doubles on the host
     * @param x        the operand
     * @return a new array
     * @throws IllegalArgumentException if the length does not fit, or the operator has floats or another memory
     */
    public static double[] multiply(LinearOperator operator, double[] x) {
        HostVector y = HostVector.zeros(Precision.F64, operator.rows());
        operator.apply(HostVector.of(x), y);
        return y.doubles();
    }

    @Override
    public VectorSpace domain() {
        return domain;
    }

    @Override
    public VectorSpace range() {
        return range;
    }

    @Override
    public boolean symmetric() {
        return symmetric;
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        run(function, right, left, alpha, (HostVector) x, beta, (HostVector) y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (adjoint == null) {
            super.runTransposed(alpha, x, beta, y);
        } else {
            run(adjoint, left, right, alpha, (HostVector) x, beta, (HostVector) y);
        }
    }

    private static void run(Product product, double[] in, double[] out, double alpha, HostVector x, double beta,
            HostVector y) {
        System.arraycopy(x.doubleStorage(), x.offset(), in, 0, in.length);
        product.apply(in, out);
        double[] target = y.doubleStorage();
        int at = y.offset();
        for (int i = 0; i < out.length; i++) {
            target[at + i] = beta == 0 ? alpha * out[i] : alpha * out[i] + beta * target[at + i];
        }
    }

    @Override
    public String toString() {
        return "operator on arrays, " + rows() + " x " + columns();
    }
}
