package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;

/** Another operator transposed; owns nothing. */
final class TransposedOperator extends CompoundOperator {
    private final CheckedOperator of;

    TransposedOperator(CheckedOperator of) {
        this.of = of;
    }

    @Override
    public VectorSpace domain() {
        return of.range();
    }

    @Override
    public VectorSpace range() {
        return of.domain();
    }

    @Override
    protected ElementKernels elements() {
        return of.elements();
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        of.requireOpen("y = A^T x");
        of.runTransposed(alpha, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        of.requireOpen("y = A x");
        of.run(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, () -> of.transposedStep(alpha, x, beta, y));
    }

    @Override
    @MustBeClosed
    protected PreparedStep transposedStep(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, () -> of.step(alpha, x, beta, y));
    }

    @Override
    public LinearOperator transposed() {
        return of;
    }

    @Override
    public Optional<HostVector> diagonal() {
        return of.diagonal();
    }

    @Override
    public String toString() {
        return "transpose of the " + of;
    }
}
