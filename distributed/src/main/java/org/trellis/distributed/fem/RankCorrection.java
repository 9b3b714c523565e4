package org.trellis.distributed.fem;

import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/** A preconditioner that improves iterates: by its correction for the residual. */
final class RankCorrection extends CheckedOperator implements Smoother {
    private final LinearOperator operator;
    private final Preconditioner preconditioner;
    private final Backend backend;
    private DenseVector residual;
    private DenseVector correction;

    /** Closes the preconditioner with this, but not the operator. */
    RankCorrection(LinearOperator operator, Preconditioner preconditioner, Backend backend) {
        this.operator = operator;
        this.preconditioner = preconditioner;
        this.backend = backend;
    }

    @Override
    public VectorSpace domain() {
        return preconditioner.domain();
    }

    @Override
    public VectorSpace range() {
        return preconditioner.range();
    }

    @Override
    protected ElementKernels elements() {
        return backend.kernels(ElementKernels.class);
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        preconditioner.apply(alpha, x, beta, y);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void sweep(DenseVector b, DenseVector x, SweepDirection direction) {
        if (residual == null) {
            residual = backend.vector(precision(), rows());
            correction = backend.vector(precision(), rows());
        }
        elements().update(1, null, b, 0, residual);
        operator.apply(-1, x, 1, residual);
        preconditioner.apply(residual, correction);
        elements().update(1, null, correction, 1, x);
    }

    @Override
    public List<PreparedStep> bindSweep(DenseVector b, DenseVector x, SweepDirection direction) {
        return List.of(() -> sweep(b, x, direction));
    }

    @Override
    public long storedBytes() {
        return 0;
    }

    @Override
    public boolean symmetric() {
        return preconditioner.symmetric();
    }

    @Override
    public boolean variable() {
        return preconditioner.variable();
    }

    @Override
    public String describe() {
        return preconditioner.toString();
    }

    @Override
    protected void release() {
        preconditioner.close();
        if (residual != null) {
            residual.close();
            correction.close();
        }
    }

    @Override
    public String toString() {
        return describe();
    }
}
