package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.DeferredReductions;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * Pipelined conjugate gradients (P. Ghysels and W. Vanroose, Hiding global synchronization latency in the
 * preconditioned conjugate gradient algorithm, Parallel Computing 40(7), 2014, algorithm 4): the three sums of an
 * iteration are one reduction, which preconditioner and product do not wait for: over ranks it is under way while they
 * are computed ({@link DeferredReductions}), and an iteration is known to be the last one only after those of the next.
 * The price are more vectors and a recurred residual that drifts away sooner; the true one decides, as everywhere.
 *
 * <p>An iteration moves, beside product and preconditioner, 18 vectors (reads 10, writes 8), 13 without a
 * preconditioner or with a multiple of the identity, which changes no iterate (7 and 6), in one pass. Its scalars α and
 * β are computed on the device, and the host fetches them once.
 */
final class PipelinedConjugateGradient extends KrylovSolver {
    private static final int SUMS = 0;
    private static final int COEFFICIENTS = 3;

    private LoopSequence begin;
    /** Preconditioner and product. */
    private LoopSequence ahead;
    /** The rest of an iteration, which needs the sums of the one before. */
    private LoopSequence update;
    /** Lets sums travel, or null where a loop has them when it is done. */
    private final DeferredReductions deferred;
    /** Whether an update was not checked yet. */
    private boolean updated;
    /** Whether the recurrence has just begun, so that what it gives is not spoilt by rounding. */
    private boolean first;
    /** p^T A p of the first iteration. */
    private double delta;

    PipelinedConjugateGradient(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("pipelined-cg", matrix, preconditioner,
                preconditioner == null || preconditioner.isMultipleOfIdentity() ? null : preconditioner, backend, 5);
        deferred = backend.optionalKernels(DeferredReductions.class).orElse(null);
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
        for (Dat cleared : applied == null ? new Dat[]{z, s, p} : new Dat[]{z, s, q, p}) {
            first.run(mesh.loop(KrylovUpdatesLoops.CLEAR, rows, cleared));
        }
        first.run(mesh.loop(KrylovScalarsLoops.CLEAR2, single, state));
        precondition(first, residual, u);
        product(first, u, w);
        begin = first.run(mesh.loop(KrylovUpdatesLoops.PIPELINED_BEGIN, rows, residual, u, w, sums)).build();
        LoopSequence.Builder steps = mesh.sequence("preconditioner and product");
        precondition(steps, w, m);
        product(steps, m, n);
        ahead = steps.build();
        update = mesh.sequence("update")
                .run(mesh.loop(KrylovScalarsLoops.PIPELINED, single, state, sums, c))
                .run(applied == null
                        ? mesh.loop(KrylovUpdatesLoops.PIPELINED_PLAIN, rows, c, n, z, s, p, solution, residual, w,
                                sums)
                        : mesh.loop(KrylovUpdatesLoops.PIPELINED, rows, c, n, m, z, q, s, p, solution, residual, u, w,
                                sums))
                .build();
    }

    @Override
    boolean begin(double residualNorm) {
        first = true;
        updated = false;
        if (deferred != null) {
            deferred.settle();
            deferred.defer();
        }
        begin.run();
        if (deferred == null) {
            fetch();
        }
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        ahead.run();
        if (deferred != null) {
            deferred.settle();
            fetch();
            Next next = updated ? look(history) : Next.ITERATION;
            if (next != Next.ITERATION || !history.goesOn() || history.wantsTrueResidual()) {
                return next;
            }
        }
        if (!(values[SUMS] > 0)) {
            history.breakDown("r^T M^-1 r is " + values[SUMS] + ": the preconditioner is not positive definite");
            return Next.ITERATION;
        }
        delta = values[SUMS + 1];
        if (deferred != null) {
            deferred.defer();
        }
        update.run();
        updated = true;
        if (deferred != null) {
            return Next.ITERATION;
        }
        fetch();
        return look(history);
    }

    /** Looks at what the last update did, whose scalars were fetched. */
    private Next look(ResidualHistory history) {
        updated = false;
        if (values[COEFFICIENTS] == 0) {
            if (!first) {
                return Next.RESTART;
            }
            history.breakDown("p^T A p is " + delta + ": the matrix is not positive definite");
            return Next.ITERATION;
        }
        first = false;
        add(history, Math.sqrt(values[SUMS + 2]));
        return Next.ITERATION;
    }
}
