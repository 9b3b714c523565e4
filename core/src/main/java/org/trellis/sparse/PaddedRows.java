package org.trellis.sparse;

import org.trellis.memory.HostVector;

/** The places of a padded format: columns and values, of which every so many belong to one row. */
record PaddedRows(int[] columnIndices, HostVector values) {
    /**
     * Copies a row. Padding keeps value 0 and repeats the row's last column, so that it reads memory that the row reads
     * anyway; an empty row keeps column 0.
     *
     * @param segment where the row comes from
     * @param row     its number in the segment
     * @param first   the place of its first entry
     * @param stride  from one entry to the next
     * @param width   how many places the row has, at least its entries
     */
    void fill(CsrSegment segment, int row, int first, int stride, int width) {
        int start = segment.rowOffsets()[row];
        int length = segment.rowOffsets()[row + 1] - start;
        for (int k = 0, target = first; k < width; k++, target += stride) {
            if (k < length) {
                columnIndices[target] = segment.columnIndices()[start + k];
                segment.values().copyRange(start + k, values, target, 1);
            } else if (length > 0) {
                columnIndices[target] = segment.columnIndices()[start + length - 1];
            }
        }
    }
}
