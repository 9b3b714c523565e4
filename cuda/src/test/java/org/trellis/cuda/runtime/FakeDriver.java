package org.trellis.cuda.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.common.DeviceException;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.DeviceAttribute;
import org.trellis.cuda.driver.FunctionAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.driver.NativeHandle;
import org.trellis.cuda.driver.WhileNode;

/**
 * A driver in plain Java: memory of two devices is host memory, everything is done at once, and any call can be made to
 * fail. It counts what is alive, and refuses what the real one would: wrong contexts, freed memory, unknown handles.
 */
public final class FakeDriver implements CudaDriver {
    static final int OUT_OF_MEMORY = 2;
    static final int INVALID_CONTEXT = 201;
    /** Bytes on both sides of a block that nothing may write. */
    private static final int GUARD = 256;
    private static final byte UNTOUCHED = 0x5A;

    private final Arena arena = Arena.ofAuto();
    private final Map<Long, MemorySegment> memory = new HashMap<>();
    private final Map<Long, MemorySegment> guards = new HashMap<>();
    private final Map<Long, MemorySegment> pinned = new HashMap<>();
    private final Set<Long> handles = new HashSet<>();
    private final int[] retained = new int[2];
    private final List<String> launches = new ArrayList<>();
    private long nextHandle = 1;
    private long capacity = Long.MAX_VALUE;
    private long allocated;
    private int calls;
    private int failAt = Integer.MAX_VALUE;
    private int devices = 2;
    private int version = 13_000;
    private boolean eventsHeldBack;
    private boolean graphs = true;
    private boolean conditionals;
    private int synchronisations;
    private final Map<Long, List<Long>> nodes = new HashMap<>();
    private final Map<Long, Long> executables = new HashMap<>();
    private final Map<Long, Long> bodies = new HashMap<>();
    private NativeHandle current;
    private byte[] refusedImage = {};

    record Handle(long address) implements NativeHandle {}

    /** Limits the device memory. */
    FakeDriver withCapacity(long bytes) {
        this.capacity = bytes;
        return this;
    }

    /** Makes the driver too old for one image. */
    FakeDriver refusing(byte[] image) {
        this.refusedImage = image.clone();
        return this;
    }

    /** Makes a call fail, counted from now on. */
    void failAt(int call) {
        this.failAt = calls + call;
    }

    int calls() {
        return calls;
    }

    /** Changes the number of devices. */
    public FakeDriver withDevices(int count) {
        this.devices = count;
        return this;
    }

    /** Changes the version. */
    public FakeDriver withVersion(int number) {
        this.version = number;
        return this;
    }

    /** Takes graphs away, as of an old driver. */
    public FakeDriver withoutGraphs() {
        this.graphs = false;
        return this;
    }

    /** Lets graphs have parts that are run while a condition holds. */
    public FakeDriver withConditionalNodes() {
        this.conditionals = true;
        return this;
    }

    /** How often a stream was waited for. */
    public int synchronisations() {
        return synchronisations;
    }

    /** Returns the shapes and first arguments of all launches. */
    public List<String> launches() {
        return launches;
    }

    /** What has not been given back. */
    public String alive() {
        return memory.size() + " blocks, " + pinned.size() + " pinned, " + handles.size() + " handles, "
                + (retained[0] + retained[1]) + " contexts";
    }

    /** How many streams, events, modules and contexts have not been given back. */
    public int open() {
        return handles.size();
    }

    int blocks() {
        return memory.size();
    }

    private void call(String name) {
        calls++;
        if (calls == failAt) {
            throw new DeviceException(name, 999, "CUDA_ERROR_UNKNOWN (made to fail)");
        }
    }

    private void callInContext(String name) {
        call(name);
        if (current == null || !handles.contains(current.address())) {
            throw new DeviceException(name, INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT");
        }
    }

    private NativeHandle create() {
        NativeHandle handle = new Handle(nextHandle++);
        handles.add(handle.address());
        return handle;
    }

    private void destroy(String name, NativeHandle handle) {
        if (!handles.remove(handle.address())) {
            throw new AssertionError(name + " of an unknown handle");
        }
    }

    @Override
    public int driverVersion() {
        call("cuDriverGetVersion");
        return version;
    }

    @Override
    public int deviceCount() {
        call("cuDeviceGetCount");
        return devices;
    }

    @Override
    public String deviceName(int device) {
        call("cuDeviceGetName");
        return "Fake " + device;
    }

    @Override
    public long deviceMemory(int device) {
        call("cuDeviceTotalMem");
        return 1L << 33;
    }

    @Override
    public int deviceAttribute(int device, DeviceAttribute attribute) {
        call("cuDeviceGetAttribute");
        return switch (attribute) {
            case CAPABILITY_MAJOR -> 9;
            case CAPABILITY_MINOR -> 0;
            default -> 64;
        };
    }

    @Override
    public NativeHandle retainPrimaryContext(int device) {
        call("cuDevicePrimaryCtxRetain");
        retained[device]++;
        long address = -1L - device;
        handles.add(address);
        return new Handle(address);
    }

    @Override
    public void releasePrimaryContext(int device) {
        call("cuDevicePrimaryCtxRelease");
        retained[device]--;
        if (retained[device] == 0) {
            handles.remove(-1L - device);
        }
    }

    @Override
    public void setCurrentContext(NativeHandle context) {
        call("cuCtxSetCurrent");
        current = context;
    }

    @Override
    public long freeMemory() {
        callInContext("cuMemGetInfo");
        return capacity - allocated;
    }

    @Override
    public long allocate(long bytes) {
        callInContext("cuMemAlloc");
        if (bytes > capacity - allocated) {
            throw new DeviceException("cuMemAlloc", OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY");
        }
        MemorySegment guarded = arena.allocate(bytes + 2 * GUARD, 256);
        guarded.asSlice(0, GUARD).fill(UNTOUCHED);
        guarded.asSlice(GUARD + bytes).fill(UNTOUCHED);
        MemorySegment block = guarded.asSlice(GUARD, bytes);
        guards.put(block.address(), guarded);
        memory.put(block.address(), block);
        allocated += bytes;
        return block.address();
    }

    /** A kernel that writes beyond its memory would bring the process down later, somewhere else. */
    private void checkGuards(MemorySegment block) {
        MemorySegment guarded = guards.remove(block.address());
        for (long k = 0; k < GUARD; k++) {
            long behind = GUARD + block.byteSize() + k;
            if (guarded.get(ValueLayout.JAVA_BYTE, k) != UNTOUCHED
                    || guarded.get(ValueLayout.JAVA_BYTE, behind) != UNTOUCHED) {
                throw new AssertionError("a kernel or a copy has written beyond a block of " + block.byteSize()
                        + " bytes, " + (guarded.get(ValueLayout.JAVA_BYTE, k) != UNTOUCHED
                                ? GUARD - k + " bytes before it"
                                : k + " bytes behind it"));
            }
        }
    }

    @Override
    public void free(long address) {
        callInContext("cuMemFree");
        MemorySegment block = memory.remove(address);
        if (block == null) {
            throw new AssertionError("freed twice: " + address);
        }
        allocated -= block.byteSize();
        checkGuards(block);
    }

    @Override
    public MemorySegment allocatePinned(long bytes) {
        callInContext("cuMemHostAlloc");
        MemorySegment block = arena.allocate(bytes, 64);
        pinned.put(block.address(), block);
        return block;
    }

    @Override
    public void freePinned(MemorySegment block) {
        callInContext("cuMemFreeHost");
        if (pinned.remove(block.address()) == null) {
            throw new AssertionError("freed twice: " + block);
        }
    }

    /** The bytes at an address, which must lie in one living block. */
    private static MemorySegment at(Map<Long, MemorySegment> blocks, long address, long bytes) {
        for (MemorySegment block : blocks.values()) {
            if (address >= block.address() && address + bytes <= block.address() + block.byteSize()) {
                return block.asSlice(address - block.address(), bytes);
            }
        }
        throw new AssertionError("no living block holds " + bytes + " bytes at " + address);
    }

    private void stream(String name, NativeHandle stream) {
        callInContext(name);
        if (!handles.contains(stream.address())) {
            throw new AssertionError(name + " on an unknown stream");
        }
    }

    @Override
    public void copyToDevice(long target, long source, long bytes, NativeHandle stream) {
        stream("cuMemcpyHtoDAsync", stream);
        at(memory, target, bytes).copyFrom(at(pinned, source, bytes));
    }

    @Override
    public void copyToHost(long target, long source, long bytes, NativeHandle stream) {
        stream("cuMemcpyDtoHAsync", stream);
        at(pinned, target, bytes).copyFrom(at(memory, source, bytes));
    }

    @Override
    public void copyOnDevice(long target, long source, long bytes, NativeHandle stream) {
        stream("cuMemcpyDtoDAsync", stream);
        at(memory, target, bytes).copyFrom(at(memory, source, bytes));
    }

    @Override
    public void copyBetween(long target, NativeHandle targetContext, long source, NativeHandle sourceContext,
            long bytes, NativeHandle stream) {
        copyOnDevice(target, source, bytes, stream);
    }

    @Override
    public void clear(long address, long bytes, NativeHandle stream) {
        stream("cuMemsetD8Async", stream);
        at(memory, address, bytes).fill((byte) 0);
    }

    @Override
    public boolean canAccessPeer(int device, int peer) {
        call("cuDeviceCanAccessPeer");
        return device != peer;
    }

    @Override
    public void enablePeerAccess(NativeHandle peer) {
        callInContext("cuCtxEnablePeerAccess");
    }

    @Override
    public NativeHandle createStream() {
        callInContext("cuStreamCreate");
        return create();
    }

    @Override
    public void destroyStream(NativeHandle stream) {
        callInContext("cuStreamDestroy");
        destroy("stream", stream);
    }

    @Override
    public void synchronizeStream(NativeHandle stream) {
        synchronisations++;
        stream("cuStreamSynchronize", stream);
    }

    @Override
    public void waitForEvent(NativeHandle stream, NativeHandle event) {
        stream("cuStreamWaitEvent", stream);
    }

    /** What a kernel takes for a texture is the address of a description of it, which emulated kernels read. */
    @Override
    public NativeHandle createTexture(long address, int columns, int rows, long pitchBytes) {
        callInContext("cuTexObjectCreate");
        MemorySegment description = Arena.global().allocate(3 * Long.BYTES, Long.BYTES);
        description.set(ValueLayout.JAVA_LONG, 0, address);
        description.set(ValueLayout.JAVA_LONG, Long.BYTES, pitchBytes);
        description.set(ValueLayout.JAVA_INT, 2 * Long.BYTES, columns);
        description.set(ValueLayout.JAVA_INT, 2 * Long.BYTES + Integer.BYTES, rows);
        handles.add(description.address());
        return new Handle(description.address());
    }

    @Override
    public void destroyTexture(NativeHandle texture) {
        callInContext("cuTexObjectDestroy");
        destroy("texture", texture);
    }

    @Override
    public NativeHandle createEvent() {
        callInContext("cuEventCreate");
        return create();
    }

    @Override
    public NativeHandle createOrderEvent() {
        return createEvent();
    }

    @Override
    public void destroyEvent(NativeHandle event) {
        callInContext("cuEventDestroy");
        destroy("event", event);
    }

    @Override
    public void recordEvent(NativeHandle event, NativeHandle stream) {
        stream("cuEventRecord", stream);
    }

    @Override
    public void synchronizeEvent(NativeHandle event) {
        callInContext("cuEventSynchronize");
    }

    /** Events happen at once unless they are held back. */
    @Override
    public boolean hasHappened(NativeHandle event) {
        callInContext("cuEventQuery");
        return !eventsHeldBack;
    }

    /** Holds events back, as a busy device does, or lets them happen. */
    public void holdEventsBack(boolean hold) {
        eventsHeldBack = hold;
    }

    @Override
    public double elapsedMilliseconds(NativeHandle start, NativeHandle end) {
        callInContext("cuEventElapsedTime");
        return 1;
    }

    @Override
    public NativeHandle loadModule(byte[] image) {
        callInContext("cuModuleLoadData");
        if (Arrays.equals(image, refusedImage)) {
            throw new DeviceException("cuModuleLoadData", 222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION");
        }
        return create();
    }

    @Override
    public void unloadModule(NativeHandle module) {
        callInContext("cuModuleUnload");
        destroy("module", module);
    }

    @Override
    public NativeHandle function(NativeHandle module, String name) {
        callInContext("cuModuleGetFunction");
        return new Handle(1000 + name.length());
    }

    @Override
    public int functionAttribute(NativeHandle function, FunctionAttribute attribute) {
        callInContext("cuFuncGetAttribute");
        return attribute.code();
    }

    @Override
    public void setSharedLimit(NativeHandle function, int bytes) {
        callInContext("cuFuncSetAttribute");
    }

    @Override
    public int residentBlocks(NativeHandle function, int threads, int sharedBytes) {
        callInContext("cuOccupancyMaxActiveBlocksPerMultiprocessor");
        return 2;
    }

    /** Notes the shape and the first three arguments, or as many as there are, all as 64-bit numbers. */
    @Override
    @SuppressWarnings("restricted")
    public void launch(NativeHandle function, LaunchShape shape, NativeHandle stream, MemorySegment parameters) {
        stream("cuLaunchKernel", stream);
        StringBuilder text = new StringBuilder(shape.toString());
        for (int i = 0; i < Math.min(3, parameters.byteSize() / Long.BYTES); i++) {
            long address = parameters.getAtIndex(ValueLayout.JAVA_LONG, i);
            text.append(' ').append(MemorySegment.ofAddress(address).reinterpret(8).get(ValueLayout.JAVA_LONG, 0));
        }
        launches.add(text.toString());
    }

    @Override
    public void launchCooperative(NativeHandle function, LaunchShape shape, NativeHandle stream,
            MemorySegment parameters) {
        launch(function, shape, stream, parameters);
    }

    @Override
    public boolean hasConditionalNodes() {
        call("cuGetProcAddress");
        return conditionals;
    }

    @Override
    public WhileNode addWhile(NativeHandle graph, NativeHandle after, NativeHandle context) {
        callInContext("cuGraphAddNode");
        List<Long> known = nodes.get(graph.address());
        if (after == null ? !known.isEmpty() : known.getLast() != after.address()) {
            throw new AssertionError("a part that does not wait for the node before it");
        }
        NativeHandle node = new Handle(nextHandle++);
        known.add(node.address());
        NativeHandle body = new Handle(nextHandle++);
        nodes.put(body.address(), new ArrayList<>());
        bodies.put(node.address(), body.address());
        return new WhileNode(node, body, nextHandle++);
    }

    /** Returns the nodes of what a part of a graph runs again and again, in order; null for a kernel. */
    public List<Long> body(long node) {
        Long body = bodies.get(node);
        return body == null ? null : nodes.get(body);
    }

    @Override
    public boolean hasGraphs() {
        call("cuGetProcAddress");
        return graphs;
    }

    @Override
    public NativeHandle createGraph() {
        callInContext("cuGraphCreate");
        NativeHandle graph = create();
        nodes.put(graph.address(), new ArrayList<>());
        return graph;
    }

    @Override
    public void destroyGraph(NativeHandle graph) {
        callInContext("cuGraphDestroy");
        destroy("graph", graph);
        nodes.remove(graph.address());
    }

    @Override
    public NativeHandle addKernel(NativeHandle graph, NativeHandle after, NativeHandle function, LaunchShape shape,
            MemorySegment parameters) {
        callInContext("cuGraphAddKernelNode");
        List<Long> known = nodes.get(graph.address());
        if (after == null ? !known.isEmpty() : known.getLast() != after.address()) {
            throw new AssertionError("a kernel that does not wait for the one before it");
        }
        NativeHandle node = new Handle(nextHandle++);
        known.add(node.address());
        return node;
    }

    @Override
    public NativeHandle instantiate(NativeHandle graph) {
        callInContext("cuGraphInstantiateWithFlags");
        NativeHandle executable = create();
        executables.put(executable.address(), graph.address());
        return executable;
    }

    @Override
    public void destroyExecutable(NativeHandle executable) {
        callInContext("cuGraphExecDestroy");
        destroy("graph that can be run", executable);
        executables.remove(executable.address());
    }

    /** The nodes of what can be run, in order. */
    public List<Long> nodes(NativeHandle executable) {
        return nodes.get(executables.get(executable.address()));
    }

    @Override
    public void updateKernel(NativeHandle executable, NativeHandle node, NativeHandle function, LaunchShape shape,
            MemorySegment parameters) {
        callInContext("cuGraphExecKernelNodeSetParams");
        if (!nodes(executable).contains(node.address())) {
            throw new AssertionError("a node of another graph");
        }
    }

    @Override
    public void launchGraph(NativeHandle executable, NativeHandle stream) {
        stream("cuGraphLaunch", stream);
        launches.add("graph of " + nodes(executable).size());
    }
}
