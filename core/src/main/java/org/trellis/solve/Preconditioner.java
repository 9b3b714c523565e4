package org.trellis.solve;

import java.util.Optional;
import org.trellis.memory.DenseVector;

/**
 * An approximation of the inverse of a matrix, applied once an iteration. Symmetric positive definite for conjugate
 * gradients.
 */
public interface Preconditioner extends AutoCloseable {
    /**
     * Computes {@code z = M⁻¹ r}.
     *
     * @param r a vector in the backend's memory space
     * @param z overwritten; does not overlap {@code r}
     */
    void apply(DenseVector r, DenseVector z);

    /**
     * Returns the inverse as a diagonal, if it is one: a solver then multiplies by it where it needs the result, and does
     * not call {@link #apply}.
     *
     * @return a vector in the backend's memory space that lives as long as this object; empty unless overridden
     */
    default Optional<DenseVector> inverseDiagonal() {
        return Optional.empty();
    }

    /** Releases device memory. Idempotent. */
    @Override
    void close();
}
