package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaTexture;

/**
 * Copies of arrays that do not change, columns of maps and parts of plans, shared by the loops that use them. An array
 * is known by its identity; its copy is freed when the last loop gives it back.
 */
final class DeviceArrays {
    private final CudaContext context;
    private final IdentityHashMap<Object, Copy> copies = new IdentityHashMap<>();

    private static final class Copy {
        private final Runnable release;
        private final long address;
        private int users;

        Copy(Runnable release, long address) {
            this.release = release;
            this.address = address;
        }
    }

    DeviceArrays(CudaContext context) {
        this.context = context;
    }

    /** Returns the address of a copy, made if there is none. Given back once for each call. */
    @SuppressWarnings("MustBeClosed") // closed when it was given back as often
    long retain(Object array) {
        Copy copy = copies.computeIfAbsent(array, a -> {
            CudaBuffer buffer = context.upload(segment(a));
            return new Copy(buffer::close, buffer.address());
        });
        copy.users++;
        return copy.address;
    }

    /** Returns a texture of four values for each point, made if there is none. Given back once for each call. */
    @SuppressWarnings("MustBeClosed") // closed when it was given back as often
    long retainTexture(float[] values, int columns, int rows) {
        Copy copy = copies.computeIfAbsent(values, a -> {
            CudaTexture texture = new CudaTexture(context, values, columns, rows);
            return new Copy(texture::close, texture.object());
        });
        copy.users++;
        return copy.address;
    }

    void giveBack(Object array) {
        Copy copy = copies.get(array);
        copy.users--;
        if (copy.users == 0) {
            copies.remove(array);
            copy.release.run();
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
            case float[] floats -> MemorySegment.ofArray(floats);
            case double[] doubles -> MemorySegment.ofArray(doubles);
            default -> throw new IllegalArgumentException("an array of type " + array.getClass().getSimpleName()
                    + ", expected numbers other than long");
        };
    }
}
