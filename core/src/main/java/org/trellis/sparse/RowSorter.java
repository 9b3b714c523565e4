package org.trellis.sparse;

import java.util.Arrays;

/**
 * Sorts the entries of one row by column; entries of equal column keep their order. Reused from row to row, it
 * allocates only when a row is longer than any before.
 */
final class RowSorter {
    private static final int INSERTION_LIMIT = 24;

    private int[] columns = new int[64];
    private double[] values = new double[64];
    private long[] keys = new long[64];
    private double[] scratch = new double[64];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    int column(int k) {
        return columns[k];
    }

    double value(int k) {
        return values[k];
    }

    void add(int column, double value) {
        if (size == columns.length) {
            int capacity = (int) Math.min(Integer.MAX_VALUE - 8L, size * 2L);
            columns = Arrays.copyOf(columns, capacity);
            values = Arrays.copyOf(values, capacity);
            keys = new long[capacity];
            scratch = new double[capacity];
        }
        columns[size] = column;
        values[size] = value;
        size++;
    }

    void sort() {
        if (size <= INSERTION_LIMIT) {
            insertionSort();
        } else if (!sorted()) {
            keySort();
        }
    }

    private boolean sorted() {
        for (int k = 1; k < size; k++) {
            if (columns[k] < columns[k - 1]) {
                return false;
            }
        }
        return true;
    }

    private void insertionSort() {
        for (int k = 1; k < size; k++) {
            int column = columns[k];
            double value = values[k];
            int hole = k;
            while (hole > 0 && columns[hole - 1] > column) {
                columns[hole] = columns[hole - 1];
                values[hole] = values[hole - 1];
                hole--;
            }
            columns[hole] = column;
            values[hole] = value;
        }
    }

    /** The position in the low half of the key makes the order of equal columns stable. */
    private void keySort() {
        for (int k = 0; k < size; k++) {
            keys[k] = (long) columns[k] << 32 | k;
        }
        Arrays.sort(keys, 0, size);
        System.arraycopy(values, 0, scratch, 0, size);
        for (int k = 0; k < size; k++) {
            columns[k] = (int) (keys[k] >>> 32);
            values[k] = scratch[(int) keys[k]];
        }
    }
}
