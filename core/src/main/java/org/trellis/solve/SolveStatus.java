package org.trellis.solve;

/** How an iterative solution ended. */
public enum SolveStatus {
    /** A tolerance was met, by the residual recomputed from the solution. */
    CONVERGED,
    /** The largest number of iterations was reached first. */
    ITERATION_LIMIT,
    /**
     * The residual of the recurrence met a tolerance, but that recomputed from the solution does not and no longer
     * falls when the recurrence begins anew from it: the precision of the vectors allows no more.
     */
    STAGNATED,
    /** The residual grew beyond the divergence limit or is not a finite number. */
    DIVERGED,
    /**
     * The recurrence cannot go on: in conjugate gradients {@code pᵀ A p ≤ 0}, so the matrix is not positive definite,
     * or {@code rᵀ M⁻¹ r ≤ 0}, so the preconditioner is not.
     */
    BREAKDOWN
}
