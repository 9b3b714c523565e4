package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * BiCGStab with right preconditioning (H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13(2), 1992; Saad, Iterative
 * Methods for Sparse Linear Systems, algorithm 7.7). An iteration has two products. Where a divisor vanishes, the
 * method begins anew from the true residual with another shadow residual. Its residual leaps: what counts as divergence
 * is 10⁵ times what the criteria say.
 *
 * <p>An iteration moves, beside the two products (the first sums r̂ · v) and preconditioners, 17 vectors: the half step
 * reads 2 and writes 1, the dot products read 2, the full step reads 6 (5 without a preconditioner) and writes 2, the
 * direction reads 3 and writes 1. Coefficients stay on the device; the host fetches the scalars once an iteration.
 */
final class BiCgStab extends KrylovSolver {
    private static final int RHO = 0;
    private static final int SIGMA = 2;
    private static final int DOTS = 3;
    private static final int SQUARE = 5;
    /** Of ‖r̂‖ ‖r‖: what ρ means nothing below. */
    private static final double VANISHING = 0x1p-100;
    private static final double LEAP = 1e5;

    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;
    private double shadowNorm;

    BiCgStab(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("bicgstab", matrix, preconditioner, backend, 6);
        prepare(this::make);
    }

    private void make() {
        Dat shadow = vector("shadow");
        Dat p = vector("p");
        Dat v = vector("v");
        Dat t = vector("t");
        Dat pHat = preconditioned("p^", p);
        Dat sHat = preconditioned("s^", residual);
        begin = mesh.sequence("begin").run(mesh.loop(KrylovUpdatesLoops.STABILISED_BEGIN, rows, residual, shadow, p,
                scalars.at(RHO))).build();
        Scalar sigma = scalars.at(SIGMA);
        Scalar dots = scalars.at(DOTS, 2);
        for (int s = 0; s < 2; s++) {
            Scalar rho = scalars.at(RHO + s);
            Scalar nextRho = scalars.at(RHO + 1 - s);
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
            precondition(steps, p, pHat);
            productAndDot(steps, pHat, v, shadow, SIGMA);
            steps.run(mesh.loop(KrylovUpdatesLoops.STABILISED_HALF, rows, rho, sigma, v, residual));
            precondition(steps, residual, sHat);
            product(steps, sHat, t);
            steps.run(mesh.loop(KrylovUpdatesLoops.STABILISED_DOTS, rows, t, residual, dots));
            steps.run(preconditioner == null
                    ? mesh.loop(KrylovUpdatesLoops.STABILISED_FULL_PLAIN, rows, rho, sigma, dots, p, t, shadow,
                            solution, residual, scalars.at(SQUARE), nextRho)
                    : mesh.loop(KrylovUpdatesLoops.STABILISED_FULL, rows, rho, sigma, dots, pHat, sHat, t, shadow,
                            solution, residual, scalars.at(SQUARE), nextRho));
            steps.run(mesh.loop(KrylovUpdatesLoops.STABILISED_DIRECTION, rows, rho, nextRho, sigma, dots, residual, v,
                    p));
            iterations[s] = steps.build();
        }
    }

    /** Residuals may leap by orders of magnitude and come down again; what that spoils, the true residual shows. */
    @Override
    double leap() {
        return LEAP;
    }

    @Override
    boolean isFollowed() {
        return true;
    }

    @Override
    boolean begin(double residualNorm) {
        slot = 0;
        shadowNorm = residualNorm;
        begin.run();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        iterations[slot].run();
        fetch();
        double norm = Math.sqrt(values[SQUARE]);
        double sigma = values[SIGMA];
        double rho = values[RHO + 1 - slot];
        slot = 1 - slot;
        add(history, norm);
        if (history.wantsTrueResidual() || !history.goesOn()) {
            return Next.ITERATION;
        }
        if (sigma == 0) {
            return broken("r^ . A p is 0");
        }
        if (values[DOTS + 1] == 0 || values[DOTS] == 0) {
            return broken("t . s is " + values[DOTS] + " with t . t = " + values[DOTS + 1] + ", so that omega is 0");
        }
        return Math.abs(rho) <= VANISHING * shadowNorm * norm ? broken("r^ . r is " + rho) : Next.ITERATION;
    }
}
