package org.trellis.internal.threads.smooth;

import java.util.Arrays;

/** Runs of rows that have as many entries as each other, for kernels that are written out for a number of entries. */
final class RowRuns {
    /** Rows that a run must have on average so that it is worth to look for the end of it. */
    private static final int WORTH_IT = 16;

    private final int[] starts;
    private final int count;

    private RowRuns(int[] starts, int count) {
        this.starts = starts;
        this.count = count;
    }

    /**
     * Finds runs.
     *
     * @param offsets where each row starts
     * @return the runs, or null if they are short
     */
    static RowRuns of(int[] offsets) {
        int rows = offsets.length - 1;
        int[] starts = new int[16];
        int count = 0;
        for (int row = 0; row < rows; row++) {
            boolean starting = row == 0 || offsets[row + 1] - offsets[row] != offsets[row] - offsets[row - 1];
            if (starting && (long) count * WORTH_IT > rows) {
                return null;
            }
            if (starting) {
                starts = count + 1 == starts.length ? Arrays.copyOf(starts, 2 * starts.length) : starts;
                starts[count++] = row;
            }
        }
        starts[count] = rows;
        return new RowRuns(starts, count);
    }

    /** The run that a row is in. */
    int of(int row) {
        int found = Arrays.binarySearch(starts, 0, count, row);
        return found < 0 ? -found - 2 : found;
    }

    int start(int run) {
        return starts[run];
    }

    int end(int run) {
        return starts[run + 1];
    }
}
