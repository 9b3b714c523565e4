package org.trellis.solve;

import org.trellis.memory.DenseVector;

/**
 * A method that has been prepared for a matrix and a preconditioner, and solves systems with them one after the other.
 * Work vectors are allocated once; an iteration allocates nothing. A solver serves one thread at a time.
 */
public interface LinearSolver extends AutoCloseable {
    /**
     * Solves {@code A x = b}. That it did not converge is a status of the report, not an exception. A solution has
     * converged by its true residual only, recomputed from {@code x}, never by that of a recurrence.
     *
     * @param b        the right-hand side
     * @param x        the first guess, overwritten by the solution; also when it did not converge
     * @param criteria when to stop
     * @param observer hears of each iteration
     * @return how it went
     * @throws IllegalArgumentException if a length, precision or memory space does not fit, or an element of {@code b}
     *                                  or {@code x} is not finite (names the first), or {@code ‖b‖₂} exceeds the
     *                                  largest number
     * @throws IllegalStateException    if the solver or what it was made of is closed
     */
    SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer);

    /**
     * Solves {@code A x = b} without an observer.
     *
     * @param b        the right-hand side
     * @param x        the first guess, overwritten by the solution
     * @param criteria when to stop
     * @return how it went
     * @throws IllegalArgumentException as {@link #solve(DenseVector, DenseVector, StoppingCriteria, IterationObserver)}
     * @throws IllegalStateException    if the solver or what it was made of is closed
     */
    default SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria) {
        return solve(b, x, criteria, IterationObserver.NONE);
    }

    /** Releases vectors, loops and bound products; not the matrix and the preconditioner. Idempotent. */
    @Override
    void close();
}
