package org.trellis.examples.rotor.mesh;

import java.util.Arrays;

/** Numbers by pairs of nodes, in any order of the two: a table with open addresses, never more than half full. */
final class NodePairs {
    private static final long EMPTY = -1;
    /** The golden ratio of 64 bits, which spreads keys that follow each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private long[] keys;
    private int[] numbers;
    private int count;

    /**
     * Makes an empty table.
     *
     * @param expected about how many pairs there will be
     */
    NodePairs(int expected) {
        int size = Integer.highestOneBit(Math.clamp(2L * expected, 8, 1 << 29)) << 1;
        keys = new long[size];
        numbers = new int[size];
        Arrays.fill(keys, EMPTY);
    }

    /** Returns where a key is, or where it would be. */
    private static int place(long[] keys, long key) {
        int mask = keys.length - 1;
        int at = (int) ((key * SPREAD) >>> Integer.SIZE) & mask;
        while (keys[at] != EMPTY && keys[at] != key) {
            at = (at + 1) & mask;
        }
        return at;
    }

    /**
     * Looks a pair up.
     *
     * @param a one node
     * @param b the other
     * @return its number, or -1 if it is not there
     */
    int find(int a, int b) {
        int at = place(keys, MedianDual.key(a, b));
        return keys[at] == EMPTY ? -1 : numbers[at];
    }

    /**
     * Adds a pair that is not there.
     *
     * @param a      one node
     * @param b      the other
     * @param number its number, at least 0
     * @return the number
     */
    int put(int a, int b, int number) {
        if (2 * (count + 1) > keys.length) {
            grow();
        }
        int at = place(keys, MedianDual.key(a, b));
        keys[at] = MedianDual.key(a, b);
        numbers[at] = number;
        count++;
        return number;
    }

    private void grow() {
        long[] larger = new long[Math.multiplyExact(2, keys.length)];
        int[] theirs = new int[larger.length];
        Arrays.fill(larger, EMPTY);
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != EMPTY) {
                int at = place(larger, keys[i]);
                larger[at] = keys[i];
                theirs[at] = numbers[i];
            }
        }
        keys = larger;
        numbers = theirs;
    }
}
