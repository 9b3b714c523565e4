package org.trellis.distributed.halo;

import org.trellis.memory.HostVector;

/**
 * The rows that a rank multiplies, its own and those of its rings but the last, with local columns. The entries of a
 * row are in the order of their <em>global</em> columns on every rank, so that a row is summed in the same order
 * wherever it is computed: redundant results have the same bits as their owners'.
 *
 * @param offsets where each row starts, and behind the last where it ends. Not to be changed
 * @param columns the local column of each entry. Not to be changed
 * @param values  the value of each entry. Not to be changed
 */
public record LocalRows(int[] offsets, int[] columns, HostVector values) {
    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int rows() {
        return offsets.length - 1;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return rows() + " local rows with " + offsets[rows()] + " non-zeros";
    }
}
