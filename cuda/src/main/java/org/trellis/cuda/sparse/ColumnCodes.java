package org.trellis.cuda.sparse;

import java.util.Arrays;

/**
 * Columns as codes of 16 bits, without loss: the upper four bits choose one of up to 16 bases, the lower twelve are
 * added to it. A group of neighbouring rows whose columns lie in up to 16 windows of 4096 columns can be coded: one
 * window serves a band, several serve stencils, whose columns lie in narrow clusters that are far apart.
 */
final class ColumnCodes {
    /** The code that no column has. */
    static final int PADDING = 0xffff;

    /** The most bases. */
    static final int MAXIMUM_BASES = 16;

    private static final int OFFSET_BITS = 12;
    private static final int LARGEST_OFFSET = (1 << OFFSET_BITS) - 1;

    private ColumnCodes() {}

    /**
     * Finds bases for some columns: each the first column that the ones before it do not reach.
     *
     * @param columns columns in any order, sorted by this call
     * @param count   how many of them
     * @return up to {@value #MAXIMUM_BASES} increasing bases, or null if more would be needed
     */
    static int[] cover(int[] columns, int count) {
        Arrays.sort(columns, 0, count);
        int[] bases = new int[MAXIMUM_BASES];
        int used = 0;
        long end = -1;
        for (int i = 0; i < count; i++) {
            if (columns[i] > end) {
                if (used == MAXIMUM_BASES) {
                    return null;
                }
                bases[used++] = columns[i];
                // The last code of the last window means padding.
                end = (long) columns[i] + LARGEST_OFFSET - (used == MAXIMUM_BASES ? 1 : 0);
            }
        }
        return Arrays.copyOf(bases, used);
    }

    /**
     * Codes a column.
     *
     * @param bases  bases that {@link #cover} found for it
     * @param column the column
     * @return its code
     */
    static int encode(int[] bases, int column) {
        int found = Arrays.binarySearch(bases, column);
        int base = found >= 0 ? found : -found - 2;
        return base << OFFSET_BITS | (column - bases[base]);
    }

    /**
     * Decodes a column; what the kernels do.
     *
     * @param bases the bases
     * @param code  a code
     * @return the column, or -1 for padding
     */
    static int decode(int[] bases, int code) {
        return code == PADDING ? -1 : bases[code >> OFFSET_BITS] + (code & LARGEST_OFFSET);
    }

    /**
     * Writes a column as two codes, in the order of the device's memory, where a group is not coded.
     *
     * @param codes  where to write
     * @param at     the first of two codes
     * @param column the column, or -1 for padding
     */
    static void writeWide(short[] codes, int at, int column) {
        codes[at] = (short) column;
        codes[at + 1] = (short) (column >>> Short.SIZE);
    }
}
