package org.trellis.solve;

import java.util.List;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.LinearOperator;

/**
 * An approximation of the inverse of a matrix: an operator that is applied once an iteration, {@code z = M⁻¹ r}. What a
 * method may rely on is part of it: whether it is symmetric, and whether it is the same operator each time.
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

    /**
     * Returns whether this is a positive multiple of the identity, which changes no iterate of conjugate gradients, so
     * that these need not apply it. Over several ranks it is asked of all of them, and has the same answer on each.
     *
     * @return true for a {@link #inverseDiagonal} whose elements are all the same; costs a pass over it
     */
    default boolean isMultipleOfIdentity() {
        DenseVector inverse = inverseDiagonal().orElse(null);
        if (inverse == null || inverse.length() == 0) {
            return false;
        }
        HostVector elements = HostVector.zeros(inverse.precision(), inverse.length());
        inverse.copyTo(elements);
        double first = elements.get(0);
        boolean same = first > 0 && first < Double.POSITIVE_INFINITY;
        for (int i = 1; i < elements.length() && same; i++) {
            same = elements.get(i) == first;
        }
        return same;
    }

    /**
     * Returns whether this is symmetric, and positive definite where the matrix is, as conjugate gradients and MINRES
     * need.
     *
     * @return false unless overridden
     */
    default boolean symmetric() {
        return false;
    }

    /**
     * Returns whether this may be another operator at each call, as an inner iteration is that ends by a tolerance.
     * Only flexible methods take such a one.
     *
     * @return false unless overridden
     */
    default boolean variable() {
        return false;
    }

    /**
     * Prepares {@code z = M⁻¹ r} with operands that stay the same, as steps that can each be a step of a sequence, and
     * so part of a graph where the backend has graphs.
     *
     * @param r a vector of {@link #domain()}
     * @param z a vector of {@link #range()}, overwritten without being read
     * @return steps that run in this order and that the caller closes; one bound product unless overridden
     * @throws IllegalArgumentException if an operand does not belong to domain or range, or they overlap
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    @SuppressWarnings("MustBeClosed") // in the list, which the caller closes
    default List<PreparedStep> bindApplication(DenseVector r, DenseVector z) {
        return List.of(bind(1, r, 0, z));
    }

    /**
     * Returns this and the matrix of a product in one, for conjugate gradients, if the triangles of this are those of
     * the matrix and the backend has sweeps for it.
     *
     * @param product the product that conjugate gradients would use
     * @return the product with {@code G⁻¹ A G⁻ᵀ}, where {@code G Gᵀ} is a multiple of M, which the caller closes before
     *         this; empty unless overridden
     */
    default Optional<SplitProduct> split(LinearOperator product) {
        return Optional.empty();
    }
}
