package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/** A stack for an equilibrated copy of a matrix, which it owns, within refinement of the system that was given. */
final class EquilibratedSolver implements PreconditionedSolver {
    private final SpmvOperator scaledProduct;
    private final LinearSolver inner;
    private final EquilibratedRefinement refinement;
    private final String note;
    private String preconditioner = "none";

    private EquilibratedSolver(SpmvOperator scaledProduct, LinearSolver inner, EquilibratedRefinement refinement,
            String note) {
        this.scaledProduct = scaledProduct;
        this.inner = inner;
        this.refinement = refinement;
        this.note = note;
    }

    /**
     * Prepares a stack.
     *
     * @param stack   method and preconditioner
     * @param factors of a square matrix
     * @param product of the matrix itself; not closed by the solver
     * @param parts   the backend, and what else there is
     * @return a solver that the caller closes
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    static EquilibratedSolver prepare(SolverConfig stack, Equilibration factors, LinearOperator product,
            SolverContext parts) {
        CsrMatrix scaled = factors.scaled();
        SpmvOperator scaledProduct = parts.products().apply(scaled);
        LinearSolver inner = null;
        try {
            inner = ConfiguredSolver.prepare(stack, scaled, scaledProduct, parts);
            return new EquilibratedSolver(scaledProduct, inner,
                    new EquilibratedRefinement(product, factors, inner, parts.backend()),
                    "the matrix is badly scaled: " + stack + " solved with a copy whose largest entries in rows and "
                            + "columns are about 1 (" + factors + ", which rounds nothing); the residual is that of "
                            + "the system itself");
        } catch (RuntimeException | OutOfMemoryError e) {
            if (inner != null) {
                inner.close();
            }
            scaledProduct.close();
            throw e;
        }
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        SolveReport report = refinement.solve(b, x, criteria, observer);
        refinement.innerPreconditioner().ifPresent(text -> preconditioner = text);
        return report.withPreparation(preconditioner, refinement.innerSetupSeconds()).withNotes(List.of(note));
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return PreconditionedSolver.of(inner);
    }

    @Override
    public void close() {
        refinement.close();
        inner.close();
        scaledProduct.close();
    }

    @Override
    public String toString() {
        return refinement.toString();
    }
}
