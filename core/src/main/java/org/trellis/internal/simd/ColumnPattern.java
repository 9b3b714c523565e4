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
        int different = 0;
        for (int i = 0; i < entries; i++) {
            different += i == 0 || found[i] != found[i - 1] ? 1 : 0;
        }
        return different;
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
