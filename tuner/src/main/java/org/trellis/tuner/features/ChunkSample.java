package org.trellis.tuner.features;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Looks at how a few chunks of rows would be stored: by diagonals, in runs, in vectors of rows. The chunks are those
 * of formats that store by diagonals on processors, their halves those of a warp.
 */
final class ChunkSample {
    /** Chunks that are examined. */
    static final int CHUNKS = 24;
    /** Rows of a chunk. */
    static final int ROWS = 64;
    /** Entries of a row that are examined. */
    static final int ENTRIES = 256;
    /** Diagonals of more places for each entry are all the same: no layout stores them. */
    static final int MOST_PADDING = 8;

    private static final int HALF = ROWS / 2;
    /** Places for each entry up to which a chunk is taken to be stored by diagonals. */
    private static final int MOST_STORED = 2;
    private static final int[] RUNS = {6, 4, 3, 2};
    /** Columns of a line: 64 bytes of doubles. */
    private static final int LINE_SHIFT = 3;

    private final int[] lower = new int[HALF * ENTRIES];
    private final int[] upper = new int[HALF * ENTRIES];
    private final int[] lines = new int[RowPass.VECTOR * ENTRIES];
    private int[] offsets;
    private int[] indices;
    private long entries;
    private long places;
    private long stored;
    private long full;
    private double runBits;
    private long gaps;
    private long gapBits;
    private long rowPlaces;
    private long rowEntries;
    private long touched;

    private ChunkSample() {}

    static ChunkSample of(CsrMatrix matrix) {
        ChunkSample sample = new ChunkSample();
        long all = (matrix.rows() + ROWS - 1L) / ROWS;
        long taken = Math.min(CHUNKS, all);
        for (CsrSegment segment : matrix.segments()) {
            sample.offsets = segment.rowOffsets();
            sample.indices = segment.columnIndices();
            for (long i = 0; i < taken; i++) {
                // The middle of each of equal parts; all chunks if there are few.
                long first = (2 * i + 1) * all / (2 * taken) * ROWS - segment.firstRow();
                if (first >= 0 && first < segment.rows()) {
                    sample.add((int) first, (int) Math.min(segment.rows(), first + ROWS));
                }
            }
        }
        return sample;
    }

    private int end(int row) {
        return Math.min(offsets[row + 1], offsets[row] + ENTRIES);
    }

    private void add(int from, int to) {
        int middle = Math.min(to, from + HALF);
        int low = addHalf(lower, from, from, middle);
        int high = addHalf(upper, from, middle, to);
        entries += low + high;
        long chunkPlaces = (long) (to - from) * differentDiagonals(low, high);
        places += chunkPlaces;
        stored += to - from == ROWS && chunkPlaces <= (long) MOST_STORED * (low + high) ? low + high : 0;
        for (int row = from; row < to; row++) {
            addGaps(row);
        }
        for (int row = from; row < to; row += RowPass.VECTOR) {
            touched += touchedLines(row, Math.min(to, row + RowPass.VECTOR));
        }
        addSorted(from, to);
    }

    /** Collects the diagonals of the entries, sorted, and what half a chunk is judged by; returns their number. */
    private int addHalf(int[] diagonals, int chunk, int from, int to) {
        int count = 0;
        for (int row = from; row < to; row++) {
            for (int k = offsets[row]; k < end(row); k++) {
                diagonals[count++] = indices[k] - (row - chunk);
            }
        }
        Arrays.sort(diagonals, 0, count);
        for (int i = 0, next; i < count; i = next) {
            for (next = i; next < count && diagonals[next] == diagonals[i];) {
                next++;
            }
            full += 4 * (next - i) >= 3 * (to - from) ? next - i : 0;
        }
        if (count > 0) {
            runBits += count * MatrixFeatures.log2(commonRun(from, to));
        }
        return count;
    }

    /** Counts what is in at least one of the two sorted lists. */
    private int differentDiagonals(int low, int high) {
        int count = 0;
        int i = 0;
        int j = 0;
        while (i < low || j < high) {
            int next = j == high || (i < low && lower[i] < upper[j]) ? lower[i] : upper[j];
            while (i < low && lower[i] == next) {
                i++;
            }
            while (j < high && upper[j] == next) {
                j++;
            }
            count++;
        }
        return count;
    }

    private int commonRun(int from, int to) {
        for (int run : RUNS) {
            int row = from;
            while (row < to && inRuns(row, run)) {
                row++;
            }
            if (row == to) {
                return run;
            }
        }
        return 1;
    }

    private boolean inRuns(int row, int run) {
        if ((offsets[row + 1] - offsets[row]) % run != 0) {
            return false;
        }
        for (int k = offsets[row]; k + run <= end(row); k += run) {
            if (indices[k + run - 1] - indices[k] != run - 1) {
                return false;
            }
        }
        return true;
    }

    private void addGaps(int row) {
        for (int k = offsets[row] + 1; k < end(row); k++) {
            gapBits += Integer.SIZE - 1 - Integer.numberOfLeadingZeros(indices[k] - indices[k - 1]);
            gaps++;
        }
    }

    private int touchedLines(int from, int to) {
        int count = 0;
        for (int row = from; row < to; row++) {
            for (int k = offsets[row]; k < end(row); k++) {
                lines[count++] = indices[k] >> LINE_SHIFT;
            }
        }
        Arrays.sort(lines, 0, count);
        int different = 0;
        for (int i = 0; i < count; i++) {
            different += i == 0 || lines[i] != lines[i - 1] ? 1 : 0;
        }
        return different;
    }

    private void addSorted(int from, int to) {
        int[] lengths = new int[to - from];
        for (int row = from; row < to; row++) {
            lengths[row - from] = offsets[row + 1] - offsets[row];
        }
        Arrays.sort(lengths);
        for (int i = lengths.length - 1; i >= 0; i--) {
            rowEntries += lengths[i];
            // The longest of each vector comes first from the end.
            rowPlaces += (lengths.length - 1 - i) % RowPass.VECTOR == 0
                    ? (long) lengths[i] * Math.min(RowPass.VECTOR, i + 1)
                    : 0;
        }
    }

    /** Returns the features, with a number that the pass over all rows has found. */
    ChunkFeatures features(double vectorPadding) {
        if (entries == 0) {
            return new ChunkFeatures(MOST_PADDING, 0, 0, 1, 0, vectorPadding, 1, 1);
        }
        return new ChunkFeatures(Math.min(MOST_PADDING, (double) places / entries), (double) stored / entries,
                (double) full / entries, Math.pow(2, runBits / entries), gaps == 0 ? 0 : (double) gapBits / gaps,
                vectorPadding, (double) rowPlaces / rowEntries, (double) touched / entries);
    }
}
