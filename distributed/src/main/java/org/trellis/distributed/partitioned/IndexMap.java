package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.common.Checks;

/** Numbers 64-bit indices in the order in which they are added. Open addressing; not thread-safe. */
public final class IndexMap {
    /** What is returned for an index that was not added. */
    public static final int ABSENT = -1;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int LARGEST_TABLE = 1 << 30;

    private long[] indices;
    private int size;
    /** Numbers by hash; {@link #ABSENT} where there is none. */
    private int[] table;
    private int shift;

    /**
     * Makes an empty map.
     *
     * @param expected how many indices are expected; any number works
     */
    public IndexMap(int expected) {
        indices = new long[Math.max(8, expected)];
        rehash(tableFor(indices.length));
    }

    private static int tableFor(int count) {
        return (int) Math.min(LARGEST_TABLE, Long.highestOneBit(Math.max(8, 2L * count - 1)) << 1);
    }

    private void rehash(int length) {
        table = new int[length];
        Arrays.fill(table, ABSENT);
        shift = Long.SIZE - Integer.numberOfTrailingZeros(length);
        for (int i = 0; i < size; i++) {
            table[slot(indices[i])] = i;
        }
    }

    /** Returns the place of an index, or the free one where it would go. */
    private int slot(long index) {
        int at = (int) ((index * GOLDEN) >>> shift);
        while (table[at] != ABSENT && indices[table[at]] != index) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    /**
     * Returns the number of indices.
     *
     * @return at least 0
     */
    public int size() {
        return size;
    }

    /**
     * Returns the number of an index.
     *
     * @param index the index
     * @return its number, or {@link #ABSENT}
     */
    public int get(long index) {
        return table[slot(index)];
    }

    /**
     * Returns the index of a number.
     *
     * @param number from 0 to {@code size() - 1}
     * @return the index
     * @throws IndexOutOfBoundsException if there is no such number
     */
    public long index(int number) {
        return indices[Checks.index("number of an index", number, size)];
    }

    /**
     * Adds an index, unless it is there.
     *
     * @param index the index
     * @return true if it was not there; its number is then {@code size() - 1}
     * @throws IllegalArgumentException if there are 2²⁹ indices already
     */
    public boolean add(long index) {
        int at = slot(index);
        if (table[at] != ABSENT) {
            return false;
        }
        if (size == LARGEST_TABLE / 2) {
            throw new IllegalArgumentException("a map of indices has " + size + " indices, expected no more");
        }
        if (size == indices.length) {
            indices = Arrays.copyOf(indices, 2 * size);
        }
        indices[size] = index;
        table[at] = size++;
        if (2 * size > table.length && table.length < LARGEST_TABLE) {
            rehash(2 * table.length);
        }
        return true;
    }
}
