package org.trellis.tuner.solver;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.TrellisException;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.krylov.DirectSolver;
import org.trellis.solve.krylov.SolverContext;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * Solves systems with a matrix by one choice, without a tuner: what a program does once it knows which choice is fast.
 * Nothing is measured, compared or recomputed, so a {@link TunedSolver} is judged by it.
 */
public final class FixedSolver implements LinearSolver {
    private final SolverChoice choice;
    private final Optional<SpmvOperator> product;
    private final LinearSolver solver;

    @MustBeClosed
    private FixedSolver(SolverChoice choice, Optional<SpmvOperator> product, LinearSolver solver) {
        this.choice = choice;
        this.product = product;
        this.solver = solver;
    }

    /**
     * Prepares a choice.
     *
     * @param matrix  a square matrix
     * @param choice  how systems with it are solved; whether its preconditioner would be kept for other values does not
     *                matter
     * @param backend where they are solved; not closed by the solver
     * @return a solver, which the caller closes before the backend
     * @throws IllegalArgumentException if the choice does not suit the matrix, or an entry is not finite
     * @throws TrellisException         if it cannot be prepared, as for a factorisation of a singular matrix
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public static FixedSolver of(CsrMatrix matrix, SolverChoice choice, Backend backend) {
        if (choice.isDirect()) {
            return new FixedSolver(choice, Optional.empty(), DirectSolver.of(matrix, true, LuOptions.defaults()
                    .withSmallestPivot(LuOptions.CLEARLY_REGULAR), Double.POSITIVE_INFINITY).withoutErrorEstimates());
        }
        SolverContext parts = SolverContext.of(backend);
        SpmvOperator product = parts.products().apply(matrix);
        try {
            return new FixedSolver(choice, Optional.of(product),
                    choice.stack().orElseThrow().prepare(matrix, product, parts));
        } catch (RuntimeException | Error e) {
            product.close();
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
        product.ifPresent(SpmvOperator::close);
    }

    @Override
    public String toString() {
        return "fixed solver, " + choice;
    }
}
