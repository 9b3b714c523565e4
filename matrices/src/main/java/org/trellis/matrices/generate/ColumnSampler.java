package org.trellis.matrices.generate;

import java.util.Arrays;

/**
 * Draws distinct columns from a window, each subset with the same probability: draws, sorts, drops repeats, and draws
 * again what is missing. Where more than half of the window is requested, the complement is drawn. Costs O(k log k) for
 * k columns, and O(window) where more than half of it is requested.
 */
final class ColumnSampler {
    private ColumnSampler() {}

    /**
     * Writes columns to an empty buffer, in increasing order, values 0.
     *
     * @param random   source of the draws
     * @param from     first column of the window
     * @param width    columns in the window
     * @param count    columns requested, at most {@code width}, at least 1 if {@code required} is not negative
     * @param required a column of the window that must be among them, or -1
     * @param buffer   gets the columns
     */
    static void draw(SplitMix random, int from, int width, int count, int required, RowBuffer buffer) {
        int[] columns = buffer.reserve(count);
        if (count > width / 2) {
            int left = distinct(random, from, width, width - count, required, columns);
            complement(from, width, left, columns, buffer);
        } else if (required < 0) {
            distinct(random, from, width, count, -1, columns);
            buffer.resize(count);
        } else {
            int others = distinct(random, from, width, count - 1, required, columns);
            int at = -Arrays.binarySearch(columns, 0, others, required) - 1;
            System.arraycopy(columns, at, columns, at + 1, others - at);
            columns[at] = required;
            buffer.resize(count);
        }
    }

    /** Draws {@code count} columns other than {@code excluded}; returns their number. */
    private static int distinct(SplitMix random, int from, int width, int count, int excluded, int[] columns) {
        int drawn = 0;
        while (drawn < count) {
            for (int k = drawn; k < count; k++) {
                columns[k] = from + random.nextInt(width);
            }
            Arrays.sort(columns, 0, count);
            drawn = dropRepeats(columns, count, excluded);
        }
        return drawn;
    }

    private static int dropRepeats(int[] columns, int count, int excluded) {
        int kept = 0;
        for (int k = 0; k < count; k++) {
            int column = columns[k];
            if (column != excluded && (kept == 0 || columns[kept - 1] != column)) {
                columns[kept++] = column;
            }
        }
        return kept;
    }

    private static void complement(int from, int width, int left, int[] columns, RowBuffer buffer) {
        int[] excluded = Arrays.copyOf(columns, left);
        int[] target = buffer.reserve(width - left);
        int next = 0;
        int size = 0;
        for (int column = from; column < from + width; column++) {
            if (next < left && excluded[next] == column) {
                next++;
            } else {
                target[size++] = column;
            }
        }
        buffer.resize(size);
    }
}
