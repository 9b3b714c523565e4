package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * Richardson's iteration {@code x += ω M⁻¹ (b − A x)}: the preconditioner by itself, as with Jacobi's method. It
 * converges where all eigenvalues of {@code I − ω M⁻¹ A} are below 1.
 *
 * <p>An iteration moves, beside the product and the preconditioner, 6 vectors (reads 4, writes 2), 5 without a
 * preconditioner. The host fetches the norm once an iteration.
 */
final class Richardson extends KrylovSolver {
    private static final int OMEGA = 0;
    private static final int SQUARE = 1;

    private LoopSequence iteration;

    Richardson(LinearOperator matrix, Preconditioner preconditioner, Backend backend, double damping) {
        super("richardson(" + damping + ")", matrix, preconditioner, backend, 2);
        prepare(() -> make(damping));
    }

    private void make(double damping) {
        if (!(damping > 0) || damping == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("Richardson's iteration damped by " + damping
                    + ", expected a finite number of more than 0");
        }
        scalars.set(OMEGA, preconditioner == null ? damping / matrixScale() : damping);
        Scalar omega = scalars.at(OMEGA);
        Dat z = preconditioned("preconditioned", residual);
        Dat q = vector("product");
        LoopSequence.Builder steps = mesh.sequence("iteration");
        precondition(steps, residual, z);
        product(steps, z, q);
        iteration = steps.run(preconditioner == null
                ? mesh.loop(KrylovUpdatesLoops.RICHARDSON_PLAIN, rows, omega, q, solution, residual,
                        scalars.at(SQUARE))
                : mesh.loop(KrylovUpdatesLoops.RICHARDSON, rows, omega, z, q, solution, residual, scalars.at(SQUARE)))
                .build();
    }

    @Override
    boolean isFollowed() {
        return true;
    }

    @Override
    boolean begin(double residualNorm) {
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        iteration.run();
        fetch();
        add(history, Math.sqrt(values[SQUARE]));
        return Next.ITERATION;
    }
}
