package org.trellis.bench.solve;

import org.trellis.backend.Backend;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.JacobiPreconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.product.online.TunedMatrices;

/** Solves systems with one matrix on one backend, from vectors on the host. */
final class SystemSolver {
    private final CsrMatrix matrix;
    private final Backend backend;
    private final Preconditioning preconditioning;
    private final StoppingCriteria criteria;
    private final TunedMatrices tuned;

    /** The methods. */
    enum Method {
        /** Conjugate gradients. */
        CG
    }

    /** The preconditioners. */
    enum Preconditioning {
        /** The diagonal. */
        JACOBI,
        /** None. */
        NONE
    }

    /** Creates a solver whose products are tuned within the iterations if there are {@code tuned} matrices. */
    SystemSolver(CsrMatrix matrix, Backend backend, Preconditioning preconditioning, StoppingCriteria criteria,
            TunedMatrices tuned) {
        this.matrix = matrix;
        this.backend = backend;
        this.preconditioning = preconditioning;
        this.criteria = criteria;
        this.tuned = tuned;
    }

    HostVector productWithOnes() {
        HostVector result = HostVector.zeros(matrix.precision(), matrix.rows());
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector ones = backend.vector(matrix.precision(), matrix.columns());
                DenseVector product = backend.vector(matrix.precision(), matrix.rows())) {
            ones.copyFrom(HostVector.zeros(matrix.precision(), matrix.columns()).fill(1));
            operator.multiply(ones, product);
            product.copyTo(result);
        }
        return result;
    }

    /**
     * Solves a system.
     *
     * @param x the first guess, overwritten by the solution
     */
    SolveReport solve(HostVector b, HostVector x, ProgressListener progress) {
        try (SpmvOperator operator = tuned == null
                ? backend.kernels(SparseKernels.class).prepare(matrix)
                : tuned.prepare(matrix);
                JacobiPreconditioner jacobi = preconditioning == Preconditioning.JACOBI
                        ? JacobiPreconditioner.of(matrix, backend)
                        : null;
                ConjugateGradient method = new ConjugateGradient(operator, jacobi, backend);
                DenseVector ownB = backend.vector(matrix.precision(), b.length());
                DenseVector ownX = backend.vector(matrix.precision(), x.length())) {
            ownB.copyFrom(b);
            ownX.copyFrom(x);
            SolveReport report = method.solve(ownB, ownX, criteria, progress);
            ownX.copyTo(x);
            return report;
        }
    }
}
