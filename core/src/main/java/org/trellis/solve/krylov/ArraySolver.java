package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.direct.SparseLdlt;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix that is prepared once for many right-hand sides, arrays in and arrays out: what a program needs that knows
 * another library's interfaces. A factorisation or a {@link SolverConfig} on a backend of its own. Serves one thread at
 * a time.
 */
public interface ArraySolver extends AutoCloseable {
    /**
     * Returns the matrix.
     *
     * @return the one of {@link #refill}, or that it was prepared for
     */
    CsrMatrix matrix();

    /**
     * Solves {@code A x = b}.
     *
     * @param b the right-hand side, not changed
     * @return the solution, a new array
     * @throws IllegalArgumentException if the length does not fit, or an element is not finite and the method iterates
     * @throws ArithmeticException      if an iterative method did not converge; says how it ended
     * @throws IllegalStateException    if a {@link #refill} failed, or this is closed
     */
    double[] solve(double[] b);

    /**
     * Solves {@code Aᵀ x = b}.
     *
     * @param b the right-hand side, not changed
     * @return the solution, a new array
     * @throws IllegalArgumentException      if the length does not fit
     * @throws IllegalStateException         if a {@link #refill} failed, or this is closed
     * @throws UnsupportedOperationException if the method iterates
     */
    double[] solveTransposed(double[] b);

    /**
     * Takes other values. A factorisation keeps what it knows of the structure, as orders; an LU factorisation whose
     * old pivots would make it inaccurate chooses others.
     *
     * @param matrix a matrix of the same structure
     * @throws IllegalArgumentException if the structure is another
     * @throws org.trellis.common.TrellisException if the matrix is singular, or a preconditioner cannot be made; there
     *         is no solver then until another matrix is taken
     */
    void refill(CsrMatrix matrix);

    /**
     * Estimates the reciprocal condition number in the 1-norm.
     *
     * @return between 0 and 1 for a factorisation, NaN for an iterative method, which does not know
     */
    double reciprocalCondition();

    /** Releases what this holds. Idempotent. */
    @Override
    void close();

    /** How systems are solved, to be used for one matrix after the other. */
    @FunctionalInterface
    interface Method {
        /**
         * Prepares a matrix.
         *
         * @param matrix the matrix; one of floats is solved in double precision by factorisations
         * @return a solver that the caller closes
         * @throws IllegalArgumentException if the matrix does not suit the method; says why
         * @throws org.trellis.common.TrellisException if the matrix is singular, or not positive definite for a
         *                                             Cholesky
         *         factorisation, or a preconditioner cannot be made; names the row
         */
        @MustBeClosed
        ArraySolver prepare(CsrMatrix matrix);
    }

    /**
     * Chooses an LU factorisation, for any regular matrix.
     *
     * @return the method
     */
    @SuppressWarnings("MustBeClosed") // returned
    static Method lu() {
        return matrix -> new FactorisedSystem(matrix, new FactorisedSystem.Lu(SparseLu.of(matrix)));
    }

    /**
     * Chooses a Cholesky factorisation, for symmetric positive definite matrices.
     *
     * @return the method
     */
    @SuppressWarnings("MustBeClosed") // returned
    static Method cholesky() {
        return matrix -> new FactorisedSystem(matrix, new FactorisedSystem.Cholesky(SparseCholesky.of(matrix)));
    }

    /**
     * Chooses an {@code L D Lᵀ} factorisation with pivots of one and two rows, for symmetric indefinite matrices.
     *
     * @return the method
     */
    @SuppressWarnings("MustBeClosed") // returned
    static Method ldlt() {
        return matrix -> new FactorisedSystem(matrix, new FactorisedSystem.Ldlt(SparseLdlt.of(matrix)));
    }

    /**
     * Chooses an iterative method.
     *
     * @param stack   method, preconditioner, and when to stop
     * @param backend the name of a backend, such as {@code cpu}; opened for each matrix, closed with its solver
     * @return the method
     */
    @SuppressWarnings("MustBeClosed") // returned
    static Method iterative(SolverConfig stack, String backend) {
        return matrix -> new IterativeSystem(matrix, stack, backend);
    }
}
