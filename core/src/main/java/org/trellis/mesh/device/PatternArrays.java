package org.trellis.mesh.device;

import java.util.List;

/**
 * The entries of a matrix and where those of element matrices are among them. Arrays are not copied; they are not
 * changed.
 */
public final class PatternArrays {
    private final int[] rowOffsets;
    private final int[] columnIndices;
    private final List<int[][]> positions;

    /**
     * Creates arrays.
     *
     * @param rowOffsets    where each row starts, and the number of entries
     * @param columnIndices the column of each entry, rising within a row
     * @param positions     for each block of {@link PatternTables} one column for each pair: that of row i and column j
     *                      is number {@code i * columnArity + j}, and has the entry of each element
     */
    public PatternArrays(int[] rowOffsets, int[] columnIndices, List<int[][]> positions) {
        this.rowOffsets = rowOffsets;
        this.columnIndices = columnIndices;
        this.positions = List.copyOf(positions);
    }

    /**
     * Returns where rows start.
     *
     * @return one more than there are rows
     */
    public int[] rowOffsets() {
        return rowOffsets;
    }

    /**
     * Returns the columns of entries.
     *
     * @return one for each entry
     */
    public int[] columnIndices() {
        return columnIndices;
    }

    /**
     * Returns where the entries of element matrices are.
     *
     * @return one table for each block
     */
    public List<int[][]> positions() {
        return positions;
    }

    @Override
    public String toString() {
        return columnIndices.length + " entries in " + (rowOffsets.length - 1) + " rows";
    }
}
