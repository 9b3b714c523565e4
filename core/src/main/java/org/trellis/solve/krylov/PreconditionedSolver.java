package org.trellis.solve.krylov;

import java.util.Optional;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CsrMatrix;

/** A solver that says which preconditioner it works with, for reports. */
public interface PreconditionedSolver extends LinearSolver {
    /**
     * Returns the preconditioner.
     *
     * @return the solver's own, which closes it; empty if there is none, or none yet
     */
    Optional<Preconditioner> preconditioner();

    /**
     * Hears that product and preconditioner have taken other values of the same structure. Does nothing unless
     * overridden.
     *
     * @param values the matrix with its new values
     */
    default void valuesChanged(CsrMatrix values) {}

    /**
     * Looks for a preconditioner in a solver.
     *
     * @param solver any solver
     * @return its preconditioner if it has one
     */
    static Optional<Preconditioner> of(LinearSolver solver) {
        return solver instanceof PreconditionedSolver telling ? telling.preconditioner() : Optional.empty();
    }
}
