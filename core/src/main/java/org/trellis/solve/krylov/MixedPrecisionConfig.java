package org.trellis.solve.krylov;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/** Refinement around a stack in single precision, which owns the product in single precision. */
final class MixedPrecisionConfig implements PreconditionedSolver {
    private final SpmvOperator single;
    private final LinearSolver inner;
    private final MixedPrecision solver;

    private MixedPrecisionConfig(SpmvOperator single, LinearSolver inner, MixedPrecision solver) {
        this.single = single;
        this.inner = inner;
        this.solver = solver;
    }

    @SuppressWarnings("MustBeClosed") // closed with the stack
    static LinearSolver prepare(SolverConfig stack, CsrMatrix matrix, LinearOperator product, SolverContext parts) {
        if (matrix.precision() != Precision.F64 || matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("mixed precision with " + matrix
                    + ", expected a square matrix in f64, around whose solution in f32 there is something to refine");
        }
        CsrMatrix narrow = matrix.toPrecision(Precision.F32);
        SolverConfig plain = new SolverConfig(stack.method(), stack.methodOptions(), stack.preconditioner(),
                stack.preconditionerOptions(), stack.criteria(), false, false);
        SpmvOperator single = parts.products().apply(narrow);
        LinearSolver inner = null;
        try {
            inner = plain.prepare(narrow, single, parts);
            return new MixedPrecisionConfig(single, inner, new MixedPrecision(product, inner, parts.backend()));
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
    public Optional<Preconditioner> preconditioner() {
        return PreconditionedSolver.of(inner);
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
