package org.trellis.internal.simd;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** A look at where the entries of a matrix lie, at a sample of its rows. */
final class ColumnPattern {
    /** Places of a chunk of diagonals for each entry, up to which it is stored so. */
    static final double MOST_FILL = 2;

    private static final int SAMPLES = 16;
    /** Chunks with more entries are not worth a look: long rows are best multiplied one by one. */
    private static final int MOST_ENTRIES = 16_384;
    private static final int LONGEST_RUN = 4;
    private static final int WINDOW = 128;
    /** Columns of a cache line of 64 bytes. */
    private static final int LINE = 8;
    private static final double MOSTLY = 0.7;
    /** Mean entries of a row in a block of columns, from which blocks pay. */
    private static final double FEWEST_A_BLOCK = 1.5;

    private ColumnPattern() {}

    /** The most slots that a chunk may have to be stored by diagonals. */
    static long mostSlots(int entries, int chunkRows) {
        return (long) (MOST_FILL * entries / chunkRows);
    }

    /**
     * Estimates the memory of storage by diagonals.
     *
     * @return places for each entry, infinite if the entries of most chunks lie too far apart
     */
    static double diagonalFill(CsrMatrix matrix, int chunkRows) {
        long places = 0;
        long entries = 0;
        for (CsrSegment segment : matrix.segments()) {
            int chunks = segment.rows() / chunkRows;
            int step = Math.max(1, chunks / SAMPLES);
            for (int chunk = step / 2; chunk < chunks; chunk += step) {
                int first = chunk * chunkRows;
                int inChunk = segment.rowOffsets()[first + chunkRows] - segment.rowOffsets()[first];
                entries += inChunk;
                places += (long) chunkRows * diagonals(segment, first, chunkRows, inChunk);
            }
        }
        return entries == 0 ? Double.POSITIVE_INFINITY : (double) places / entries;
    }

    private static int diagonals(CsrSegment segment, int firstRow, int rows, int entries) {
        if (entries > MOST_ENTRIES) {
            return entries;
        }
        int[] found = new int[entries];
        int count = 0;
        for (int lane = 0; lane < rows; lane++) {
            int end = segment.rowOffsets()[firstRow + lane + 1];
            for (int k = segment.rowOffsets()[firstRow + lane]; k < end; k++) {
                found[count++] = segment.columnIndices()[k] - lane;
            }
        }
        Arrays.sort(found);
        return different(found, 1);
    }

    /**
     * Estimates whether a product gains from blocks of columns: whether rows have enough entries in each block, and the
     * entries of neighbouring rows rarely share a cache line and lie in most blocks.
     */
    static boolean gainsFromBlocks(CsrMatrix matrix, int blockColumns) {
        int blocks = (matrix.columns() - 1) / blockColumns + 1;
        if (matrix.nonZeros() < FEWEST_A_BLOCK * blocks * matrix.rows()) {
            return false;
        }
        long entries = 0;
        long lines = 0;
        long visits = 0;
        long windows = 0;
        for (CsrSegment segment : matrix.segments()) {
            int step = Math.max(WINDOW, segment.rows() / SAMPLES);
            for (int row = 0; row + WINDOW <= segment.rows(); row += step) {
                int from = segment.rowOffsets()[row];
                int[] columns = Arrays.copyOfRange(segment.columnIndices(), from,
                        Math.min(segment.rowOffsets()[row + WINDOW], from + MOST_ENTRIES));
                Arrays.sort(columns);
                entries += columns.length;
                lines += different(columns, LINE);
                visits += different(columns, blockColumns);
                windows++;
            }
        }
        return lines > MOSTLY * entries && visits > MOSTLY * windows * blocks;
    }

    /** Counts groups of columns that occur among sorted ones. */
    private static int different(int[] sorted, int group) {
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            count += i == 0 || sorted[i] / group != sorted[i - 1] / group ? 1 : 0;
        }
        return count;
    }

    /**
     * Finds out whether all rows consist of runs of consecutive columns. Stops at the first row that does not.
     *
     * @return the longest length from 2 to 4 into which all runs can be cut, 1 if there is none
     */
    static int runLength(CsrMatrix matrix) {
        for (int length = LONGEST_RUN; length > 1; length--) {
            int wanted = length;
            if (matrix.nonZeros() > 0 && matrix.segments().stream().allMatch(s -> inRuns(s, wanted))) {
                return length;
            }
        }
        return 1;
    }

    private static boolean inRuns(CsrSegment segment, int length) {
        int[] offsets = segment.rowOffsets();
        int[] columns = segment.columnIndices();
        for (int row = 0; row < segment.rows(); row++) {
            if ((offsets[row + 1] - offsets[row]) % length != 0) {
                return false;
            }
            for (int k = offsets[row]; k < offsets[row + 1]; k += length) {
                if (columns[k + length - 1] - columns[k] != length - 1) {
                    return false;
                }
            }
        }
        return true;
    }
}
