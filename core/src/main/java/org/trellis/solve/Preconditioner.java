package org.trellis.solve;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.LinearOperator;

/**
 * An approximation of the inverse of a matrix: an operator that is applied once an iteration, {@code z = M⁻¹ r}.
 * Symmetric positive definite for conjugate gradients.
 */
public interface Preconditioner extends LinearOperator {
    /**
     * Returns the inverse as a diagonal, if it is one: a solver then multiplies by it where it needs the result, and
     * does not call {@link #apply}.
     *
     * @return a vector in the backend's memory space that lives as long as this object; empty unless overridden
     */
    default Optional<DenseVector> inverseDiagonal() {
        return Optional.empty();
    }
}
