package org.trellis.fem;

/**
 * Rows whose values are kept in pieces, as they were when this was made: rows of element matrices, or of padded
 * storage. Columns may come several times.
 */
interface FrozenRows {
    /** Returns the values of a row, those that pad it among them. */
    int length(int row);

    /**
     * Writes a row.
     *
     * @param row     the row
     * @param values  gets its values
     * @param columns gets their columns, which may be constrained unknowns
     * @param at      where in both
     */
    void copy(int row, double[] values, int[] columns, int at);
}
