package org.trellis.sparse;

import java.util.Objects;
import org.trellis.memory.HostVector;

/**
 * A range of rows of a {@link CsrMatrix} whose non-zeros fit one Java array. Matrices below 2³¹ − 9 non-zeros have
 * exactly one; a larger one is cut between rows, and the global offset of an entry is {@link #base()} plus its 32-bit
 * offset here.
 *
 * <p>The arrays are the matrix's own: read them, never write them.
 */
public final class CsrSegment {
    private final int firstRow;
    private final long base;
    private final int[] rowOffsets;
    private final int[] columnIndices;
    private final HostVector values;

    CsrSegment(int firstRow, long base, int[] rowOffsets, int[] columnIndices, HostVector values) {
        this.firstRow = firstRow;
        this.base = base;
        this.rowOffsets = Objects.requireNonNull(rowOffsets);
        this.columnIndices = Objects.requireNonNull(columnIndices);
        this.values = Objects.requireNonNull(values);
    }

    /**
     * Returns the first row of the matrix that is in this segment.
     *
     * @return its index in the matrix
     */
    public int firstRow() {
        return firstRow;
    }

    /**
     * Returns the number of rows in this segment.
     *
     * @return at least 0
     */
    public int rows() {
        return rowOffsets.length - 1;
    }

    /**
     * Returns the number of non-zeros in the segments before this one.
     *
     * @return the 64-bit offset of this segment's first entry
     */
    public long base() {
        return base;
    }

    /**
     * Returns the number of non-zeros in this segment.
     *
     * @return at least 0
     */
    public int nonZeros() {
        return rowOffsets[rowOffsets.length - 1];
    }

    /**
     * Returns where each row starts.
     *
     * @return {@code rows + 1} offsets into the other arrays, the first 0; the array itself
     */
    public int[] rowOffsets() {
        return rowOffsets;
    }

    /**
     * Returns the column of each entry.
     *
     * @return strictly increasing within a row; at least {@link #nonZeros()} long; the array itself
     */
    public int[] columnIndices() {
        return columnIndices;
    }

    /**
     * Returns the value of each entry.
     *
     * @return at least {@link #nonZeros()} long; the vector itself
     */
    public HostVector values() {
        return values;
    }

    /**
     * Returns where a row starts in the arrays. Not checked.
     *
     * @param row a row of this segment, counted in the matrix
     * @return the place of its first entry
     */
    public int rowStart(int row) {
        return rowOffsets[row - firstRow];
    }

    /**
     * Returns where a row ends in the arrays. Not checked.
     *
     * @param row a row of this segment, counted in the matrix
     * @return the place behind its last entry
     */
    public int rowEnd(int row) {
        return rowOffsets[row - firstRow + 1];
    }
}
