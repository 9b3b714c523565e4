package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;

/**
 * Copies of arrays that do not change, columns of maps and parts of plans, shared by the loops that use them. An array
 * is known by its identity; its copy is freed when the last loop gives it back.
 */
final class DeviceArrays {
    private final CudaContext context;
    private final IdentityHashMap<Object, Copy> copies = new IdentityHashMap<>();

    private static final class Copy {
        private final CudaBuffer buffer;
        private int users;

        Copy(CudaBuffer buffer) {
            this.buffer = buffer;
        }
    }

    DeviceArrays(CudaContext context) {
        this.context = context;
    }

    /** Returns the address of a copy, made if there is none. Given back once for each call. */
    @SuppressWarnings("MustBeClosed") // closed when it was given back as often
    long retain(Object array) {
        Copy copy = copies.computeIfAbsent(array, a -> new Copy(context.upload(segment(a))));
        copy.users++;
        return copy.buffer.address();
    }

    void giveBack(Object array) {
        Copy copy = copies.get(array);
        copy.users--;
        if (copy.users == 0) {
            copies.remove(array);
            copy.buffer.close();
        }
    }

    /** Returns the number of copies. */
    int count() {
        return copies.size();
    }

    private static MemorySegment segment(Object array) {
        return switch (array) {
            case int[] ints -> MemorySegment.ofArray(ints);
            case short[] shorts -> MemorySegment.ofArray(shorts);
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            default -> throw new IllegalArgumentException("an array of type " + array.getClass().getSimpleName()
                    + ", expected int[], short[] or byte[]");
        };
    }
}
