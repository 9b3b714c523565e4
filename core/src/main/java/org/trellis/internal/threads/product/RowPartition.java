package org.trellis.internal.threads.product;

import java.util.Arrays;

/**
 * Cuts the rows of a compressed sparse row structure into units of about equal work. A unit is a range of whole rows or
 * a piece of one long row; the results of the pieces are partial sums, which are added up in their order afterwards.
 * Where long rows are cut does not depend on the number of threads, so neither do the bits of the result.
 */
final class RowPartition {
    /** Non-zeros of the pieces of a long row; rows of up to twice as many stay whole. */
    static final int PIECE = DoubleOrderedRows.PIECE;

    /** Non-zeros below which a unit costs more to hand out than it gains. */
    private static final int SMALLEST_UNIT = 8_192;
    private static final int UNITS_PER_THREAD = 12;

    /** First row of each unit; for a piece, its row. */
    private int[] firstRow = new int[16];
    /** Row after the last of each unit; for a piece, -1 less its number among all pieces. */
    private int[] endRow = new int[16];
    /** Where the piece of a row starts within the row. */
    private int[] begin = new int[16];
    private int units;
    private int pieces;

    private RowPartition() {}

    /**
     * Cuts rows.
     *
     * @param offsets where each row starts
     * @param threads number of threads
     * @param split   whether long rows are cut too
     */
    static RowPartition of(int[] offsets, int threads, boolean split) {
        RowPartition result = new RowPartition();
        int rows = offsets.length - 1;
        int target = unitSize(offsets[rows], rows, threads);
        int first = 0;
        long work = 0;
        for (int row = 0; row < rows; row++) {
            int length = offsets[row + 1] - offsets[row];
            if (split && length > 2 * PIECE) {
                result.addRows(first, row);
                result.addPieces(row, length);
                first = row + 1;
                work = 0;
                continue;
            }
            work += length + 1L;
            if (work >= target) {
                result.addRows(first, row + 1);
                first = row + 1;
                work = 0;
            }
        }
        result.addRows(first, rows);
        return result;
    }

    /** The work of one unit; a row counts as one more than its non-zeros. */
    static int unitSize(int nonZeros, int rows, int threads) {
        return (int) Math.max(SMALLEST_UNIT, ((long) nonZeros + rows) / ((long) UNITS_PER_THREAD * threads) + 1);
    }

    private void addRows(int first, int end) {
        if (first < end) {
            add(first, end, 0);
        }
    }

    private void addPieces(int row, int length) {
        for (long at = 0; at < length; at += PIECE) {
            add(row, -1 - pieces++, (int) at);
        }
    }

    private void add(int first, int end, int at) {
        if (units == firstRow.length) {
            firstRow = Arrays.copyOf(firstRow, 2 * units);
            endRow = Arrays.copyOf(endRow, 2 * units);
            begin = Arrays.copyOf(begin, 2 * units);
        }
        firstRow[units] = first;
        begin[units] = at;
        endRow[units++] = end;
    }

    int units() {
        return units;
    }

    /** The number of pieces of long rows. */
    int pieces() {
        return pieces;
    }

    boolean isPiece(int unit) {
        return endRow[unit] < 0;
    }

    int firstRow(int unit) {
        return firstRow[unit];
    }

    int endRow(int unit) {
        return endRow[unit];
    }

    /** The number of a piece among all pieces. */
    int piece(int unit) {
        return -1 - endRow[unit];
    }

    /** Where a piece starts within its row. */
    int pieceBegin(int unit) {
        return begin[unit];
    }
}
