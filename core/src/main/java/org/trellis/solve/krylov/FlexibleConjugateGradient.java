package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * Conjugate gradients whose preconditioner may change from iteration to iteration (Y. Notay, Flexible conjugate
 * gradients, SIAM J. Sci. Comput. 22(4), 2000, FCG(1)): a new direction is made conjugate to the one before by a dot
 * product of its own, {@code p = z − (z · q) / (p · q) p}.
 *
 * <p>An iteration moves, beside the product (which sums p · q) and the preconditioner, 11 vectors: r −= αq reads 2 and
 * writes 1, r · z and q · z read 3, x += αp with the new p reads 3 and writes 2. Coefficients stay on the device; the
 * host fetches the scalars once an iteration.
 */
final class FlexibleConjugateGradient extends KrylovSolver {
    /** Of two slots each: ρ, then r · z and q · z that become the next ρ; σ and ‖r‖². */
    private static final int SIGMA = 4;
    private static final int SQUARE = 5;

    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;

    FlexibleConjugateGradient(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("fcg", matrix, preconditioner, backend, 6);
        prepare(this::make);
    }

    private void make() {
        Dat z = preconditioned("preconditioned", residual);
        Dat p = vector("direction");
        Dat q = vector("product");
        LoopSequence.Builder first = mesh.sequence("begin");
        precondition(first, residual, z);
        begin = first.run(mesh.loop(KrylovUpdatesLoops.BEGIN, rows, residual, z, p, scalars.at(0))).build();
        for (int s = 0; s < 2; s++) {
            Scalar rho = scalars.at(2 * s);
            Scalar sigma = scalars.at(SIGMA);
            Scalar dots = scalars.at(2 * (1 - s), 2);
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
            productAndDot(steps, p, q, p, SIGMA);
            steps.run(mesh.loop(KrylovUpdatesLoops.FLEXIBLE_RESIDUAL, rows, rho, sigma, q, residual,
                    scalars.at(SQUARE)));
            precondition(steps, residual, z);
            steps.run(mesh.loop(KrylovUpdatesLoops.FLEXIBLE_DOTS, rows, residual, q, z, dots));
            steps.run(mesh.loop(KrylovUpdatesLoops.FLEXIBLE_DIRECTION, rows, rho, sigma, dots, z, p, solution));
            iterations[s] = steps.build();
        }
    }

    @Override
    boolean isFollowed() {
        return true;
    }

    @Override
    boolean begin(double residualNorm) {
        slot = 0;
        begin.run();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        iterations[slot].run();
        fetch();
        double rho = values[2 * slot];
        double sigma = values[SIGMA];
        slot = 1 - slot;
        if (!(rho > 0)) {
            history.breakDown("r^T M^-1 r is " + rho + ": the preconditioner is not positive definite");
        } else if (!(sigma > 0)) {
            history.breakDown("p^T A p is " + sigma + ": the matrix is not positive definite");
        } else {
            add(history, Math.sqrt(values[SQUARE]));
        }
        return Next.ITERATION;
    }
}
