package org.trellis.solve;

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

    /** Releases device memory. Idempotent. */
    @Override
    void close();
}
