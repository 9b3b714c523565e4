package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.common.Checks;

/**
 * Numbers 64-bit indices in the order in which they are added. While they lie close together, as the rows of a rank
 * mostly do, a table by index answers in one step; once they do not, it becomes one by hash with open addressing. Not
 * thread-safe.
 */
public final class IndexMap {
    /** What is returned for an index that was not added. */
    public static final int ABSENT = -1;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int LARGEST_TABLE = 1 << 30;
    /** A table by index may have so many places for each index that is there or expected. */
    private static final int PLACES = 8;
    private static final int ALWAYS = 1024;
    private static final long GREATEST_DIRECT = 1L << 62;

    private long[] indices;
    private int size;
    /** Numbers by hash, or by how far an index is from the first; {@link #ABSENT} where there is none. */
    private int[] table;
    private int shift;
    private boolean direct;
    /** The index of the first place of a direct table. */
    private long first;

    /**
     * Makes an empty map.
     *
     * @param expected how many indices are expected; any number works
     */
    public IndexMap(int expected) {
        indices = new long[Math.max(8, expected)];
        table = new int[0];
        direct = true;
    }

    private static int tableFor(int count) {
        return (int) Math.min(LARGEST_TABLE, Long.highestOneBit(Math.max(8, 2L * count - 1)) << 1);
    }

    private void rehash(int length) {
        direct = false;
        table = new int[length];
        Arrays.fill(table, ABSENT);
        shift = Long.SIZE - Integer.numberOfTrailingZeros(length);
        for (int i = 0; i < size; i++) {
            table[slot(indices[i])] = i;
        }
    }

    /**
     * Makes a direct table reach an index, with as much room again behind it on its side; or makes it one by hash if
     * the indices are too far apart.
     */
    private void reach(long index) {
        long last = table.length == 0 ? index : Math.max(first + table.length - 1, index);
        long lowest = table.length == 0 ? index : Math.min(first, index);
        long most = Math.min(LARGEST_TABLE, Math.max(ALWAYS, (long) PLACES * indices.length));
        long needed = last - lowest + 1;
        if (index < 0 || index > GREATEST_DIRECT || needed > most) {
            rehash(tableFor(Math.max(size + 1, indices.length)));
            return;
        }
        int length = (int) Math.min(most, Math.max(table.length == 0 ? indices.length : 2L * table.length, needed));
        long start = table.length > 0 && index < first ? lowest - (length - needed) : lowest;
        int[] grown = new int[length];
        Arrays.fill(grown, ABSENT);
        System.arraycopy(table, 0, grown, table.length == 0 ? 0 : (int) (first - start), table.length);
        first = start;
        table = grown;
    }

    /** Returns the place of an index, or the free one where it would go; or none of a direct table. */
    private int place(long index) {
        if (!direct) {
            return slot(index);
        }
        long at = index - first;
        return at >= 0 && at < table.length ? (int) at : ABSENT;
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
        if (direct) {
            long at = index - first;
            return at >= 0 && at < table.length ? table[(int) at] : ABSENT;
        }
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
        int before = size;
        numberOf(index);
        return size > before;
    }

    /**
     * Returns the number of an index, which is added unless it is there.
     *
     * @param index the index
     * @return its number; of an added one {@code size() - 1}
     * @throws IllegalArgumentException if there are 2²⁹ indices already
     */
    public int numberOf(long index) {
        int at = place(index);
        if (at == ABSENT) {
            reach(index);
            at = place(index);
        }
        if (table[at] != ABSENT) {
            return table[at];
        }
        if (size == LARGEST_TABLE / 2) {
            throw new IllegalArgumentException("a map of indices has " + size + " indices, expected no more");
        }
        if (size == indices.length) {
            indices = Arrays.copyOf(indices, 2 * size);
        }
        int number = size++;
        indices[number] = index;
        table[at] = number;
        if (!direct && 2 * size > table.length && table.length < LARGEST_TABLE) {
            rehash(2 * table.length);
        }
        return number;
    }
}
