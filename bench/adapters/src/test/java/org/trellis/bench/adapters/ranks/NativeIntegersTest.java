package org.trellis.bench.adapters.ranks;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class NativeIntegersTest {
    @Test
    void areAsWideAsWhatWasWritten() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment slot = arena.allocate(Long.BYTES, Long.BYTES).fill((byte) -1);
            slot.set(JAVA_INT, 0, 5555);
            assertEquals(NativeIntegers.INTS, NativeIntegers.writtenTo(slot));
            slot.set(JAVA_LONG, 0, 5555);
            assertEquals(new NativeIntegers(Long.BYTES), NativeIntegers.writtenTo(slot));
        }
    }

    @Test
    void holdAndWidenValues() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ints = arena.allocateFrom(JAVA_INT, 7, 0, -3);
            assertSame(ints, NativeIntegers.INTS.of(arena, ints));
            NativeIntegers longs = new NativeIntegers(Long.BYTES);
            MemorySegment wide = longs.of(arena, ints);
            assertEquals(-3, wide.getAtIndex(JAVA_LONG, 2));
            longs.put(wide, 0, 1L << 40);
            assertEquals(1L << 40, longs.get(wide));
            MemorySegment narrow = NativeIntegers.INTS.allocate(arena, 2);
            NativeIntegers.INTS.put(narrow, 1, 9);
            assertEquals(9, narrow.getAtIndex(JAVA_INT, 1));
            assertThrows(ArithmeticException.class, () -> NativeIntegers.INTS.put(narrow, 0, 1L << 40));
        }
    }
}
