package org.trellis.solve.krylov;

import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Refinement around a stack in single precision, which owns the product in single precision. */
final class MixedPrecisionStack implements LinearSolver {
    private final SpmvOperator single;
    private final MixedPrecision solver;

    private MixedPrecisionStack(SpmvOperator single, MixedPrecision solver) {
        this.single = single;
        this.solver = solver;
    }

    @SuppressWarnings("MustBeClosed") // closed with the stack
    static LinearSolver prepare(SolverStack stack, CsrMatrix matrix, LinearOperator product, Backend backend) {
        if (matrix.precision() != Precision.F64 || matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("mixed precision with " + matrix
                    + ", expected a square matrix in f64, around whose solution in f32 there is something to refine");
        }
        CsrMatrix narrow = matrix.toPrecision(Precision.F32);
        SolverStack plain = new SolverStack(stack.method(), stack.methodOptions(), stack.preconditioner(),
                stack.preconditionerOptions(), stack.criteria(), false, false);
        SpmvOperator single = backend.kernels(SparseKernels.class).prepare(narrow);
        LinearSolver inner = null;
        try {
            inner = plain.prepare(narrow, single, backend);
            return new MixedPrecisionStack(single, new MixedPrecision(product, inner, backend));
        } catch (RuntimeException | OutOfMemoryError e) {
            if (inner != null) {
                inner.close();
            }
            single.close();
            throw e;
        }
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        return solver.solve(b, x, criteria, observer);
    }

    @Override
    public void close() {
        solver.close();
        single.close();
    }

    @Override
    public String toString() {
        return solver.toString();
    }
}
