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

/**
 * The driver's calls for graphs of kernels. Launching one and changing the arguments of a kernel allocate nothing.
 */
@SuppressWarnings({"restricted", "checkstyle:IllegalCatch"}) // native calls; their handles declare Throwable
final class GraphCalls {
    // CUDA_KERNEL_NODE_PARAMS in its first version, which every driver with graphs takes.
    private static final long FUNCTION = 0;
    private static final long GRID = 8;
    private static final long BLOCK = 20;
    private static final long SHARED = 32;
    private static final long PARAMETERS = 40;
    private static final long BYTES = 56;

    private static final MethodHandle CREATE = FastCalls.unbound(ADDRESS, JAVA_INT);
    private static final MethodHandle DESTROY = FastCalls.unbound(JAVA_LONG);
    private static final MethodHandle ADD =
            FastCalls.unbound(ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
    private static final MethodHandle INSTANTIATE = FastCalls.unbound(ADDRESS, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle UPDATE = FastCalls.unbound(JAVA_LONG, JAVA_LONG, ADDRESS);
    private static final MethodHandle LAUNCH = FastCalls.unbound(JAVA_LONG, JAVA_LONG);

    private final MemorySegment create;
    private final MemorySegment destroy;
    private final MemorySegment add;
    private final MemorySegment instantiate;
    private final MemorySegment destroyExecutable;
    private final MemorySegment update;
    private final MemorySegment launch;
    /** What a node is made of; filled and read under this object's lock. */
    private final MemorySegment node = Arena.global().allocate(BYTES, Long.BYTES);
    private final MemorySegment handle = Arena.global().allocate(JAVA_LONG);
    private final MemorySegment dependency = Arena.global().allocate(JAVA_LONG);

    private record Handle(long address) implements NativeHandle {}

    private GraphCalls(SymbolLookup library) {
        this.create = library.findOrThrow("cuGraphCreate");
        this.destroy = library.findOrThrow("cuGraphDestroy");
        this.add = library.findOrThrow("cuGraphAddKernelNode");
        this.instantiate = library.findOrThrow("cuGraphInstantiateWithFlags");
        this.destroyExecutable = library.findOrThrow("cuGraphExecDestroy");
        this.update = library.findOrThrow("cuGraphExecKernelNodeSetParams");
        this.launch = library.findOrThrow("cuGraphLaunch");
    }

    /**
     * Looks the calls up in the driver's library.
     *
     * @param library the library, which stays loaded as long as the process runs
     * @return the calls, or empty if one is missing
     */
    static Optional<GraphCalls> load(Path library) {
        SymbolLookup lookup = SymbolLookup.libraryLookup(library, Arena.global());
        boolean complete = lookup.find("cuGraphInstantiateWithFlags").isPresent()
                && lookup.find("cuGraphExecKernelNodeSetParams").isPresent();
        return complete ? Optional.of(new GraphCalls(lookup)) : Optional.empty();
    }

    private void fill(NativeHandle function, LaunchShape shape, MemorySegment parameters) {
        node.set(JAVA_LONG, FUNCTION, function.address());
        node.set(JAVA_INT, GRID, shape.blocks());
        node.set(JAVA_INT, GRID + Integer.BYTES, shape.layers());
        node.set(JAVA_INT, GRID + 2 * Integer.BYTES, 1);
        node.set(JAVA_INT, BLOCK, shape.threads());
        node.set(JAVA_INT, BLOCK + Integer.BYTES, 1);
        node.set(JAVA_INT, BLOCK + 2 * Integer.BYTES, 1);
        node.set(JAVA_INT, SHARED, shape.sharedBytes());
        node.set(JAVA_LONG, PARAMETERS, parameters.address());
    }

    private NativeHandle made(String call, int code) {
        JCudaBinding.check(call, code);
        return new Handle(handle.get(JAVA_LONG, 0));
    }

    synchronized NativeHandle create() {
        return made("cuGraphCreate", (int) ForeignCalls.rethrow(() -> (int) CREATE.invokeExact(create, handle, 0)));
    }

    void destroy(NativeHandle graph) {
        long address = graph.address();
        JCudaBinding.check("cuGraphDestroy",
                (int) ForeignCalls.rethrow(() -> (int) DESTROY.invokeExact(destroy, address)));
    }

    synchronized NativeHandle add(NativeHandle graph, NativeHandle after, NativeHandle function, LaunchShape shape,
            MemorySegment parameters) {
        fill(function, shape, parameters);
        long address = graph.address();
        long dependencies = after == null ? 0 : 1;
        dependency.set(JAVA_LONG, 0, after == null ? 0 : after.address());
        return made("cuGraphAddKernelNode", (int) ForeignCalls
                .rethrow(() -> (int) ADD.invokeExact(add, handle, address, dependency, dependencies, node)));
    }

    synchronized NativeHandle instantiate(NativeHandle graph) {
        long address = graph.address();
        return made("cuGraphInstantiateWithFlags", (int) ForeignCalls
                .rethrow(() -> (int) INSTANTIATE.invokeExact(instantiate, handle, address, 0L)));
    }

    void destroyExecutable(NativeHandle executable) {
        long address = executable.address();
        JCudaBinding.check("cuGraphExecDestroy",
                (int) ForeignCalls.rethrow(() -> (int) DESTROY.invokeExact(destroyExecutable, address)));
    }

    synchronized void update(NativeHandle executable, NativeHandle target, NativeHandle function, LaunchShape shape,
            MemorySegment parameters) {
        fill(function, shape, parameters);
        int code;
        try {
            code = (int) UPDATE.invokeExact(update, executable.address(), target.address(), node);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        JCudaBinding.check("cuGraphExecKernelNodeSetParams", code);
    }

    void launch(long executable, long stream) {
        int code;
        try {
            code = (int) LAUNCH.invokeExact(launch, executable, stream);
        } catch (Throwable e) {
            throw ForeignCalls.unchecked(e);
        }
        JCudaBinding.check("cuGraphLaunch", code);
    }
}
