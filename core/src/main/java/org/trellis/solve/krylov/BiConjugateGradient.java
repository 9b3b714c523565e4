package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * BiCG (R. Fletcher, 1976; Saad, Iterative Methods for Sparse Linear Systems, algorithm 7.3): conjugate gradients for
 * the matrix and its transpose at once. Here for comparisons and because its coefficients are those of the unsymmetric
 * Lanczos process; BiCGStab, which came of it, needs no transpose. A preconditioner must be symmetric, since it serves
 * both systems.
 *
 * <p>An iteration has a product and a transposed one, and moves, beside them and two applications of the
 * preconditioner, 16 vectors. Coefficients stay on the device; the host fetches the scalars once an iteration.
 */
final class BiConjugateGradient extends KrylovSolver {
    private static final int RHO = 0;
    private static final int SIGMA = 2;
    private static final int SQUARE = 3;
    /** Of ‖r̂‖ ‖r‖: what ρ means nothing below. */
    private static final double VANISHING = 0x1p-100;
    /** Residuals leap as those of BiCGStab do. */
    private static final double LEAP = 1e5;

    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;
    private double shadowNorm;

    BiConjugateGradient(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("bicg", matrix, preconditioner, backend, 4);
        prepare(this::make);
    }

    private void make() {
        Dat shadow = vector("shadow");
        Dat p = vector("p");
        Dat shadowP = vector("shadow p");
        Dat q = vector("A p");
        Dat shadowQ = vector("A^T p");
        Dat z = preconditioned("z", residual);
        Dat shadowZ = preconditioned("shadow z", shadow);
        LinearOperator transposed = matrix.transposed();
        Scalar sigma = scalars.at(SIGMA);
        begin = mesh.sequence("begin").run(mesh.loop(KrylovUpdatesLoops.COPY, rows, residual, shadow))
                .run(mesh.loop(KrylovUpdatesLoops.CLEAR, rows, p)).run(mesh.loop(KrylovUpdatesLoops.CLEAR, rows,
                        shadowP))
                .build();
        for (int s = 0; s < 2; s++) {
            Scalar rho = scalars.at(RHO + s);
            Scalar old = scalars.at(RHO + 1 - s);
            LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
            precondition(steps, residual, z);
            precondition(steps, shadow, shadowZ);
            steps.run(mesh.loop(KrylovUpdatesLoops.DOT, rows, z, shadow, rho));
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_BASIS, rows, rho, old, z, p));
            steps.run(mesh.loop(KrylovUpdatesLoops.TRANSPOSE_FREE_BASIS, rows, rho, old, shadowZ, shadowP));
            productAndDot(steps, p, q, shadowP, SIGMA);
            multiply(steps, transposed, shadowP, shadowQ);
            iterations[s] = steps.run(mesh.loop(KrylovUpdatesLoops.BICONJUGATE, rows, rho, sigma, p, q, shadowQ,
                    solution, residual, shadow, scalars.at(SQUARE))).build();
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
        scalars.set(RHO + 1, 0);
        begin.run();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        iterations[slot].run();
        fetch();
        double norm = Math.sqrt(values[SQUARE]);
        double rho = values[RHO + slot];
        slot = 1 - slot;
        add(history, norm);
        if (history.wantsTrueResidual() || !history.goesOn()) {
            return Next.ITERATION;
        }
        if (values[SIGMA] == 0) {
            return broken("p^ . A p is 0");
        }
        return Math.abs(rho) <= VANISHING * shadowNorm * norm ? broken("r^ . z is " + rho) : Next.ITERATION;
    }
}
