package org.trellis.matrices.generate;

import java.util.Arrays;

/** The entries of one row while it is made. Grows as needed; not thread-safe. */
public final class RowBuffer {
    private static final int FIRST_CAPACITY = 64;

    private int[] columns = new int[FIRST_CAPACITY];
    private double[] values = new double[FIRST_CAPACITY];
    private int size;

    /** Creates an empty buffer. */
    public RowBuffer() {}

    /**
     * Adds an entry.
     *
     * @param column its column, greater than that of the entry before it
     * @param value  its value
     */
    public void add(int column, double value) {
        if (size == columns.length) {
            reserve(size + 1);
        }
        columns[size] = column;
        values[size] = value;
        size++;
    }

    /**
     * Returns the number of entries so far.
     *
     * @return at least 0
     */
    public int size() {
        return size;
    }

    /** Forgets the entries. */
    void clear() {
        size = 0;
    }

    /** Makes room and returns the columns: the first {@link #size()} are in use, at least {@code capacity} there. */
    int[] reserve(int capacity) {
        if (capacity > columns.length) {
            int grown = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(capacity, columns.length * 2L));
            columns = Arrays.copyOf(columns, grown);
            values = Arrays.copyOf(values, grown);
        }
        return columns;
    }

    /**
     * Declares that the first {@code newSize} columns, written by the caller, are the row's; sets their values to 0.
     */
    void resize(int newSize) {
        size = newSize;
        Arrays.fill(values, 0, newSize, 0);
    }

    int column(int index) {
        return columns[index];
    }

    double value(int index) {
        return values[index];
    }

    void setValue(int index, double value) {
        values[index] = value;
    }

    void copyColumns(int[] target, int from) {
        System.arraycopy(columns, 0, target, from, size);
    }

    void copyValues(double[] target, int from) {
        System.arraycopy(values, 0, target, from, size);
    }

    void copyValues(float[] target, int from) {
        for (int k = 0; k < size; k++) {
            target[from + k] = (float) values[k];
        }
    }
}
