package org.trellis.internal.nativepartitioners;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.Function;
import org.trellis.common.TrellisException;
import org.trellis.mesh.order.Graph;

/** {@code SCOTCH_graphPart} and {@code SCOTCH_graphOrder} of Scotch 6 or 7 with its default strategy. */
public final class ScotchPartitioner extends NativePartitioner {
    private static final Object LOCK = new Object();

    /** Makes the partitioner; nothing is loaded. */
    public ScotchPartitioner() {
        super("scotch", "libscotch(-[0-9.]+)?\\.(so|dylib)([.0-9]*)", "libscotch-7.0");
    }

    @Override
    int[] call(NativeLibrary loaded, Graph graph, int parts, double tolerance) {
        return inSession(loaded, session -> session.partition(graph, parts, tolerance));
    }

    @Override
    int[] order(NativeLibrary loaded, Graph graph) {
        return inSession(loaded, session -> session.order(graph));
    }

    private static int[] inSession(NativeLibrary loaded, Function<Session, int[]> work) {
        // The library's generator of random numbers is one for the whole process, and is to start anew.
        synchronized (LOCK) {
            int bytes = (int) NativeLibrary.call(loaded.function("SCOTCH_numSizeof", FunctionDescriptor.of(JAVA_INT)));
            IndexWidth width = bytes == Integer.BYTES ? IndexWidth.BITS_32 : IndexWidth.BITS_64;
            NativeLibrary.call(loaded.function("SCOTCH_randomReset", FunctionDescriptor.ofVoid()));
            try (Arena arena = Arena.ofConfined()) {
                return work.apply(new Session(loaded, width, arena));
            }
        }
    }

    /** Calls with a graph and a strategy. */
    @FunctionalInterface
    private interface BinaryOperation {
        int[] run(MemorySegment graph, MemorySegment strategy);
    }

    /** The calls for one graph; its structures are of a size that the library reports, or amply large. */
    private record Session(NativeLibrary library, IndexWidth width, Arena arena) {
        private static final long AMPLE = 4096;

        int[] partition(Graph graph, int parts, double tolerance) {
            return with(graph, (scotchGraph, strategy) -> {
                MethodHandle strategyBuild = library.function("SCOTCH_stratGraphMapBuild",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, width.layout(), width.layout(), JAVA_DOUBLE));
                check("SCOTCH_stratGraphMapBuild", NativeLibrary.call(strategyBuild, strategy, width.argument(0),
                        width.argument(parts), tolerance - 1));
                MemorySegment partOf = width.allocate(arena, graph.vertices());
                MethodHandle run = library.function("SCOTCH_graphPart",
                        FunctionDescriptor.of(JAVA_INT, ADDRESS, width.layout(), ADDRESS, ADDRESS));
                check("SCOTCH_graphPart",
                        NativeLibrary.call(run, scotchGraph, width.argument(parts), strategy, partOf));
                return width.read(partOf);
            });
        }

        int[] order(Graph graph) {
            return with(graph, (scotchGraph, strategy) -> {
                MemorySegment none = MemorySegment.NULL;
                MemorySegment vertexAt = width.allocate(arena, graph.vertices());
                MethodHandle run = status("SCOTCH_graphOrder", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS,
                        ADDRESS);
                check("SCOTCH_graphOrder",
                        NativeLibrary.call(run, scotchGraph, strategy, none, vertexAt, none, none, none));
                return width.read(vertexAt);
            });
        }

        private int[] with(Graph graph, BinaryOperation work) {
            MemorySegment scotchGraph = arena.allocate(AMPLE, Long.BYTES);
            MemorySegment strategy = arena.allocate(AMPLE, Long.BYTES);
            check("SCOTCH_graphInit", NativeLibrary.call(status("SCOTCH_graphInit", ADDRESS), scotchGraph));
            check("SCOTCH_stratInit", NativeLibrary.call(status("SCOTCH_stratInit", ADDRESS), strategy));
            try {
                build(scotchGraph, graph);
                return work.run(scotchGraph, strategy);
            } finally {
                NativeLibrary.call(library.function("SCOTCH_stratExit", FunctionDescriptor.ofVoid(ADDRESS)), strategy);
                NativeLibrary.call(library.function("SCOTCH_graphExit", FunctionDescriptor.ofVoid(ADDRESS)),
                        scotchGraph);
            }
        }

        private void build(MemorySegment scotchGraph, Graph graph) {
            MethodHandle function = library.function("SCOTCH_graphBuild",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, width.layout(), width.layout(), ADDRESS, ADDRESS, ADDRESS,
                            ADDRESS, width.layout(), ADDRESS, ADDRESS));
            MemorySegment offsets = width.copy(arena, graph.offsets());
            MemorySegment none = MemorySegment.NULL;
            check("SCOTCH_graphBuild", NativeLibrary.call(function, scotchGraph, width.argument(0),
                    width.argument(graph.vertices()), offsets, none, none, none,
                    width.argument(graph.neighbours().length), width.copy(arena, graph.neighbours()), none));
        }

        private MethodHandle status(String name, MemoryLayout... arguments) {
            return library.function(name, FunctionDescriptor.of(JAVA_INT, arguments));
        }

        private void check(String name, Object status) {
            if ((int) status != 0) {
                throw new TrellisException(name + " of " + library.file() + " failed with status " + status);
            }
        }
    }
}
