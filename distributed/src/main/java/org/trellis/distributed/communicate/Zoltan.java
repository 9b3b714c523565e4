package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.common.TrellisException;

/**
 * The parallel hypergraph partitioner of Zoltan 3, for graphs (K. D. Devine et al., "Parallel hypergraph partitioning
 * for scientific computing", IPDPS 2006). It asks for the graph by calls back into Java.
 */
@SuppressWarnings("restricted") // native calls are what this class is for
final class Zoltan {
    static final String FILE = "lib(trilinos_)?zoltan\\.so[.0-9]*";
    private static final int OK = 0;
    /** What a query function gets: data, how many numbers an identity has, and so on. */
    private static final ValueLayout[] OBJECTS = {ADDRESS, ADDRESS};
    private static final ValueLayout[] LIST = {ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS,
        ADDRESS};
    private static final ValueLayout[] COUNTS = {ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS,
        ADDRESS};
    private static final ValueLayout[] EDGES = {ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS,
        ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS};

    private final PartitionerLibrary library;
    private final boolean narrow;

    Zoltan(PartitionerLibrary library) {
        this.library = library;
        try (Arena arena = Arena.ofConfined()) {
            library.check(OK, "Zoltan_Initialize", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS), 0,
                    MemorySegment.NULL, arena.allocate(JAVA_FLOAT));
            int bytes = (int) library.call("Zoltan_get_global_id_type", FunctionDescriptor.of(JAVA_INT, ADDRESS),
                    arena.allocate(ADDRESS));
            this.narrow = bytes == Integer.BYTES;
        }
    }

    int[] partition(int[] offsets, int[] neighbours, int parts, double tolerance) {
        long[] counts = library.communicator().gatherNumbers(offsets.length - 1);
        int[] firsts = new int[counts.length];
        for (int rank = 1; rank < counts.length; rank++) {
            firsts[rank] = Math.toIntExact(firsts[rank - 1] + counts[rank - 1]);
        }
        Queries queries = new Queries(offsets, neighbours, firsts, library.communicator().rank(), narrow);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = (MemorySegment) library.call("Zoltan_Create",
                    FunctionDescriptor.of(ADDRESS, library.handleLayout()), library.handle());
            if (made.address() == 0) {
                throw new TrellisException("Zoltan_Create of " + library.file() + " failed on rank "
                        + library.communicator().rank());
            }
            MemorySegment zoltan = arena.allocateFrom(ADDRESS, made);
            try {
                configure(arena, made, parts, tolerance);
                ask(arena, made, queries);
                return run(arena, made, offsets.length - 1);
            } finally {
                library.call("Zoltan_Destroy", FunctionDescriptor.ofVoid(ADDRESS), zoltan);
            }
        }
    }

    private void configure(Arena arena, MemorySegment zoltan, int parts, double tolerance) {
        String[][] values = {{"DEBUG_LEVEL", "0"}, {"LB_METHOD", "GRAPH"}, {"GRAPH_PACKAGE", "PHG"},
            {"LB_APPROACH", "PARTITION"}, {"NUM_GID_ENTRIES", "1"}, {"NUM_LID_ENTRIES", "1"}, {"OBJ_WEIGHT_DIM", "0"},
            {"EDGE_WEIGHT_DIM", "0"}, {"RETURN_LISTS", "PARTS"}, {"NUM_GLOBAL_PARTS", Integer.toString(parts)},
            {"IMBALANCE_TOL", String.format(Locale.ROOT, "%.6f", tolerance)}};
        for (String[] value : values) {
            library.check(OK, "Zoltan_Set_Param", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS), zoltan,
                    arena.allocateFrom(value[0]), arena.allocateFrom(value[1]));
        }
    }

    private void ask(Arena arena, MemorySegment zoltan, Queries queries) {
        set(arena, zoltan, "Num_Obj", queries, "count", FunctionDescriptor.of(JAVA_INT, OBJECTS));
        set(arena, zoltan, "Obj_List", queries, "list", FunctionDescriptor.ofVoid(LIST));
        set(arena, zoltan, "Num_Edges_Multi", queries, "edgeCounts", FunctionDescriptor.ofVoid(COUNTS));
        set(arena, zoltan, "Edge_List_Multi", queries, "edges", FunctionDescriptor.ofVoid(EDGES));
    }

    private void set(Arena arena, MemorySegment zoltan, String what, Queries queries, String method,
            FunctionDescriptor signature) {
        MethodType type = signature.toMethodType();
        MemorySegment stub;
        try {
            MethodHandle handle = MethodHandles.lookup().findVirtual(Queries.class, method, type).bindTo(queries);
            stub = Linker.nativeLinker().upcallStub(handle, signature, arena);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("query function " + method + " of type " + type, e);
        }
        library.check(OK, "Zoltan_Set_" + what + "_Fn", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS),
                zoltan, stub, MemorySegment.NULL);
    }

    /** Lists have all objects of the rank with their new parts. */
    private int[] run(Arena arena, MemorySegment zoltan, int vertices) {
        MemorySegment[] out = new MemorySegment[13];
        Arrays.setAll(out, i -> arena.allocate(JAVA_LONG));
        MemoryLayout[] types = new MemoryLayout[1 + out.length];
        Arrays.fill(types, ADDRESS);
        Object[] arguments = new Object[types.length];
        arguments[0] = zoltan;
        System.arraycopy(out, 0, arguments, 1, out.length);
        library.check(OK, "Zoltan_LB_Partition", FunctionDescriptor.of(JAVA_INT, types), arguments);
        try {
            int count = out[8].get(JAVA_INT, 0);
            if (count != vertices) {
                throw new TrellisException("Zoltan_LB_Partition of " + library.file() + " gave parts of " + count
                        + " vertices, expected " + vertices);
            }
            int[] partOf = new int[vertices];
            MemorySegment places = list(out[10], count);
            MemorySegment parts = list(out[12], count);
            for (int i = 0; i < count; i++) {
                partOf[Math.toIntExact(Queries.get(places, i, narrow))] = parts.getAtIndex(JAVA_INT, i);
            }
            return partOf;
        } finally {
            free(out, 4);
            free(out, 9);
        }
    }

    private static MemorySegment list(MemorySegment pointer, int count) {
        return pointer.get(ADDRESS, 0).reinterpret(Math.max(1L, count) * Long.BYTES);
    }

    private void free(MemorySegment[] out, int first) {
        library.check(OK, "Zoltan_LB_Free_Part", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS),
                out[first], out[first + 1], out[first + 2], out[first + 3]);
    }

    /** Answers; what goes wrong in them would end the process, so they only copy. */
    private record Queries(int[] offsets, int[] neighbours, int[] firsts, int rank, boolean narrow) {
        static long get(MemorySegment ids, long index, boolean narrow) {
            return narrow
                    ? Integer.toUnsignedLong(ids.getAtIndex(JAVA_INT, index))
                    : ids.getAtIndex(JAVA_LONG, index);
        }

        private void put(MemorySegment ids, long index, int value) {
            if (narrow) {
                ids.setAtIndex(JAVA_INT, index, value);
            } else {
                ids.setAtIndex(JAVA_LONG, index, value);
            }
        }

        private static MemorySegment all(MemorySegment given) {
            return given.reinterpret(Long.MAX_VALUE);
        }

        private static void succeed(MemorySegment error) {
            all(error).set(JAVA_INT, 0, OK);
        }

        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by its name, and called by the library
        int count(MemorySegment data, MemorySegment error) {
            succeed(error);
            return offsets.length - 1;
        }

        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by its name, and called by the library
        void list(MemorySegment data, int idSize, int placeSize, MemorySegment ids, MemorySegment places,
                int weightSize, MemorySegment weights, MemorySegment error) {
            MemorySegment allIds = all(ids);
            MemorySegment allPlaces = all(places);
            for (int i = 0; i < offsets.length - 1; i++) {
                put(allIds, i, firsts[rank] + i);
                put(allPlaces, i, i);
            }
            succeed(error);
        }

        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by its name, and called by the library
        void edgeCounts(MemorySegment data, int idSize, int placeSize, int objects, MemorySegment ids,
                MemorySegment places, MemorySegment counts, MemorySegment error) {
            MemorySegment own = all(places);
            MemorySegment all = all(counts);
            for (int i = 0; i < objects; i++) {
                int vertex = (int) get(own, i, narrow);
                all.setAtIndex(JAVA_INT, i, offsets[vertex + 1] - offsets[vertex]);
            }
            succeed(error);
        }

        @SuppressWarnings({"checkstyle:ParameterNumber", "UnusedMethod", "UnusedVariable"}) // as above
        void edges(MemorySegment data, int idSize, int placeSize, int objects, MemorySegment ids,
                MemorySegment places, MemorySegment counts, MemorySegment found, MemorySegment ranks, int weightSize,
                MemorySegment weights, MemorySegment error) {
            MemorySegment own = all(places);
            MemorySegment targets = all(found);
            MemorySegment owners = all(ranks);
            long at = 0;
            for (int i = 0; i < objects; i++) {
                int vertex = (int) get(own, i, narrow);
                for (int k = offsets[vertex]; k < offsets[vertex + 1]; k++) {
                    put(targets, at, neighbours[k]);
                    owners.setAtIndex(JAVA_INT, at++, ownerOf(neighbours[k]));
                }
            }
            succeed(error);
        }

        /** The last rank whose first vertex is not beyond it, which has some. */
        private int ownerOf(int vertex) {
            int found = Arrays.binarySearch(firsts, vertex);
            int owner = found >= 0 ? found : -found - 2;
            while (owner + 1 < firsts.length && firsts[owner + 1] == vertex) {
                owner++;
            }
            return owner;
        }
    }
}
