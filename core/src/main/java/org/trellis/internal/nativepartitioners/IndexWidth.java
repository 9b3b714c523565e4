package org.trellis.internal.nativepartitioners;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** The integers of a library that was built with 32 or 64 bits, which its users cannot see. */
enum IndexWidth {
    /** Four bytes each. */
    BITS_32,
    /** Eight bytes each. */
    BITS_64;

    MemorySegment copy(Arena arena, int... values) {
        return this == BITS_32
                ? arena.allocateFrom(ValueLayout.JAVA_INT, values)
                : arena.allocateFrom(ValueLayout.JAVA_LONG, Arrays.stream(values).asLongStream().toArray());
    }

    MemorySegment allocate(Arena arena, int count) {
        return this == BITS_32
                ? arena.allocate(ValueLayout.JAVA_INT, count)
                : arena.allocate(ValueLayout.JAVA_LONG, count);
    }

    int[] read(MemorySegment segment) {
        return this == BITS_32
                ? segment.toArray(ValueLayout.JAVA_INT)
                : Arrays.stream(segment.toArray(ValueLayout.JAVA_LONG)).mapToInt(Math::toIntExact).toArray();
    }

    /** Returns a number as an argument of the library's type. */
    Object argument(int value) {
        if (this == BITS_32) {
            return value;
        }
        return (long) value;
    }

    ValueLayout layout() {
        return this == BITS_32 ? ValueLayout.JAVA_INT : ValueLayout.JAVA_LONG;
    }
}
