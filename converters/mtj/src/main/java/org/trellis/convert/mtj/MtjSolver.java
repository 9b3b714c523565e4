package org.trellis.convert.mtj;

import java.util.Map;
import no.uib.cipr.matrix.DenseVector;
import no.uib.cipr.matrix.Matrix;
import no.uib.cipr.matrix.NotConvergedException;
import no.uib.cipr.matrix.Vector;
import no.uib.cipr.matrix.sparse.AbstractIterativeSolver;
import no.uib.cipr.matrix.sparse.CompRowMatrix;
import no.uib.cipr.matrix.sparse.IterativeSolverNotConvergedException;
import no.uib.cipr.matrix.sparse.Preconditioner;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.ArrayOperator;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;

/**
 * A Krylov method of Trellis where MTJ takes one of its own, as in place of its {@code CG} or {@code GMRES}, for any
 * matrix and preconditioner of MTJ. When it ends is decided by criteria of Trellis, by the true residual. The monitor
 * hears of each iteration, and ends the solution where it throws, as at its limit of iterations.
 */
public final class MtjSolver extends AbstractIterativeSolver {
    private final KrylovMethod method;
    private final Map<String, String> options;
    private final StoppingCriteria criteria;

    /**
     * Chooses the method.
     *
     * @param method   the method
     * @param options  its options, perhaps none
     * @param criteria when it ends
     */
    public MtjSolver(KrylovMethod method, Map<String, String> options, StoppingCriteria criteria) {
        this.method = method;
        this.options = Map.copyOf(options);
        this.criteria = criteria;
    }

    /** Takes what a monitor throws through the method. */
    private static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1;
        final transient IterativeSolverNotConvergedException reason;

        Stopped(IterativeSolverNotConvergedException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param a the matrix; products with a {@link CompRowMatrix} are those of Trellis, with others MTJ's
     * @param b the right-hand side
     * @param x the first guess, overwritten by the solution, also where the criteria ended it without one
     * @return {@code x}
     * @throws IterativeSolverNotConvergedException if the method or the monitor ends without a solution
     */
    @Override
    public Vector solve(Matrix a, Vector b, Vector x) throws IterativeSolverNotConvergedException {
        checkSizes(a, b, x);
        HostVector solution = HostVector.of(MtjPreconditioner.array(x));
        iter.setFirst();
        SolveReport report;
        try {
            report = solve(a, HostVector.of(MtjPreconditioner.array(b)), solution, (iteration, norm) -> {
                try {
                    iter.converged(norm);
                    iter.next();
                } catch (IterativeSolverNotConvergedException e) {
                    throw new Stopped(e);
                }
            });
        } catch (Stopped e) {
            throw e.reason;
        }
        x.set(new DenseVector(solution.doubles(), false));
        if (!report.converged()) {
            throw new IterativeSolverNotConvergedException(reason(report.status()), report.toString(), iter);
        }
        return x;
    }

    private static NotConvergedException.Reason reason(SolveStatus status) {
        return switch (status) {
            case DIVERGED -> NotConvergedException.Reason.Divergence;
            case BREAKDOWN -> NotConvergedException.Reason.Breakdown;
            default -> NotConvergedException.Reason.Iterations;
        };
    }

    private SolveReport solve(Matrix a, HostVector b, HostVector x, IterationObserver observer) {
        // MTJ's methods have a preconditioner that does nothing unless they are given one.
        boolean plain = M.getClass().getSimpleName().equals("IdentityPreconditioner");
        try (Backend backend = Backends.open("cpu", Configuration.load());
                LinearOperator matrix = operator(a, backend);
                ArrayOperator inverse = plain ? null : inverse(M, a.numRows(), backend);
                LinearSolver solver = method.prepare(matrix, inverse, backend, options)) {
            return solver.solve(b, x, criteria, observer);
        }
    }

    @SuppressWarnings("MustBeClosed") // returned
    private static LinearOperator operator(Matrix a, Backend backend) {
        if (a instanceof CompRowMatrix rows) {
            return backend.kernels(SparseKernels.class).prepare(MtjConverter.view(rows));
        }
        return new ArrayOperator(a.numRows(), a.numColumns(),
                (x, y) -> a.mult(new DenseVector(x, false), new DenseVector(y, false)),
                (x, y) -> a.transMult(new DenseVector(x, false), new DenseVector(y, false)), false, backend);
    }

    private static ArrayOperator inverse(Preconditioner m, int size, Backend backend) {
        return new ArrayOperator(size, size, (x, y) -> m.apply(new DenseVector(x), new DenseVector(y, false)),
                (x, y) -> m.transApply(new DenseVector(x), new DenseVector(y, false)), true, backend);
    }
}
