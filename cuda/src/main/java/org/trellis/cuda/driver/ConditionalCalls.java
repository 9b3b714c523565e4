package org.trellis.cuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/** The driver's calls for parts of graphs that are run while a condition holds. */
@SuppressWarnings("restricted") // native calls
final class ConditionalCalls {
    /** The first version whose conditional nodes are all that is used of them. */
    private static final int OLDEST_DRIVER = 12_040;
    // CUgraphNodeParams, with CUDA_CONDITIONAL_NODE_PARAMS in it.
    private static final long BYTES = 256;
    private static final long CONDITION = 16;
    private static final long KIND = 24;
    private static final long BODIES = 28;
    private static final long BODY_GRAPHS = 32;
    private static final long CONTEXT = 40;
    /** {@code CU_GRAPH_NODE_TYPE_CONDITIONAL}. */
    private static final int CONDITIONAL = 13;
    /** {@code CU_GRAPH_COND_TYPE_WHILE}. */
    private static final int WHILE = 1;
    /** {@code CU_GRAPH_COND_ASSIGN_DEFAULT}. */
    private static final int ASSIGN_DEFAULT = 1;

    private static final MethodHandle CREATE =
            FastCalls.unbound(ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
    private static final MethodHandle ADD =
            FastCalls.unbound(ADDRESS, JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);

    private final MemorySegment create;
    private final MemorySegment add;

    private record Handle(long address) implements NativeHandle {}

    private ConditionalCalls(SymbolLookup library) {
        this.create = library.findOrThrow("cuGraphConditionalHandleCreate");
        this.add = library.findOrThrow("cuGraphAddNode_v2");
    }

    /**
     * Looks the calls up in the driver's library.
     *
     * @param library       the library, which stays loaded as long as the process runs
     * @param driverVersion the CUDA version of the driver, 1000 × major + 10 × minor
     * @return the calls, or empty if the driver is too old
     */
    static Optional<ConditionalCalls> load(Path library, int driverVersion) {
        SymbolLookup lookup = SymbolLookup.libraryLookup(library, Arena.global());
        boolean complete = driverVersion >= OLDEST_DRIVER
                && lookup.find("cuGraphConditionalHandleCreate").isPresent()
                && lookup.find("cuGraphAddNode_v2").isPresent();
        return complete ? Optional.of(new ConditionalCalls(lookup)) : Optional.empty();
    }

    WhileNode addWhile(NativeHandle graph, NativeHandle after, NativeHandle context) {
        long address = graph.address();
        long contextAddress = context.address();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment condition = arena.allocate(JAVA_LONG);
            JCudaBinding.check("cuGraphConditionalHandleCreate", (int) ForeignCalls.rethrow(() -> (int) CREATE
                    .invokeExact(create, condition, address, contextAddress, 1, ASSIGN_DEFAULT)));
            MemorySegment parameters = arena.allocate(BYTES, Long.BYTES);
            parameters.set(JAVA_INT, 0, CONDITIONAL);
            parameters.set(JAVA_LONG, CONDITION, condition.get(JAVA_LONG, 0));
            parameters.set(JAVA_INT, KIND, WHILE);
            parameters.set(JAVA_INT, BODIES, 1);
            parameters.set(JAVA_LONG, CONTEXT, contextAddress);
            MemorySegment node = arena.allocate(JAVA_LONG);
            MemorySegment dependency = arena.allocate(JAVA_LONG);
            dependency.set(JAVA_LONG, 0, after == null ? 0 : after.address());
            MemorySegment dependencies = after == null ? MemorySegment.NULL : dependency;
            long count = after == null ? 0 : 1;
            JCudaBinding.check("cuGraphAddNode", (int) ForeignCalls.rethrow(() -> (int) ADD.invokeExact(add, node,
                    address, dependencies, MemorySegment.NULL, count, parameters)));
            MemorySegment bodies =
                    MemorySegment.ofAddress(parameters.get(JAVA_LONG, BODY_GRAPHS)).reinterpret(Long.BYTES);
            return new WhileNode(new Handle(node.get(JAVA_LONG, 0)), new Handle(bodies.get(JAVA_LONG, 0)),
                    condition.get(JAVA_LONG, 0));
        }
    }
}
