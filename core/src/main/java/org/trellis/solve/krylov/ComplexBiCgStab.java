package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * {@link BiCgStab} in complex arithmetic. The matrix is given as its real form, of which two rows are one of the
 * complex matrix ({@link org.trellis.sparse.ComplexCsr#realForm}), and so is the preconditioner; coefficients are
 * complex, so that it takes the iterations that it would take with complex numbers, which on the real form alone may
 * be twice as many.
 *
 * <p>An iteration moves, beside the two products and preconditioners, 21 vectors. Coefficients stay on the device; the
 * host fetches the scalars once an iteration.
 */
final class ComplexBiCgStab extends KrylovSolver {
    private static final int RHO = 0;
    private static final int SIGMA = 4;
    private static final int DOTS = 6;
    private static final int SQUARE = 9;
    /** Of ‖r̂‖ ‖r‖: what ρ means nothing below. */
    private static final double VANISHING = 0x1p-100;
    private static final double LEAP = 1e5;

    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;
    private double shadowNorm;

    ComplexBiCgStab(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("complex-bicgstab", matrix, preconditioner, backend, 10, 2);
        prepare(this::make);
    }

    private void make() {
        Dat shadow = vector("shadow");
        Dat p = vector("p");
        Dat v = vector("v");
        Dat t = vector("t");
        Dat pHat = preconditioned("p^", p);
        Dat sHat = preconditioned("s^", residual);
        Scalar sigma = scalars.at(SIGMA, 2);
        Scalar dots = scalars.at(DOTS, 3);
        begin = mesh.sequence("begin").run(mesh.loop(ComplexUpdatesLoops.STABILISED_BEGIN, rows, residual, shadow, p,
                scalars.at(RHO, 2))).build();
        for (int s = 0; s < 2; s++) {
            Scalar rho = scalars.at(RHO + 2 * s, 2);
            Scalar nextRho = scalars.at(RHO + 2 - 2 * s, 2);
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
            precondition(steps, p, pHat);
            product(steps, pHat, v);
            steps.run(mesh.loop(ComplexUpdatesLoops.INNER, rows, shadow, v, sigma));
            steps.run(mesh.loop(ComplexUpdatesLoops.STABILISED_HALF, rows, rho, sigma, v, residual));
            precondition(steps, residual, sHat);
            product(steps, sHat, t);
            steps.run(mesh.loop(ComplexUpdatesLoops.STABILISED_DOTS, rows, t, residual, dots));
            steps.run(mesh.loop(ComplexUpdatesLoops.STABILISED_SOLUTION, rows, rho, sigma, dots, pHat, sHat,
                    solution));
            steps.run(mesh.loop(ComplexUpdatesLoops.STABILISED_RESIDUAL, rows, dots, t, shadow, residual,
                    scalars.at(SQUARE), nextRho));
            iterations[s] = steps.run(mesh.loop(ComplexUpdatesLoops.STABILISED_DIRECTION, rows, rho, nextRho, sigma,
                    dots, residual, v, p)).build();
        }
    }

    @Override
    double leap() {
        return LEAP;
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
        slot = 1 - slot;
        double rho = Math.hypot(values[RHO + 2 * slot], values[RHO + 2 * slot + 1]);
        add(history, norm);
        if (history.wantsTrueResidual() || !history.goesOn()) {
            return Next.ITERATION;
        }
        if (values[SIGMA] == 0 && values[SIGMA + 1] == 0) {
            return broken("r^ . A p is 0");
        }
        if (values[DOTS] == 0 && values[DOTS + 1] == 0) {
            return broken("t . s is 0 with t . t = " + values[DOTS + 2] + ", so that omega is 0");
        }
        return rho <= VANISHING * shadowNorm * norm ? broken("r^ . r is " + rho) : Next.ITERATION;
    }
}
