package org.trellis.solve.krylov;

import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * Chebyshev iteration (Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1) for symmetric positive
 * definite matrices whose preconditioned eigenvalues lie in a known interval; it needs no dot product but the norm that
 * says when to stop. An interval whose upper end is too low makes it diverge. One whose lower end is too high makes it
 * slow, until the end comes down, which an end that was given never does: see {@link ChebyshevInterval}.
 *
 * <p>An iteration moves, beside the product and the preconditioner, 8 vectors: d and x read 3 and write 2, r reads 2
 * and writes 1. Coefficients are computed on the device; the host fetches the norm once an iteration.
 */
final class Chebyshev extends KrylovSolver {
    private static final int INTERVAL = 0;
    private static final int COEFFICIENTS = 2;
    private static final int SQUARE = 4;

    private final ChebyshevInterval interval;
    private LoopSequence begin;
    private LoopSequence iteration;

    Chebyshev(LinearOperator matrix, Preconditioner preconditioner, Backend backend, ChebyshevInterval interval) {
        super("chebyshev", matrix, preconditioner, backend, 5);
        this.interval = interval;
        prepare(this::make);
    }

    private void make() {
        Dat z = preconditioned("preconditioned", residual);
        Dat d = vector("direction");
        Dat q = vector("product");
        Dat state = state(1);
        Scalar c = scalars.at(COEFFICIENTS, 2);
        begin = mesh.sequence("begin").run(mesh.loop(KrylovUpdatesLoops.CLEAR, rows, d))
                .run(mesh.loop(KrylovUpdatesLoops.CLEAR, single, state)).build();
        LoopSequence.Builder steps = mesh.sequence("iteration");
        steps.run(mesh.loop(KrylovScalarsLoops.CHEBYSHEV, single, scalars.at(INTERVAL, 2), state, c));
        precondition(steps, residual, z);
        steps.run(mesh.loop(KrylovUpdatesLoops.CHEBYSHEV, rows, c, z, d, solution));
        product(steps, d, q);
        iteration = steps.run(mesh.loop(KrylovUpdatesLoops.SUBTRACT_NORM, rows, q, residual, scalars.at(SQUARE)))
                .build();
    }

    @Override
    boolean isFollowed() {
        return true;
    }

    @Override
    boolean begin(double residualNorm) {
        // Without a preconditioner the eigenvalues are those of the matrix, which may be scaled.
        double factor = preconditioner == null ? matrixScale() : 1;
        scalars.set(INTERVAL, factor * interval.centre());
        scalars.set(INTERVAL + 1, factor * interval.width());
        interval.begin(residualNorm);
        begin.run();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        iteration.run();
        fetch();
        double norm = Math.sqrt(values[SQUARE]);
        add(history, norm);
        if (interval.hasMoved(norm)) {
            begin(norm);
        }
        return Next.ITERATION;
    }

    @Override
    List<String> notes() {
        return interval.moves() == 0
                ? List.of("eigenvalues are taken to lie from " + interval)
                : List.of("eigenvalues are taken to lie from " + interval + "; the lower end was " + interval.first()
                        + " and has come down " + interval.moves() + " times where residuals fell too slowly");
    }
}
