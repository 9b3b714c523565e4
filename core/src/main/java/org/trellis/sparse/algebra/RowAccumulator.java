package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrSegment;

/**
 * Adds up one row of a matrix product by column. Two kinds: an array as wide as the result for rows that fill a fair
 * part of it, and a hash table for the others. Both add the terms of a column in the order in which they come, so they
 * give the same bits.
 */
final class RowAccumulator {
    private static final int MAX_DENSE_COLUMNS = 1 << 14;
    private static final int EMPTY = -1;
    private static final int HASH = 0x9E3779B1;

    private final int columns;
    /** The row that last touched each column, and its sum; made when a row first needs them. */
    private int[] lastRow;
    private double[] sums;
    private int[] keys = new int[0];
    private double[] hashSums = new double[0];
    private int mask;
    private int shift;
    private boolean wide;
    private int row;
    private int[] touched = new int[64];
    private long[] sortKeys = new long[0];
    private int size;

    RowAccumulator(int columns) {
        this.columns = columns;
    }

    /** Starts a row to which at most {@code bound} terms will be added. */
    void start(int newRow, long bound) {
        size = 0;
        row = newRow;
        wide = columns <= MAX_DENSE_COLUMNS || bound > columns / 8;
        if (!wide) {
            startHash((int) bound);
        } else if (lastRow == null) {
            lastRow = new int[columns];
            Arrays.fill(lastRow, EMPTY);
            sums = new double[columns];
        }
    }

    private void startHash(int bound) {
        int capacity = Math.max(16, Integer.highestOneBit(Math.max(1, bound)) << 2);
        if (keys.length < capacity) {
            keys = new int[capacity];
            hashSums = new double[capacity];
        }
        mask = capacity - 1;
        shift = Integer.numberOfLeadingZeros(mask);
        Arrays.fill(keys, 0, capacity, EMPTY);
    }

    int size() {
        return size;
    }

    /** Notes that the row has an entry in a column. */
    void touch(int column) {
        if (wide) {
            if (lastRow[column] != row) {
                lastRow[column] = row;
                size++;
            }
        } else {
            int slot = slot(column);
            if (keys[slot] == EMPTY) {
                keys[slot] = column;
                size++;
            }
        }
    }

    /** Adds a multiple of some entries. */
    void add(double factor, CsrSegment segment, int from, int to) {
        HostVector values = segment.values();
        int[] columnIndices = segment.columnIndices();
        if (values.precision() == Precision.F64) {
            double[] storage = values.doubleStorage();
            int shift = values.offset();
            for (int l = from; l < to; l++) {
                add(columnIndices[l], factor * storage[shift + l]);
            }
        } else {
            float[] storage = values.floatStorage();
            int shift = values.offset();
            for (int l = from; l < to; l++) {
                add(columnIndices[l], factor * storage[shift + l]);
            }
        }
    }

    void add(int column, double term) {
        if (wide) {
            if (lastRow[column] == row) {
                sums[column] += term;
            } else {
                lastRow[column] = row;
                sums[column] = term;
                note(column);
            }
            return;
        }
        int slot = slot(column);
        if (keys[slot] == column) {
            hashSums[slot] += term;
        } else {
            keys[slot] = column;
            hashSums[slot] = term;
            note(slot);
        }
    }

    private int slot(int column) {
        int slot = (column * HASH) >>> shift;
        while (keys[slot] != column && keys[slot] != EMPTY) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void note(int place) {
        if (size == touched.length) {
            touched = Arrays.copyOf(touched, 2 * size);
        }
        touched[size++] = place;
    }

    /** Stores the row with its columns in order. */
    void store(int[] columnIndices, HostVector values, int at) {
        if (wide) {
            storeWide(columnIndices, values, at);
            return;
        }
        if (sortKeys.length < size) {
            sortKeys = new long[Math.max(2 * size, 64)];
        }
        for (int i = 0; i < size; i++) {
            sortKeys[i] = ((long) keys[touched[i]] << 32) | touched[i];
        }
        Arrays.sort(sortKeys, 0, size);
        for (int i = 0; i < size; i++) {
            columnIndices[at + i] = (int) (sortKeys[i] >>> 32);
            values.set(at + i, hashSums[(int) sortKeys[i]]);
        }
    }

    private void storeWide(int[] columnIndices, HostVector values, int at) {
        if (size > columns / 8) {
            int to = at;
            for (int j = 0; j < columns; j++) {
                if (lastRow[j] == row) {
                    columnIndices[to] = j;
                    values.set(to++, sums[j]);
                }
            }
            return;
        }
        Arrays.sort(touched, 0, size);
        for (int i = 0; i < size; i++) {
            columnIndices[at + i] = touched[i];
            values.set(at + i, sums[touched[i]]);
        }
    }
}
