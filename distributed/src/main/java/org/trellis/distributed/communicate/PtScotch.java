package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The parallel partitioner PT-Scotch 6 or 7 (C. Chevalier, F. Pellegrini, "PT-Scotch: a tool for efficient parallel
 * graph ordering", Parallel Comput. 34, 2008).
 */
final class PtScotch {
    static final String FILE = "libptscotch(-[0-9.]+)?\\.so[.0-9]*";
    private static final long AMPLE = 4096;

    private final PartitionerLibrary library;
    private final ValueLayout number;

    PtScotch(PartitionerLibrary library) {
        this.library = library;
        this.number = (int) library.call("SCOTCH_numSizeof", FunctionDescriptor.of(JAVA_INT)) == Integer.BYTES
                ? JAVA_INT
                : JAVA_LONG;
    }

    int[] partition(int[] offsets, int[] neighbours, int parts, double tolerance) {
        try (Arena arena = Arena.ofConfined()) {
            return partition(arena, offsets, neighbours, parts, tolerance);
        }
    }

    private int[] partition(Arena arena, int[] offsets, int[] neighbours, int parts, double tolerance) {
        MemorySegment graph = arena.allocate(AMPLE, Long.BYTES);
        MemorySegment strategy = arena.allocate(AMPLE, Long.BYTES);
        library.call("SCOTCH_randomReset", FunctionDescriptor.ofVoid());
        check("SCOTCH_dgraphInit", FunctionDescriptor.of(JAVA_INT, ADDRESS, library.handleLayout()), graph,
                library.handle());
        check("SCOTCH_stratInit", FunctionDescriptor.of(JAVA_INT, ADDRESS), strategy);
        try {
            int vertices = offsets.length - 1;
            MemorySegment starts = PartitionerLibrary.copy(arena, number, offsets);
            MemorySegment none = MemorySegment.NULL;
            check("SCOTCH_dgraphBuild",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, number, number, number, ADDRESS, ADDRESS, ADDRESS, ADDRESS,
                            number, number, ADDRESS, ADDRESS, ADDRESS),
                    graph, argument(0), argument(vertices), argument(vertices), starts,
                    starts.asSlice(number.byteSize()), none, none, argument(neighbours.length),
                    argument(neighbours.length), PartitionerLibrary.copy(arena, number, neighbours), none,
                    none);
            check("SCOTCH_stratDgraphMapBuild",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, number, number, number, JAVA_DOUBLE), strategy,
                    argument(0), argument(library.communicator().size()), argument(parts), tolerance - 1);
            MemorySegment partOf = arena.allocate(number, Math.max(1, vertices));
            check("SCOTCH_dgraphPart", FunctionDescriptor.of(JAVA_INT, ADDRESS, number, ADDRESS, ADDRESS), graph,
                    argument(parts), strategy, partOf);
            return PartitionerLibrary.read(partOf, number, vertices);
        } finally {
            library.call("SCOTCH_stratExit", FunctionDescriptor.ofVoid(ADDRESS), strategy);
            library.call("SCOTCH_dgraphExit", FunctionDescriptor.ofVoid(ADDRESS), graph);
        }
    }

    private Object argument(int value) {
        return number.byteSize() == Integer.BYTES ? (Object) value : (Object) (long) value;
    }

    private void check(String name, FunctionDescriptor descriptor, Object... arguments) {
        library.check(0, name, descriptor, arguments);
    }
}
