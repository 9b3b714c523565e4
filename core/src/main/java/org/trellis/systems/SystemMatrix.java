package org.trellis.systems;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix that {@link Solvers} take and that is no {@link CsrMatrix}: one that is spread over ranks, for example.
 * Implemented by what holds such a matrix; programs only pass it on.
 */
public interface SystemMatrix {
    /**
     * Returns the number of rows whose unknowns are here.
     *
     * @return the length of right-hand sides and solutions that this process gives and gets
     */
    int ownedRows();

    /**
     * Returns the type of the values.
     *
     * @return the precision
     */
    Precision precision();

    /**
     * Prepares a solver. Over ranks called by all of them.
     *
     * @param settings how the system is solved
     * @return the prepared solver, which the caller closes
     * @throws IllegalArgumentException            if the settings do not suit the matrix; says what would
     * @throws org.trellis.common.TrellisException if a preconditioner cannot be made; names the row
     */
    @MustBeClosed
    Prepared prepare(SystemSettings settings);

    /** A solver with all that it needs: backend, product, preconditioner. */
    interface Prepared extends AutoCloseable {
        /**
         * Solves.
         *
         * @param b        the right-hand side, unchanged
         * @param x        the first guess, overwritten by the solution
         * @param criteria when to stop
         * @param observer hears of each iteration
         * @return how it went
         */
        SolveReport solve(HostVector b, HostVector x, StoppingCriteria criteria, IterationObserver observer);

        /**
         * Takes other values of the same structure if that is less work than preparing anew.
         *
         * @param values the matrix with its new values
         * @return false if nothing was done, and the caller prepares anew
         */
        default boolean update(CsrMatrix values) {
            return false;
        }

        /**
         * Solves {@code Aᵀ x = b}.
         *
         * @param x the right-hand side, overwritten by the solution
         * @throws UnsupportedOperationException if the method iterates
         */
        default void solveTransposed(double[] x) {
            throw new UnsupportedOperationException(this + " is solved transposed, expected a factorisation, or a "
                    + "solver for the transposed matrix");
        }

        /**
         * Estimates the condition number in the 1-norm.
         *
         * @return at least 1; NaN for a method that iterates
         */
        default double conditionEstimate() {
            return Double.NaN;
        }

        /** Releases it all. Idempotent. */
        @Override
        void close();
    }
}
