package org.trellis.solve.smooth;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * A symmetric matrix {@code L + I + K + I + Lᵀ} in the order of sweeps and scaled, so that {@code (I + L) (I + Lᵀ)} is
 * the preconditioner: what Eisenstat's product is made of. Vectors are in the order of sweeps, too, so that all
 * streams.
 *
 * @param lower    L
 * @param upper    its transpose
 * @param middle   the diagonal K
 * @param weights  what an element of {@code (I + L) r̂} is multiplied by for the residual of the system
 * @param stages   where each stage starts, and the number of rows; not decreasing, the first 0
 * @param schedule what may run at once; with {@link StagedRows.Schedule#BLOCKS} all rows are one block
 */
public record SplitRows(CsrMatrix lower, CsrMatrix upper, Diagonal middle, Diagonal weights, int[] stages,
        StagedRows.Schedule schedule) {
    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if they do not fit each other
     */
    public SplitRows {
        Objects.requireNonNull(schedule);
        Checks.length("number of rows of the upper triangle", upper.rows(), lower.rows());
        if (stages.length == 0 || stages[0] != 0 || stages[stages.length - 1] != lower.rows()) {
            throw new IllegalArgumentException("stages of " + lower + ", expected offsets from 0 to its "
                    + lower.rows() + " rows");
        }
    }

    /**
     * A diagonal, all elements of which may be the same, so that none of them has to be read.
     *
     * @param value    the element, if there are no elements
     * @param elements the elements, or null
     */
    public record Diagonal(double value, HostVector elements) {
        /**
         * Looks whether all elements are the same.
         *
         * @param elements the elements
         * @return the diagonal
         */
        public static Diagonal of(HostVector elements) {
            for (int i = 1; i < elements.length(); i++) {
                if (elements.get(i) != elements.get(0)) {
                    return new Diagonal(0, elements);
                }
            }
            return new Diagonal(elements.length() == 0 ? 1 : elements.get(0), null);
        }

        /**
         * Returns an element.
         *
         * @param row its place
         * @return the element
         */
        public double get(int row) {
            return elements == null ? value : elements.get(row);
        }

        long bytes() {
            return elements == null ? 0 : (long) elements.length() * elements.precision().bytes();
        }
    }

    /**
     * Returns the number of stages.
     *
     * @return at least 0
     */
    public int stageCount() {
        return stages.length - 1;
    }

    /**
     * Returns the memory that this takes.
     *
     * @return bytes
     */
    public long bytes() {
        return lower.storedBytes() + upper.storedBytes() + middle.bytes() + weights.bytes();
    }
}
