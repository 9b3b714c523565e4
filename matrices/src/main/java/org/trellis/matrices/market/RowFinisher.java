package org.trellis.matrices.market;

import java.util.Arrays;

/**
 * Puts the entries of a row into the order of their columns and adds up those that are given more than once, in the
 * order of the file. Rows that are in order, which is nearly all of them, are only checked.
 *
 * <p>Not thread-safe: one per thread.
 */
final class RowFinisher {

    /** Up to this length insertion beats sorting keys. */
    private static final int INSERTION_LENGTH = 24;

    private final int[] columns;
    private final double[] values;
    private long[] keys = new long[0];
    private double[] sorted = new double[0];

    RowFinisher(int[] columns, double[] values) {
        this.columns = columns;
        this.values = values;
    }

    /** Finishes the entries in {@code [from, to)} and returns how many are left; they start at {@code from}. */
    int finish(int from, int to) {
        boolean ascending = true;
        boolean distinct = true;
        for (int k = from + 1; k < to; k++) {
            ascending &= columns[k - 1] <= columns[k];
            distinct &= columns[k - 1] != columns[k];
        }
        if (!ascending) {
            sort(from, to);
            distinct = false;
        }
        return distinct ? to - from : addUp(from, to);
    }

    private void sort(int from, int to) {
        if (to - from <= INSERTION_LENGTH) {
            insertionSort(from, to);
        } else {
            keySort(from, to);
        }
    }

    private void insertionSort(int from, int to) {
        for (int next = from + 1; next < to; next++) {
            int column = columns[next];
            double value = values[next];
            int hole = next;
            while (hole > from && columns[hole - 1] > column) {
                columns[hole] = columns[hole - 1];
                values[hole] = values[hole - 1];
                hole--;
            }
            columns[hole] = column;
            values[hole] = value;
        }
    }

    /** Sorts column and place together, so that equal columns keep the order of the file. */
    private void keySort(int from, int to) {
        int length = to - from;
        if (keys.length < length) {
            keys = new long[length];
            sorted = new double[length];
        }
        for (int k = 0; k < length; k++) {
            keys[k] = EntryBlock.key(columns[from + k], k);
        }
        Arrays.sort(keys, 0, length);
        for (int k = 0; k < length; k++) {
            columns[from + k] = (int) (keys[k] >>> 32);
            sorted[k] = values[from + (int) keys[k]];
        }
        System.arraycopy(sorted, 0, values, from, length);
    }

    private int addUp(int from, int to) {
        int last = from;
        for (int k = from + 1; k < to; k++) {
            if (columns[k] == columns[last]) {
                values[last] += values[k];
            } else {
                last++;
                columns[last] = columns[k];
                values[last] = values[k];
            }
        }
        return Math.min(to, last + 1) - from;
    }
}
