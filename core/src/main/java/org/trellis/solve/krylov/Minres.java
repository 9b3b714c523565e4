package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Scalar;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.ResidualHistory;
import org.trellis.sparse.LinearOperator;

/**
 * MINRES for symmetric matrices, definite or not (C. C. Paige and M. A. Saunders, SIAM J. Numer. Anal. 12(4), 1975;
 * with a positive definite preconditioner as in H. Elman, D. Silvester and A. Wathen, Finite Elements and Fast
 * Iterative Solvers, algorithm 4.1). What it minimises is the residual in the norm of the preconditioner; that in the
 * Euclidean norm, by which solutions are judged, is recurred as a vector, with the products of the directions.
 *
 * <p>An iteration moves, beside the product (which sums z · A z) and the preconditioner, 18 vectors: the Lanczos vector
 * reads 3 and writes 1, its norm reads 2, directions, solution and residual read 8 and write 4. Rotations are computed
 * on the device, and the host fetches the scalars once an iteration.
 */
final class Minres extends KrylovSolver {
    private static final int PRODUCT = 0;
    private static final int LENGTH = 1;
    private static final int SQUARE = 2;
    private static final int NORMS = 3;
    private static final int COEFFICIENTS = 5;

    private final LoopSequence[] iterations = new LoopSequence[2];
    private LoopSequence begin;
    private int slot;

    Minres(LinearOperator matrix, Preconditioner preconditioner, Backend backend) {
        super("minres", matrix, preconditioner, backend, 9);
        prepare(this::make);
    }

    private void make() {
        Dat[] v = {vector("v0"), vector("v1")};
        Dat[] z = {preconditioned("z0", v[0]), preconditioned("z1", v[1])};
        Dat[] w = {vector("w0"), vector("w1")};
        Dat[] u = {vector("u0"), vector("u1")};
        Dat q = vector("q");
        Dat state = state(7);
        Scalar norms = scalars.at(NORMS, 2);
        LoopSequence.Builder first = mesh.sequence("begin");
        first.run(mesh.loop(KrylovUpdatesLoops.COPY, rows, residual, v[0]));
        for (Dat cleared : new Dat[]{v[1], w[0], w[1], u[0], u[1]}) {
            first.run(mesh.loop(KrylovUpdatesLoops.CLEAR, rows, cleared));
        }
        precondition(first, v[0], z[0]);
        first.run(mesh.loop(KrylovUpdatesLoops.DOT, rows, v[0], z[0], scalars.at(LENGTH)));
        begin = first.run(mesh.loop(KrylovScalarsLoops.MINRES_BEGIN, single, scalars.at(LENGTH), state, norms))
                .build();
        for (int s = 0; s < 2; s++) {
            iterations[s] = iteration(s, v, z, w, u, q, state);
        }
    }

    private LoopSequence iteration(int s, Dat[] v, Dat[] z, Dat[] w, Dat[] u, Dat q, Dat state) {
        int other = 1 - s;
        Scalar norms = scalars.at(NORMS, 2);
        Scalar c = scalars.at(COEFFICIENTS, 4);
        LoopSequence.Builder steps = mesh.sequence("iteration of slot " + s);
        productAndDot(steps, z[s], q, z[s], PRODUCT);
        steps.run(mesh.loop(KrylovUpdatesLoops.LANCZOS, rows, scalars.at(PRODUCT), norms, q, v[s], v[other]));
        precondition(steps, v[other], z[other]);
        steps.run(mesh.loop(KrylovUpdatesLoops.DOT, rows, v[other], z[other], scalars.at(LENGTH)));
        steps.run(mesh.loop(KrylovScalarsLoops.MINRES, single, scalars.at(PRODUCT), scalars.at(LENGTH), state, c,
                norms));
        return steps.run(mesh.loop(KrylovUpdatesLoops.MINRES, rows, c, z[s], q, w[s], u[s], w[other], u[other],
                solution, residual, scalars.at(SQUARE))).build();
    }

    @Override
    boolean isFollowed() {
        return true;
    }

    @Override
    boolean begin(double residualNorm) {
        slot = 0;
        begin.run();
        fetch();
        return true;
    }

    @Override
    Next iterate(ResidualHistory history) {
        double length = values[LENGTH];
        if (!(length >= 0)) {
            history.breakDown("r^T M^-1 r is " + length + ": the preconditioner is not positive definite");
            return Next.ITERATION;
        }
        if (length == 0) {
            return broken("the Krylov space holds no more vectors: the matrix is singular and the system "
                    + "inconsistent, or the preconditioner is singular");
        }
        iterations[slot].run();
        slot = 1 - slot;
        fetch();
        add(history, Math.sqrt(values[SQUARE]));
        return Next.ITERATION;
    }
}
