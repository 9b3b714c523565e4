package org.trellis.sparse;

import java.util.Objects;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;

/** An operator that a function computes. */
final class FunctionOperator extends CheckedOperator {
    private final VectorSpace domain;
    private final VectorSpace range;
    private final LinearOperator.LinearFunction function;
    private final LinearOperator.LinearFunction adjoint;
    private final ElementKernels elements;

    /** Without element kernels, those of the host are used on the host and fused products refused elsewhere. */
    FunctionOperator(VectorSpace domain, VectorSpace range, LinearOperator.LinearFunction function,
            LinearOperator.LinearFunction adjoint, ElementKernels elements) {
        this.domain = Objects.requireNonNull(domain);
        this.range = Objects.requireNonNull(range);
        this.function = Objects.requireNonNull(function);
        this.adjoint = adjoint;
        this.elements = elements;
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
    protected ElementKernels elements() {
        if (elements != null) {
            return elements;
        }
        if (space().equals(MemorySpace.HOST)) {
            return HostElements.PLAIN;
        }
        throw new UnsupportedOperationException(this + " knows no backend, expected one made by Operators.on(backend)"
                + " for products with a dot product, residuals and Jacobi steps");
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        function.apply(alpha, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (adjoint == null) {
            super.runTransposed(alpha, x, beta, y);
        } else {
            adjoint.apply(alpha, x, beta, y);
        }
    }

    @Override
    public String toString() {
        return "function of " + columns() + " elements with values of " + rows() + " " + precision().label();
    }
}
