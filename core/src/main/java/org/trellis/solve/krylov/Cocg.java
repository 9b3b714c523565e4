package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * COCG for complex symmetric matrices, conjugate gradients with {@code xᵀ y} in place of the inner product (H. A. van
 * der Vorst and J. B. M. Melissen, IEEE Trans. Magn. 26(2), 1990). The matrix is given as its real form, of which two
 * rows are one of the complex matrix ({@link org.trellis.sparse.ComplexCsr#realForm}); coefficients are complex. The
 * preconditioner must be the real form of a complex symmetric matrix too, as block Jacobi of blocks of 2 and ILU(0)
 * are.
 *
 * <p>An iteration has one product and moves, beside it and the preconditioner, 13 vectors. Coefficients stay on the
 * device; the host fetches the scalars once an iteration.
 */
final class Cocg extends KrylovSolver {
    private static final int RHO = 0;
    private static final int SIGMA = 4;
    private static final int SQUARE = 6;
    /** Of the squares: what ρ means nothing below. */
    private static final double VANISHING = 0x1p-100;
    /** Residuals leap, since nothing is minimised. */
    private static final double LEAP = 1e5;

    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;

    Cocg(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("cocg", matrix, preconditioner, backend, 7, 2);
        prepare(this::make);
    }

    private void make() {
        Dat p = vector("p");
        Dat q = vector("A p");
        Dat z = preconditioned("z", residual);
        Scalar sigma = scalars.at(SIGMA, 2);
        begin = mesh.sequence("begin").run(mesh.loop(ComplexUpdatesLoops.CLEAR, rows, p)).build();
        for (int s = 0; s < 2; s++) {
            Scalar rho = scalars.at(RHO + 2 * s, 2);
            Scalar old = scalars.at(RHO + 2 - 2 * s, 2);
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
            precondition(steps, residual, z);
            steps.run(mesh.loop(ComplexUpdatesLoops.DOT, rows, residual, z, rho));
            steps.run(mesh.loop(ComplexUpdatesLoops.DIRECTION, rows, rho, old, z, p));
            product(steps, p, q);
            steps.run(mesh.loop(ComplexUpdatesLoops.DOT, rows, p, q, sigma));
            iterations[s] = steps.run(mesh.loop(ComplexUpdatesLoops.UPDATE, rows, rho, sigma, p, q, solution, residual,
                    scalars.at(SQUARE))).build();
        }
    }

    @Override
    double leap() {
        return LEAP;
    }

    @Override
    boolean begin(double residualNorm) {
        slot = 0;
        scalars.set(RHO + 2, 0);
        scalars.set(RHO + 3, 0);
        begin.run();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        iterations[slot].run();
        fetch();
        double rho = Math.hypot(values[RHO + 2 * slot], values[RHO + 2 * slot + 1]);
        slot = 1 - slot;
        add(history, Math.sqrt(values[SQUARE]));
        if (history.wantsTrueResidual() || !history.goesOn()) {
            return Next.ITERATION;
        }
        if (values[SIGMA] == 0 && values[SIGMA + 1] == 0) {
            return broken("p^T A p is 0");
        }
        return rho <= VANISHING * values[SQUARE] ? broken("r^T z is " + rho) : Next.ITERATION;
    }
}
