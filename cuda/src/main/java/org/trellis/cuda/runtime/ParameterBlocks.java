package org.trellis.cuda.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Native memory for the arguments of launches: blocks of one size, each with room for the values and, after them, the
 * addresses of the values, which never change.
 */
final class ParameterBlocks implements AutoCloseable {
    private static final long VALUES_BYTES = (long) KernelLaunch.MAXIMUM_ARGUMENTS * Long.BYTES;

    private final Arena arena = Arena.ofShared();
    private final Deque<MemorySegment> free = new ArrayDeque<>();

    MemorySegment take() {
        MemorySegment reused = free.poll();
        return reused != null ? reused : create();
    }

    private MemorySegment create() {
        MemorySegment block = arena.allocate(2 * VALUES_BYTES, Long.BYTES);
        MemorySegment pointers = pointers(block);
        for (int i = 0; i < KernelLaunch.MAXIMUM_ARGUMENTS; i++) {
            pointers.setAtIndex(ValueLayout.JAVA_LONG, i, block.address() + (long) i * Long.BYTES);
        }
        return block;
    }

    static MemorySegment pointers(MemorySegment block) {
        return block.asSlice(VALUES_BYTES);
    }

    void giveBack(MemorySegment block) {
        free.push(block);
    }

    @Override
    public void close() {
        arena.close();
    }
}
