package org.trellis.internal.simd;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.internal.threads.product.DoubleOrderedRows;

/**
 * Which rows share a chunk of SELL-C-σ: rows in the order of decreasing length within windows of σ rows, C at a time.
 * Rows longer than {@link #LONGEST} are left out; they are multiplied one by one.
 */
final class SellStructure {
    /** Non-zeros up to which a row is put into a chunk. */
    static final int LONGEST = DoubleOrderedRows.LONGEST;

    private static final int ROWS_PER_TASK = 1 << 14;

    private final int lanes;
    private final int[] rows;
    private final int[] lengths;
    private final int[] longRows;
    private final int count;

    private SellStructure(int lanes, int[] rows, int[] lengths, int count, int[] longRows) {
        this.lanes = lanes;
        this.rows = rows;
        this.lengths = lengths;
        this.count = count;
        this.longRows = longRows;
    }

    /**
     * Sorts rows into chunks.
     *
     * @param whole   where each row starts, which decides on whether it is long
     * @param offsets where its entries that are multiplied start: the same, or those of a block of columns
     * @param lanes   C
     * @param window  σ, a multiple of C
     */
    static SellStructure of(int[] whole, int[] offsets, int lanes, int window) {
        int total = offsets.length - 1;
        int[] order = new int[(total + lanes - 1) / lanes * lanes];
        int[] longRows = new int[16];
        int count = 0;
        int longCount = 0;
        for (int row = 0; row < total; row++) {
            if (whole[row + 1] - whole[row] <= LONGEST) {
                order[count++] = row;
            } else {
                if (longCount == longRows.length) {
                    longRows = Arrays.copyOf(longRows, 2 * longCount);
                }
                longRows[longCount++] = row;
            }
        }
        sort(offsets, order, count, window);
        int padded = (count + lanes - 1) / lanes * lanes;
        int[] lengths = new int[padded];
        for (int i = 0; i < count; i++) {
            lengths[i] = offsets[order[i] + 1] - offsets[order[i]];
        }
        return new SellStructure(lanes, padded == order.length ? order : Arrays.copyOf(order, padded), lengths, count,
                Arrays.copyOf(longRows, longCount));
    }

    private static void sort(int[] offsets, int[] order, int count, int window) {
        int windows = Math.ceilDiv(count, window);
        ParallelRanges.run(windows, Math.ceilDiv(ROWS_PER_TASK, window), (from, to) -> {
            int[] unsorted = new int[Math.min(window, count)];
            int[] starts = new int[LONGEST + 2];
            for (int w = from; w < to; w++) {
                sortWindow(offsets, order, w * window, (int) Math.min((w + 1L) * window, count), unsorted, starts);
            }
        });
    }

    /** A counting sort, stable, so that rows of one length keep their order. */
    private static void sortWindow(int[] offsets, int[] order, int from, int to, int[] unsorted, int[] starts) {
        Arrays.fill(starts, 0);
        for (int i = from; i < to; i++) {
            starts[LONGEST - (offsets[order[i] + 1] - offsets[order[i]]) + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        System.arraycopy(order, from, unsorted, 0, to - from);
        for (int i = 0; i < to - from; i++) {
            int row = unsorted[i];
            order[from + starts[LONGEST - (offsets[row + 1] - offsets[row])]++] = row;
        }
    }

    int chunks() {
        return rows.length / lanes;
    }

    /** The rows in chunks, the last chunk filled up with row 0. */
    int[] rows() {
        return rows;
    }

    /** Their lengths, 0 for what fills up the last chunk. */
    int[] lengths() {
        return lengths;
    }

    /** The number of rows in chunks. */
    int count() {
        return count;
    }

    int[] longRows() {
        return longRows;
    }
}
