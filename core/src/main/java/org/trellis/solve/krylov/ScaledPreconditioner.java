package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/** A preconditioner that is multiplied by a power of two, as the inverse of the matrix that it is for. */
final class ScaledPreconditioner extends CheckedOperator implements Preconditioner {
    private final Preconditioner of;
    private final double factor;
    private final Backend backend;
    private DenseVector diagonal;

    /** Scales a preconditioner, which is not closed with this. */
    ScaledPreconditioner(Preconditioner of, double factor, Backend backend) {
        this.of = of;
        this.factor = factor;
        this.backend = backend;
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
        return backend.kernels(ElementKernels.class);
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        of.apply(alpha * factor, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        of.applyTransposed(alpha * factor, x, beta, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, () -> of.bind(alpha * factor, x, beta, y));
    }

    /** The diagonal, scaled, since solvers multiply by it themselves. */
    @Override
    @SuppressWarnings("MustBeClosed") // released with this
    public Optional<DenseVector> inverseDiagonal() {
        if (diagonal == null && of.inverseDiagonal().isPresent()) {
            DenseVector inverse = of.inverseDiagonal().orElseThrow();
            diagonal = backend.vector(inverse.precision(), inverse.length());
            elements().update(factor, null, inverse, 0, diagonal);
        }
        return Optional.ofNullable(diagonal);
    }

    @Override
    public boolean isMultipleOfIdentity() {
        return of.isMultipleOfIdentity();
    }

    @Override
    public boolean symmetric() {
        return of.symmetric();
    }

    @Override
    public boolean variable() {
        return of.variable();
    }

    @Override
    protected void release() {
        if (diagonal != null) {
            diagonal.close();
        }
    }

    @Override
    public String toString() {
        return of.toString();
    }
}
