package org.trellis.solve;

/** How an iterative solution ended. */
public enum SolveStatus {
    /** A tolerance was met, by the residual recomputed from the solution. */
    CONVERGED,
    /** The largest number of iterations was reached first. */
    ITERATION_LIMIT,
    /** The time that was allowed had passed. */
    TIME_LIMIT,
    /**
     * The residual no longer falls: that of the recurrence met a tolerance, but that recomputed from the solution does
     * not and no longer falls when the recurrence begins anew from it, because the precision of the vectors allows no
     * more; or a restarted method repeats itself; or the best residual has not fallen within the number of iterations
     * that the criteria allow for it.
     */
    STAGNATED,
    /** The residual grew beyond the divergence limit or is not a finite number. */
    DIVERGED,
    /**
     * The recurrence cannot go on: in conjugate gradients {@code pᵀ A p ≤ 0}, so the matrix is not positive definite,
     * or {@code rᵀ M⁻¹ r ≤ 0}, so the preconditioner is not; in methods for other matrices a divisor is zero, again
     * after they have begun anew.
     */
    BREAKDOWN
}
