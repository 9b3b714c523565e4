package org.trellis.sparse;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;

/** A multiple of another operator. */
final class ScaledOperator extends CheckedOperator {
    private final double factor;
    private final LinearOperator of;
    private final ElementKernels elements;

    ScaledOperator(double factor, LinearOperator of, ElementKernels elements) {
        this.factor = factor;
        this.of = of;
        this.elements = elements;
    }

    @Override
    public VectorSpace domain() {
        return of.domain();
    }

    @Override
    public VectorSpace range() {
        return of.range();
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        of.apply(alpha * factor, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        of.applyTransposed(alpha * factor, x, beta, y);
    }

    /** Keeps the fusion of the operator that is scaled. */
    @Override
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        of.multiplyAndDot(alpha * factor, x, beta, y, w, result, at);
    }

    @Override
    public Optional<HostVector> diagonal() {
        return of.diagonal().map(d -> HostVector.of(d.precision(), d.length(), i -> factor * d.get(i)));
    }

    @Override
    public String toString() {
        return factor + " times the " + of;
    }
}
