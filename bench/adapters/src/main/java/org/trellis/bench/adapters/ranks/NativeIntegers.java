package org.trellis.bench.adapters.ranks;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/**
 * Arrays of a library's own integers, as wide as it was built with.
 *
 * @param bytes the width, 4 or 8
 */
public record NativeIntegers(int bytes) {
    /** Ints. */
    public static final NativeIntegers INTS = new NativeIntegers(Integer.BYTES);

    /**
     * Finds a width.
     *
     * @param slot eight bytes that were all {@code 0xff} until a positive integer was written into them
     * @return ints if the upper half was left alone, else longs
     */
    public static NativeIntegers writtenTo(MemorySegment slot) {
        return slot.getAtIndex(JAVA_INT, 1) == -1 ? INTS : new NativeIntegers(Long.BYTES);
    }

    /** The layout of one. */
    MemoryLayout layout() {
        return bytes == Integer.BYTES ? JAVA_INT : JAVA_LONG;
    }

    /**
     * Allocates an array.
     *
     * @param arena how long it is needed
     * @param count its length
     * @return memory, all zero
     */
    public MemorySegment allocate(Arena arena, long count) {
        return arena.allocate(Math.max(1, count) * bytes, Long.BYTES);
    }

    /**
     * Writes an element.
     *
     * @param at    the array
     * @param index which
     * @param value its value
     * @throws ArithmeticException if it does not fit
     */
    public void put(MemorySegment at, long index, long value) {
        if (bytes == Integer.BYTES) {
            at.setAtIndex(JAVA_INT, index, Math.toIntExact(value));
        } else {
            at.setAtIndex(JAVA_LONG, index, value);
        }
    }

    /**
     * Reads the first element.
     *
     * @param at the array
     * @return its value
     */
    public long get(MemorySegment at) {
        return bytes == Integer.BYTES ? at.get(JAVA_INT, 0) : at.get(JAVA_LONG, 0);
    }

    /**
     * Returns ints as an array of this width.
     *
     * @param arena how long it is needed
     * @param ints  the ints
     * @return themselves where that is the width, else a copy
     */
    public MemorySegment of(Arena arena, MemorySegment ints) {
        if (bytes == Integer.BYTES) {
            return ints;
        }
        long count = ints.byteSize() / Integer.BYTES;
        MemorySegment wide = allocate(arena, count);
        for (long i = 0; i < count; i++) {
            wide.setAtIndex(JAVA_LONG, i, ints.getAtIndex(JAVA_INT, i));
        }
        return wide;
    }
}
