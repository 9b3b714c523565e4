package org.trellis.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** The calls that concern textures: JCuda's take no plain address of memory. */
@SuppressWarnings("restricted") // native calls
final class TextureCalls {
    // CUDA_RESOURCE_DESC with a pitched picture in it.
    private static final long RESOURCE_BYTES = 144;
    private static final long DATA = 8;
    private static final long FORMAT = 16;
    private static final long CHANNELS = 20;
    private static final long WIDTH = 24;
    private static final long HEIGHT = 32;
    private static final long PITCH = 40;
    /** {@code CU_RESOURCE_TYPE_PITCH2D}. */
    private static final int PITCHED = 3;
    /** {@code CU_AD_FORMAT_FLOAT}. */
    private static final int FLOATS = 0x20;
    private static final int FOUR = 4;
    // CUDA_TEXTURE_DESC.
    private static final long TEXTURE_BYTES = 104;
    private static final long FILTER = 12;
    private static final int ADDRESS_MODES = 3;
    /** {@code CU_TR_ADDRESS_MODE_CLAMP}. */
    private static final int CLAMPED = 1;
    /** {@code CU_TR_FILTER_MODE_LINEAR}. */
    private static final int LINEAR = 1;

    private static final MethodHandle CREATE = FastCalls.unbound(ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle DESTROY = FastCalls.unbound(JAVA_LONG);

    private final MemorySegment create;
    private final MemorySegment destroy;

    private record Handle(long address) implements NativeHandle {}

    private TextureCalls(SymbolLookup library) {
        create = library.findOrThrow("cuTexObjectCreate");
        destroy = library.findOrThrow("cuTexObjectDestroy");
    }

    /**
     * Looks the calls up in the driver's library.
     *
     * @param library the library, which stays loaded as long as the process runs
     * @return the calls
     */
    static TextureCalls load(Path library) {
        return new TextureCalls(SymbolLookup.libraryLookup(library, Arena.global()));
    }

    NativeHandle create(long address, int columns, int rows, long pitchBytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment resource = arena.allocate(RESOURCE_BYTES, Long.BYTES);
            resource.set(JAVA_INT, 0, PITCHED);
            resource.set(JAVA_LONG, DATA, address);
            resource.set(JAVA_INT, FORMAT, FLOATS);
            resource.set(JAVA_INT, CHANNELS, FOUR);
            resource.set(JAVA_LONG, WIDTH, columns);
            resource.set(JAVA_LONG, HEIGHT, rows);
            resource.set(JAVA_LONG, PITCH, pitchBytes);
            MemorySegment how = arena.allocate(TEXTURE_BYTES, Long.BYTES);
            for (int axis = 0; axis < ADDRESS_MODES; axis++) {
                how.set(JAVA_INT, (long) axis * Integer.BYTES, CLAMPED);
            }
            how.set(JAVA_INT, FILTER, LINEAR);
            MemorySegment texture = arena.allocate(JAVA_LONG);
            JCudaBinding.check("cuTexObjectCreate", (int) ForeignCalls.rethrow(() -> (int) CREATE
                    .invokeExact(create, texture, resource, how, MemorySegment.NULL)));
            return new Handle(texture.get(JAVA_LONG, 0));
        }
    }

    void destroy(NativeHandle texture) {
        long object = texture.address();
        JCudaBinding.check("cuTexObjectDestroy",
                (int) ForeignCalls.rethrow(() -> (int) DESTROY.invokeExact(destroy, object)));
    }
}
