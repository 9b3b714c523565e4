package org.trellis.solve.smooth;

import java.util.List;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.solve.Preconditioner;

/**
 * A preconditioner that can also improve an iterate in place, {@code x ← x + M⁻¹ (b − A x)}. To {@link #apply apply} it
 * is to sweep from {@code x = 0}. Between two of either, values of the matrix do not change.
 *
 * <p>An application or a sweep is a list of steps that run one after the other; those bound to vectors once allocate
 * nothing when they run, and can each be a step of a sequence. Operands belong to {@link #domain()}; b and x do not
 * overlap. A smoother has work vectors of its own, so only one of its applications or sweeps runs at a time.
 */
public interface Smoother extends Preconditioner {
    /**
     * Improves an iterate. Costs what {@link #apply} costs, and a product for the residual unless the smoother needs
     * none.
     *
     * @param b         the right-hand side
     * @param x         the iterate, overwritten
     * @param direction in which order unknowns are visited, where that means something
     * @throws IllegalArgumentException if an operand does not belong to the domain, or they overlap
     * @throws IllegalStateException    if this smoother is closed or the numbering of an operand was replaced
     */
    void sweep(DenseVector b, DenseVector x, SweepDirection direction);

    /**
     * Prepares {@link #sweep(DenseVector, DenseVector, SweepDirection) sweeps} with operands that stay the same.
     *
     * @param b         the right-hand side
     * @param x         the iterate
     * @param direction in which order unknowns are visited, where that means something
     * @return steps that run in this order and that the caller closes
     * @throws IllegalArgumentException if an operand does not belong to the domain, or they overlap
     * @throws IllegalStateException    if this smoother is closed or the numbering of an operand was replaced
     */
    List<PreparedStep> bindSweep(DenseVector b, DenseVector x, SweepDirection direction);

    /**
     * Says whether sweeps in different directions are different.
     *
     * @return false unless overridden
     */
    default boolean hasDirections() {
        return false;
    }

    /**
     * Returns the memory that this takes beside the matrix it was made of.
     *
     * @return bytes of factors, reordered copies and work vectors
     */
    long storedBytes();

    /**
     * Says what this is and with which settings, for reports.
     *
     * @return a name such as {@code ssor} and what was chosen
     */
    String describe();

    /**
     * Says what this is and of which size, for a smoother of some rows of a larger matrix, such as those of one rank.
     *
     * @param rows the number that is named
     * @return what {@link Object#toString} says, with that number in place of the own one where it says one; the own
     *         text unless overridden
     */
    default String describe(long rows) {
        return toString();
    }
}
