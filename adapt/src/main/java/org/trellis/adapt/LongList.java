package org.trellis.adapt;

import java.util.Arrays;

/** A list of numbers that grows. */
final class LongList {
    private long[] values = new long[16];
    private int size;

    void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    void copyTo(long[] target, int from) {
        System.arraycopy(values, 0, target, from, size);
    }
}
