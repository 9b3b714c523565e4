package org.trellis.cuda.sparse;

import java.util.Arrays;

/** Integers added one after another. */
final class IntList {
    private int[] elements = new int[64];
    private int size;

    void add(int... more) {
        if (size + more.length > elements.length) {
            elements = Arrays.copyOf(elements, Math.max(2 * elements.length, size + more.length));
        }
        System.arraycopy(more, 0, elements, size, more.length);
        size += more.length;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(elements, size);
    }
}
