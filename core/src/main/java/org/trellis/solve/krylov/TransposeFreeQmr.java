package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * TFQMR, the transpose-free quasi-minimal residual method, with right preconditioning (R. W. Freund, SIAM J. Sci.
 * Comput. 14(2), 1993; Saad, Iterative Methods for Sparse Linear Systems, algorithm 7.8). An iteration is two of
 * Freund's half steps, each with a product. Residuals fall smoothly, where those of BiCGStab leap. The norms recorded
 * are the bound {@code τ √(m + 1)} after m half steps, which is never below the residual's norm but for rounding, so
 * that an iteration or two more may be done than are needed.
 *
 * <p>An iteration moves, beside the two products and preconditioners, 28 vectors. Coefficients stay on the device; the
 * host fetches the scalars once an iteration.
 */
final class TransposeFreeQmr extends KrylovSolver {
    private static final int RHO = 0;
    private static final int SIGMA = 2;
    private static final int SQUARE = 3;
    private static final int FIRST = 4;
    private static final int SECOND = 7;
    /** Of ‖r̂‖ ‖w‖: what ρ means nothing below. */
    private static final double VANISHING = 0x1p-100;

    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;
    private int halfSteps;
    private double shadowNorm;

    TransposeFreeQmr(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("tfqmr", matrix, preconditioner, backend, 10);
        prepare(this::make);
    }

    private void make() {
        Dat shadow = vector("shadow");
        Dat u = vector("u");
        Dat v = vector("v");
        Dat w = vector("w");
        Dat d = vector("d");
        Dat p = vector("A u");
        Dat q = vector("A u of the second half");
        Dat uHat = preconditioned("u^", u);
        Dat state = state(3);
        Scalar sigma = scalars.at(SIGMA);
        Scalar square = scalars.at(SQUARE);
        Scalar first = scalars.at(FIRST, 3);
        Scalar second = scalars.at(SECOND, 3);
        begin = mesh.sequence("begin")
                .run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_BEGIN, rows, residual, shadow, u, v, w, d, q,
                        scalars.at(RHO)))
                .run(mesh.loop(KrylovScalarsLoops.TRANSPOSE_FREE_BEGIN, single, scalars.at(RHO), state, second))
                .build();
        for (int s = 0; s < 2; s++) {
            Scalar rho = scalars.at(RHO + s);
            Scalar other = scalars.at(RHO + 1 - s);
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_BASIS, rows, rho, other, w, u));
            precondition(steps, u, uHat);
            product(steps, uHat, p);
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_PRODUCT, rows, rho, other, p, q, shadow, v, sigma));
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_HALF, rows, rho, sigma, second, uHat, p, d, w,
                    square));
            steps.run(mesh.loop(KrylovScalarsLoops.TRANSPOSE_FREE, single, rho, sigma, square, state, first));
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_SOLUTION, rows, first, d, solution));
            steps.run(mesh.loop(KrylovUpdatesLoops.STABILISED_HALF, rows, rho, sigma, v, u));
            precondition(steps, u, uHat);
            product(steps, uHat, q);
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_HALF, rows, rho, sigma, first, uHat, q, d, w,
                    square));
            steps.run(mesh.loop(KrylovScalarsLoops.TRANSPOSE_FREE, single, rho, sigma, square, state, second));
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_SOLUTION, rows, second, d, solution));
            iterations[s] = steps.run(mesh.loop(KrylovUpdatesLoops.DOT, rows, shadow, w, other)).build();
        }
    }

    @Override
    boolean begin(double residualNorm) {
        slot = 0;
        halfSteps = 0;
        shadowNorm = residualNorm;
        scalars.set(RHO + 1, 0);
        begin.run();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        iterations[slot].run();
        fetch();
        halfSteps += 2;
        double bound = values[SECOND + 2] * Math.sqrt(halfSteps + 1.0);
        double sigma = values[SIGMA];
        double rho = values[RHO + 1 - slot];
        slot = 1 - slot;
        add(history, bound);
        if (history.wantsTrueResidual() || !history.goesOn()) {
            return Next.ITERATION;
        }
        if (sigma == 0) {
            return broken("r^ . A u is 0");
        }
        return Math.abs(rho) <= VANISHING * shadowNorm * Math.sqrt(values[SQUARE])
                ? broken("r^ . w is " + rho)
                : Next.ITERATION;
    }
}
