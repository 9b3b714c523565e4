package org.trellis.internal.nativepartitioners;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.trellis.common.TrellisException;
import org.trellis.mesh.order.Graph;

/** {@code METIS_PartGraphKway} and {@code METIS_NodeND} of METIS 5 with its default options. */
public final class MetisPartitioner extends NativePartitioner {
    private static final int OPTIONS = 40;
    private static final int OK = 1;
    private static final int LOW_BITS = 32;
    private static final FunctionDescriptor PARTITION = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS,
            ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);

    private static final FunctionDescriptor ORDER = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS,
            ADDRESS, ADDRESS, ADDRESS);

    /** Makes the partitioner; nothing is loaded. */
    public MetisPartitioner() {
        super("metis", "libmetis\\.(so|dylib)(\\.5[.0-9]*)?", "libmetis5");
    }

    @Override
    int[] call(NativeLibrary loaded, Graph graph, int parts, double tolerance) {
        MethodHandle function = loaded.function("METIS_PartGraphKway", PARTITION);
        MemorySegment none = MemorySegment.NULL;
        try (Arena arena = Arena.ofConfined()) {
            IndexWidth width = width(loaded, arena);
            MemorySegment partOf = width.allocate(arena, graph.vertices());
            int status = (int) NativeLibrary.call(function, width.copy(arena, graph.vertices()), width.copy(arena, 1),
                    width.copy(arena, graph.offsets()), width.copy(arena, graph.neighbours()), none, none, none,
                    width.copy(arena, parts), none, tolerance(arena, tolerance), none, width.allocate(arena, 1),
                    partOf);
            if (status != OK) {
                throw new TrellisException("METIS_PartGraphKway of " + loaded.file() + " failed on a " + graph + " and "
                        + parts + " parts with status " + status);
            }
            return width.read(partOf);
        }
    }

    @Override
    int[] order(NativeLibrary loaded, Graph graph) {
        MethodHandle function = loaded.function("METIS_NodeND", ORDER);
        MemorySegment none = MemorySegment.NULL;
        try (Arena arena = Arena.ofConfined()) {
            IndexWidth width = width(loaded, arena);
            MemorySegment vertexAt = width.allocate(arena, graph.vertices());
            int status = (int) NativeLibrary.call(function, width.copy(arena, graph.vertices()),
                    width.copy(arena, graph.offsets()), width.copy(arena, graph.neighbours()), none, none, vertexAt,
                    width.allocate(arena, graph.vertices()));
            if (status != OK) {
                throw new TrellisException("METIS_NodeND of " + loaded.file() + " failed on a " + graph
                        + " with status " + status);
            }
            return width.read(vertexAt);
        }
    }

    /** The default options are all -1: how far they reach shows how wide an integer is. */
    private static IndexWidth width(NativeLibrary loaded, Arena arena) {
        MethodHandle function = loaded.function("METIS_SetDefaultOptions", FunctionDescriptor.of(JAVA_INT, ADDRESS));
        MemorySegment options = arena.allocate(JAVA_LONG, OPTIONS);
        NativeLibrary.call(function, options);
        return options.get(JAVA_INT, (long) OPTIONS * Integer.BYTES) == -1 ? IndexWidth.BITS_64 : IndexWidth.BITS_32;
    }

    /**
     * Passes a real number to a library that was built with {@code float} or {@code double}, which does not show. The
     * lower half is the float; as a double, the upper half counts, and the lower half is beyond the 20th bit.
     */
    private static MemorySegment tolerance(Arena arena, double value) {
        long low = Integer.toUnsignedLong(Float.floatToRawIntBits((float) value));
        long high = Double.doubleToRawLongBits(value) >>> LOW_BITS << LOW_BITS;
        return arena.allocateFrom(JAVA_LONG, high | low);
    }
}
