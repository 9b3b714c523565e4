package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;

/** A multiple of another operator. */
final class ScaledOperator extends CompoundOperator {
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
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, () -> of.bind(alpha * factor, x, beta, y));
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // a transposed view owns nothing
    protected PreparedStep transposedStep(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, () -> of.transposed().bind(alpha * factor, x, beta, y));
    }

    @Override
    @MustBeClosed
    protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        return combine(new DenseVector[]{x, y, w, result},
                () -> of.bindMultiplyAndDot(alpha * factor, x, beta, y, w, result, at));
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
