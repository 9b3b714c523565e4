package org.trellis.cuda.mesh;

import org.trellis.common.Checks;

/**
 * The rows of a map of variable arity for threads that read a row each: in slices of as many rows as a warp has
 * threads, the first entries of all rows of a slice, then the second ones, and so on, so that a warp reads them at
 * once.
 * Rows that are shorter than the longest of their slice are filled up with zeros, which nothing reads.
 *
 * @param starts  where slices start
 * @param lengths of the rows
 * @param entries entry k of row r is at starts[r / ROWS] + k * ROWS + r % ROWS
 */
record RowSlices(int[] starts, short[] lengths, int[] entries) {
    /** Rows of a slice are 2 to this power. */
    static final int SHIFT = 5;
    /** Rows of a slice. */
    static final int ROWS = 1 << SHIFT;
    private static final int MAX_ROW_LENGTH = 0xffff;

    /** Lays rows out anew. */
    static RowSlices of(int[] offsets, int[] targets) {
        int rows = offsets.length - 1;
        int slices = Math.ceilDiv(rows, ROWS);
        int[] starts = new int[slices + 1];
        short[] lengths = new short[rows];
        long total = 0;
        for (int slice = 0; slice < slices; slice++) {
            int longest = 0;
            for (int r = slice * ROWS; r < Math.min(rows, (slice + 1) * ROWS); r++) {
                int length = offsets[r + 1] - offsets[r];
                if (length > MAX_ROW_LENGTH) {
                    throw new IllegalArgumentException("row " + r + " has " + length + " entries, expected at most "
                            + MAX_ROW_LENGTH);
                }
                lengths[r] = (short) length;
                longest = Math.max(longest, length);
            }
            total += (long) longest * ROWS;
            starts[slice + 1] = Checks.arrayLength("entries of rows in slices", total);
        }
        int[] entries = new int[starts[slices]];
        for (int r = 0; r < rows; r++) {
            int at = starts[r >> SHIFT] + (r & (ROWS - 1));
            for (int p = offsets[r]; p < offsets[r + 1]; p++) {
                entries[at] = targets[p];
                at += ROWS;
            }
        }
        return new RowSlices(starts, lengths, entries);
    }
}
