package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * Pipelined conjugate gradients (P. Ghysels and W. Vanroose, Hiding global synchronization latency in the
 * preconditioned conjugate gradient algorithm, Parallel Computing 40(7), 2014, algorithm 4): the three sums of an
 * iteration are one reduction, which preconditioner and product need not wait for. The price are more vectors and a
 * recurred residual that drifts away sooner; the true one decides, as everywhere.
 *
 * <p>An iteration moves, beside product and preconditioner, 18 vectors (reads 10, writes 8), 13 without a
 * preconditioner (7 and 6), in one pass. Its scalars α and β are computed on the device, and the host fetches them
 * once.
 */
final class PipelinedConjugateGradient extends KrylovSolver {
    private static final int SUMS = 0;
    private static final int COEFFICIENTS = 3;

    private LoopSequence begin;
    private LoopSequence iteration;
    /** Whether the recurrence has just begun, so that what it tells is not spoilt by rounding. */
    private boolean first;

    PipelinedConjugateGradient(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("pipelined-cg", matrix, preconditioner, backend, 5);
        prepare(this::make);
    }

    private void make() {
        Dat u = preconditioned("u", residual);
        Dat w = vector("w");
        Dat m = preconditioned("m", w);
        Dat n = vector("n");
        Dat z = vector("z");
        Dat s = vector("s");
        Dat q = preconditioned("q", s);
        Dat p = vector("p");
        Dat state = state(2);
        Scalar sums = scalars.at(SUMS, 3);
        Scalar c = scalars.at(COEFFICIENTS, 2);
        LoopSequence.Builder first = mesh.sequence("begin");
        for (Dat cleared : preconditioner == null ? new Dat[]{z, s, p} : new Dat[]{z, s, q, p}) {
            first.run(mesh.loop(KrylovUpdatesLoops.CLEAR, rows, cleared));
        }
        first.run(mesh.loop(KrylovScalarsLoops.CLEAR2, single, state));
        precondition(first, residual, u);
        product(first, u, w);
        begin = first.run(mesh.loop(KrylovUpdatesLoops.PIPELINED_BEGIN, rows, residual, u, w, sums)).build();
        LoopSequence.Builder steps = mesh.sequence("iteration");
        precondition(steps, w, m);
        product(steps, m, n);
        steps.run(mesh.loop(KrylovScalarsLoops.PIPELINED, single, state, sums, c));
        steps.run(preconditioner == null
                ? mesh.loop(KrylovUpdatesLoops.PIPELINED_PLAIN, rows, c, n, z, s, p, solution, residual, w, sums)
                : mesh.loop(KrylovUpdatesLoops.PIPELINED, rows, c, n, m, z, q, s, p, solution, residual, u, w, sums));
        iteration = steps.build();
    }

    @Override
    boolean begin(double residualNorm) {
        first = true;
        begin.run();
        fetch();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        double gamma = values[SUMS];
        if (!(gamma > 0)) {
            history.breakDown("r^T M^-1 r is " + gamma + ": the preconditioner is not positive definite");
            return Next.ITERATION;
        }
        double delta = values[SUMS + 1];
        iteration.run();
        fetch();
        if (values[COEFFICIENTS] == 0) {
            if (!first) {
                return Next.RESTART;
            }
            history.breakDown("p^T A p is " + delta + ": the matrix is not positive definite");
            return Next.ITERATION;
        }
        first = false;
        history.add(Math.sqrt(values[SUMS + 2]));
        return Next.ITERATION;
    }
}
