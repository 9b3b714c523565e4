package org.trellis.cuda.emulation;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Assumptions;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.DeviceAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.driver.NativeHandle;
import org.trellis.cuda.driver.WhileNode;
import org.trellis.cuda.runtime.FakeDriver;

/**
 * The CUDA backend on the fake driver, with kernels that run on the host. Slow, and it sees no race between threads;
 * but generated code is run, with real addresses.
 */
public final class EmulatedGpu {
    private static final FunctionDescriptor ENTRY = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);

    private final FakeDriver driver = new FakeDriver();
    private final EmulatedCompiler compiler;
    private final Path folder;
    private final Map<Long, Path> modules = new HashMap<>();
    private final Map<Long, MethodHandle> functions = new HashMap<>();
    private final Map<Long, MethodHandle> together = new HashMap<>();
    private final Map<Long, String> names = new HashMap<>();
    private final Map<String, Long> kernels = new TreeMap<>();
    private final Map<Long, MethodHandle> sizes = new HashMap<>();
    private final Map<Long, Node> nodes = new HashMap<>();
    private final Map<Long, Map<Long, Node>> executables = new HashMap<>();
    private final Map<Long, MemorySegment> conditions = new HashMap<>();
    private int multiprocessors = 2;
    private boolean peers = true;
    private final Map<String, Long> calls = new TreeMap<>();
    private List<Path> nccl = List.of();
    private List<Path> list = List.of();
    private int launches;
    private int graphLaunches;
    private int updates;

    private record Handle(long address) implements NativeHandle {}

    /** A kernel of a graph; its arguments by their addresses, which live as long as what is there. */
    private record Node(NativeHandle function, LaunchShape shape, MemorySegment addresses,
            List<MemorySegment> arguments) {}

    private EmulatedGpu(EmulatedCompiler compiler, Path folder) {
        this.compiler = compiler;
        this.folder = folder;
    }

    /**
     * Makes an emulated GPU, or skips the test where there is no C++ compiler.
     *
     * @param folder a folder for sources and libraries
     * @return the GPU
     */
    public static EmulatedGpu in(Path folder) {
        return new EmulatedGpu(EmulatedCompiler.find(folder)
                .orElseGet(() -> Assumptions.abort("there is no C++ compiler to emulate kernels with")), folder);
    }

    /**
     * Opens the backend.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public CudaBackend open() {
        return open(0);
    }

    /**
     * Opens the backend on one of two devices.
     *
     * @param device the number of the device
     * @return a backend that the test closes
     */
    @MustBeClosed
    public CudaBackend open(int device) {
        CudaDriver emulating = (CudaDriver) Proxy.newProxyInstance(CudaDriver.class.getClassLoader(),
                new Class<?>[]{CudaDriver.class}, (proxy, method, arguments) -> call(method, arguments));
        return CudaBackend.open(emulating, compiler,
                Configuration.builder().set(ConfigurationKeys.CACHE_DIRECTORY, folder.resolve("cache"))
                        .set(ConfigurationKeys.CUDA_NCCL, nccl).set(ConfigurationKeys.CUDA_KERNEL_LIST, list)
                        .set(ConfigurationKeys.CUDA_DEVICE, device).build());
    }

    /**
     * Changes the number of multiprocessors.
     *
     * @param number how many
     * @return this
     */
    public EmulatedGpu withMultiprocessors(int number) {
        multiprocessors = number;
        return this;
    }

    /**
     * Takes from devices what lets them write to each other's memory.
     *
     * @return this
     */
    public EmulatedGpu withoutPeers() {
        peers = false;
        return this;
    }

    /**
     * Gives GPUs a library that carries messages among them.
     *
     * @param stub the library
     * @return this
     */
    public EmulatedGpu withNccl(StubNccl stub) {
        nccl = List.of(stub.library());
        return this;
    }

    /**
     * Notes the kernels that are loaded.
     *
     * @param file the list
     * @return this
     */
    public EmulatedGpu withKernelList(Path file) {
        list = List.of(file);
        return this;
    }

    /**
     * Returns how many kernels were run, those of graphs among them.
     *
     * @return since the beginning
     */
    public int launches() {
        return launches;
    }

    /**
     * Returns how many graphs were launched.
     *
     * @return since the beginning
     */
    public int graphLaunches() {
        return graphLaunches;
    }

    /**
     * Returns how often the arguments of a kernel in a graph were changed.
     *
     * @return since the beginning
     */
    public int updates() {
        return updates;
    }

    /**
     * Returns how often functions of the driver were called, by their names.
     *
     * @return since the beginning
     */
    public Map<String, Long> calls() {
        return Map.copyOf(calls);
    }

    /**
     * Returns how often kernels were launched by themselves, by their names; those of cooperative launches and graphs
     * do not count.
     *
     * @return since the beginning
     */
    public Map<String, Long> kernels() {
        return Map.copyOf(kernels);
    }

    /**
     * Returns the fake driver.
     *
     * @return what counts living things
     */
    public FakeDriver driver() {
        return driver;
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        calls.merge(method.getName(), 1L, Long::sum);
        return switch (method.getName()) {
            case "loadModule" -> {
                NativeHandle handle = driver.loadModule((byte[]) arguments[0]);
                modules.put(handle.address(), Path.of(new String((byte[]) arguments[0], StandardCharsets.UTF_8)));
                yield handle;
            }
            case "function" -> function((NativeHandle) arguments[0], (String) arguments[1]);
            case "launch" -> {
                run((NativeHandle) arguments[0], (LaunchShape) arguments[1], (MemorySegment) arguments[3]);
                yield null;
            }
            case "launchCooperative" -> {
                run(together.get(((NativeHandle) arguments[0]).address()), (LaunchShape) arguments[1],
                        (MemorySegment) arguments[3]);
                yield null;
            }
            case "addWhile" -> {
                WhileNode part = (WhileNode) invoke(method, arguments);
                MemorySegment condition = Arena.global().allocate(ValueLayout.JAVA_LONG);
                conditions.put(part.node().address(), condition);
                yield new WhileNode(part.node(), part.body(), condition.address());
            }
            case "addKernel" -> {
                NativeHandle node = (NativeHandle) invoke(method, arguments);
                nodes.put(node.address(), node(arguments, 2));
                yield node;
            }
            case "instantiate" -> {
                NativeHandle executable = (NativeHandle) invoke(method, arguments);
                Map<Long, Node> copy = new HashMap<>();
                copy(driver.nodes(executable), copy);
                executables.put(executable.address(), copy);
                yield executable;
            }
            case "updateKernel" -> {
                invoke(method, arguments);
                updates++;
                executables.get(((NativeHandle) arguments[0]).address())
                        .put(((NativeHandle) arguments[1]).address(), node(arguments, 2));
                yield null;
            }
            case "launchGraph" -> {
                invoke(method, arguments);
                launchGraph((NativeHandle) arguments[0]);
                yield null;
            }
            case "canAccessPeer" -> peers && (boolean) invoke(method, arguments);
            case "copyBetween" -> {
                copyBetween((long) arguments[0], (long) arguments[2], (long) arguments[4]);
                yield null;
            }
            case "deviceAttribute" -> attribute((int) arguments[0], (DeviceAttribute) arguments[1]);
            default -> invoke(method, arguments);
        };
    }

    private Object invoke(Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(driver, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Function, shape and a copy of what the arguments are, from the arguments of a call. */
    @SuppressWarnings("restricted")
    private Node node(Object[] arguments, int first) throws Throwable {
        NativeHandle function = (NativeHandle) arguments[first];
        MethodHandle size = sizes.get(function.address());
        List<MemorySegment> copies = new ArrayList<>();
        for (int bytes = (int) size.invokeExact(0); bytes > 0; bytes = (int) size.invokeExact(copies.size())) {
            long address = ((MemorySegment) arguments[first + 2]).reinterpret(Long.BYTES * (copies.size() + 1L))
                    .getAtIndex(ValueLayout.JAVA_LONG, copies.size());
            copies.add(Arena.ofAuto().allocate(bytes, Long.BYTES)
                    .copyFrom(MemorySegment.ofAddress(address).reinterpret(bytes)));
        }
        MemorySegment addresses = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, Math.max(1, copies.size()));
        for (int i = 0; i < copies.size(); i++) {
            addresses.setAtIndex(ValueLayout.JAVA_LONG, i, copies.get(i).address());
        }
        return new Node(function, (LaunchShape) arguments[first + 1], addresses, copies);
    }

    /** The target may belong to another emulated GPU. */
    @SuppressWarnings("restricted")
    private static void copyBetween(long target, long source, long bytes) {
        MemorySegment.ofAddress(target).reinterpret(bytes)
                .copyFrom(MemorySegment.ofAddress(source).reinterpret(bytes));
    }

    private void launchGraph(NativeHandle executable) throws Throwable {
        graphLaunches++;
        Map<Long, Node> copy = executables.get(executable.address());
        run(driver.nodes(executable), copy);
    }

    /** Keeps what kernels are launched with, those of parts that are repeated among them. */
    private void copy(List<Long> from, Map<Long, Node> copy) {
        for (long node : from) {
            List<Long> body = driver.body(node);
            if (body == null) {
                copy.put(node, nodes.get(node));
            } else {
                copy(body, copy);
            }
        }
    }

    private void run(List<Long> list, Map<Long, Node> copy) throws Throwable {
        for (long node : list) {
            List<Long> body = driver.body(node);
            if (body == null) {
                run(copy.get(node).function(), copy.get(node).shape(), copy.get(node).addresses());
            } else {
                MemorySegment condition = conditions.get(node);
                condition.set(ValueLayout.JAVA_INT, 0, 1);
                while (condition.get(ValueLayout.JAVA_INT, 0) != 0) {
                    run(body, copy);
                }
            }
        }
    }

    private int attribute(int device, DeviceAttribute attribute) {
        return switch (attribute) {
            case MULTIPROCESSORS -> multiprocessors;
            case L2_BYTES -> 1 << 24;
            case PCI_DEVICE -> device;
            case MULTIPROCESSOR_THREADS -> 2048;
            case SHARED_MEMORY_PER_BLOCK_OPTIN -> 227 * 1024;
            default -> driver.deviceAttribute(device, attribute);
        };
    }

    @SuppressWarnings("restricted")
    private NativeHandle function(NativeHandle module, String name) {
        MemorySegment entry = SymbolLookup.libraryLookup(modules.get(module.address()), Arena.global())
                .find("emulated_" + name).orElseThrow();
        functions.put(entry.address(), Linker.nativeLinker().downcallHandle(entry, ENTRY));
        together.put(entry.address(), Linker.nativeLinker()
                .downcallHandle(SymbolLookup.libraryLookup(modules.get(module.address()), Arena.global())
                        .find("emulatedTogether_" + name).orElseThrow(), ENTRY));
        names.put(entry.address(), name);
        sizes.put(entry.address(), Linker.nativeLinker().downcallHandle(
                SymbolLookup.libraryLookup(modules.get(module.address()), Arena.global())
                        .find("emulatedBytes_" + name).orElseThrow(),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT)));
        return new Handle(entry.address());
    }

    private void run(NativeHandle function, LaunchShape shape, MemorySegment addresses) throws Throwable {
        kernels.merge(names.get(function.address()), 1L, Long::sum);
        run(functions.get(function.address()), shape, addresses);
    }

    private void run(MethodHandle function, LaunchShape shape, MemorySegment addresses) throws Throwable {
        launches++;
        int code = (int) function.invokeExact(addresses, shape.blocks(), shape.threads(), shape.sharedBytes());
        if (code != 0) {
            throw new AssertionError("a barrier was not reached by all threads of a block");
        }
    }
}
