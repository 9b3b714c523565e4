package org.trellis.solve.smooth;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Rows of a matrix in the order in which a sweep visits them: the colours of a Gauss–Seidel sweep, the levels of a
 * triangular solve, the blocks of a hybrid one. They are stored stage by stage, so that a sweep streams through the
 * matrix; elements of vectors stay where they are.
 *
 * @param entries  the stored rows without the diagonal, as many columns as vectors have elements
 * @param rows     which element of a vector each stored row is about, each at most once; null if stored row k is about
 *                 element k
 * @param factors  a factor for each stored row, such as the inverse of its diagonal element; null for ones
 * @param stages   where each stage starts among the stored rows, and their number; not decreasing, the first 0
 * @param schedule what may run at once
 */
public record StagedRows(CsrMatrix entries, int[] rows, HostVector factors, int[] stages, Schedule schedule) {
    /** What of the stages may run at once. */
    public enum Schedule {
        /**
         * Stages one after the other; within one no row has an entry in the column of another, so that all may run at
         * once.
         */
        STAGES,
        /**
         * Rows of a stage one after the other; stages have no entries in each other's columns, so that all may run at
         * once.
         */
        BLOCKS
    }

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if they do not fit each other
     */
    public StagedRows {
        Objects.requireNonNull(schedule);
        if (rows != null) {
            Checks.length("number of staged rows", rows.length, entries.rows());
        } else if (entries.rows() > entries.columns()) {
            throw new IllegalArgumentException("staged rows of " + entries + ", expected no more rows than columns");
        }
        if (factors != null) {
            Checks.length("number of factors of staged rows", factors.length(), entries.rows());
        }
        if (stages.length == 0 || stages[0] != 0 || stages[stages.length - 1] != entries.rows()) {
            throw new IllegalArgumentException("stages of " + entries + ", expected offsets from 0 to its "
                    + entries.rows() + " rows");
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
     * Returns the element of vectors that a stored row is about.
     *
     * @param stored its place
     * @return the index
     */
    public int row(int stored) {
        return rows == null ? stored : rows[stored];
    }

    /**
     * Returns the memory that this takes.
     *
     * @return bytes
     */
    public long bytes() {
        return entries.storedBytes() + (rows == null ? 0 : (long) rows.length * Integer.BYTES)
                + (factors == null ? 0 : (long) factors.length() * factors.precision().bytes());
    }
}
