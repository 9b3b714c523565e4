package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Methods that a device runs as one kernel from the first iteration to the last, for systems so small that the time
 * between kernels is what they cost. Implemented by backends whose device has a barrier across all of it.
 */
public interface PersistentKernels {
    /** A system that conjugate gradients are to solve. */
    interface Solution extends AutoCloseable {
        /**
         * Runs iterations, until the square of the residual's norm is at most the limit or one cannot be done. Waits
         * for the device.
         *
         * @param bounds   when to stop, and what steps are multiplied by
         * @param anew     whether the recurrence begins with the residual, or goes on where the last run has ended
         * @param residual the residual; overwritten by that after the last iteration
         * @param x        the solution, to which all steps are added
         * @param recorded overwritten by ρ = rᵀ M⁻¹ r, σ = pᵀ A p and the square of the residual's norm afterwards, of
         *                 each iteration; an iteration of which ρ or σ is not positive has changed nothing, and is the
         *                 last one
         * @return how many iterations are recorded
         */
        int run(Bounds bounds, boolean anew, DenseVector residual, DenseVector x, double[] recorded);

        /** Releases what the kernel needs. Idempotent. */
        @Override
        void close();
    }

    /**
     * When a run stops.
     *
     * @param most   iterations at most, at least 1
     * @param limit  the square of the residual's norm that is small enough
     * @param factor what a step of the recurrence is multiplied by for the solution
     */
    record Bounds(int most, double limit, double factor) {}

    /**
     * Returns how many rows a system may have, whatever its entries.
     *
     * @return at least 0
     */
    long mostRows();

    /**
     * Says why a system cannot be solved by one kernel.
     *
     * @param matrix a square matrix
     * @return the reason and what would work, or empty if it can
     */
    Optional<String> objection(CsrMatrix matrix);

    /**
     * Prepares conjugate gradients. Costs a copy of the matrix to the device.
     *
     * @param matrix  a symmetric matrix to which there is no {@link #objection}; its values as they are now
     * @param scale   what the matrix is multiplied by
     * @param inverse the inverse of a diagonal preconditioner in the backend's memory space, which outlives this; null
     *                for none
     * @param most    the most iterations of one run
     * @return what solves the system
     * @throws org.trellis.common.UnsupportedKernelException if there is an {@link #objection}
     */
    @MustBeClosed
    Solution conjugateGradients(CsrMatrix matrix, double scale, DenseVector inverse, int most);
}
