package org.trellis.cuda.driver;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.DeviceException;

/**
 * The driver through JCuda. The four calls that are made with every product (current context, launch, recording an
 * event, waiting for a stream) go through {@link FastCalls} instead, which allocates nothing.
 */
@SuppressWarnings("restricted") // native memory is what this class is for
final class JCudaBinding implements CudaDriver {
    /** {@code CU_STREAM_NON_BLOCKING}. */
    private static final int NON_BLOCKING = 1;
    /** {@code CU_EVENT_DISABLE_TIMING}. */
    private static final int WITHOUT_TIME = 2;
    private static final int NAME_BYTES = 256;
    /** {@code CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES}. */
    private static final int MAXIMUM_DYNAMIC_SHARED_BYTES = 8;

    private final FastCalls fast;
    private final TextureCalls textures;
    private final Optional<GraphCalls> graphs;
    private final Optional<ConditionalCalls> conditionals;

    private JCudaBinding(FastCalls fast, TextureCalls textures, Optional<GraphCalls> graphs,
            Optional<ConditionalCalls> conditionals) {
        this.fast = fast;
        this.textures = textures;
        this.graphs = graphs;
        this.conditionals = conditionals;
    }

    /**
     * Loads JCuda's native library and initialises the driver.
     *
     * @param library the driver's library
     * @return the calls
     * @throws DeviceException if the driver cannot be initialised, for example because there is no device
     * @throws LinkageError    if JCuda's native library cannot be loaded
     */
    static JCudaBinding load(Path library) {
        JCudaDriver.setExceptionsEnabled(false);
        check("cuInit", JCudaDriver.cuInit(0));
        int[] version = new int[1];
        check("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(version));
        return new JCudaBinding(FastCalls.load(library), TextureCalls.load(library), GraphCalls.load(library),
                ConditionalCalls.load(library, version[0]));
    }

    /** Throws if a call failed. */
    static void check(String call, int code) {
        if (code != CUresult.CUDA_SUCCESS) {
            String[] text = {""};
            JCudaDriver.cuGetErrorString(code, text);
            throw new DeviceException(call, code, CUresult.stringFor(code) + " (" + text[0] + ")");
        }
    }

    private static CUdevice device(int number) {
        CUdevice device = new CUdevice();
        check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, number));
        return device;
    }

    @Override
    public int driverVersion() {
        int[] version = new int[1];
        check("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(version));
        return version[0];
    }

    @Override
    public int deviceCount() {
        int[] count = new int[1];
        check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
        return count[0];
    }

    @Override
    public String deviceName(int device) {
        byte[] name = new byte[NAME_BYTES];
        check("cuDeviceGetName", JCudaDriver.cuDeviceGetName(name, NAME_BYTES, device(device)));
        int length = 0;
        while (length < NAME_BYTES && name[length] != 0) {
            length++;
        }
        return new String(Arrays.copyOf(name, length), StandardCharsets.UTF_8);
    }

    @Override
    public long deviceMemory(int device) {
        long[] bytes = new long[1];
        check("cuDeviceTotalMem", JCudaDriver.cuDeviceTotalMem(bytes, device(device)));
        return bytes[0];
    }

    @Override
    public int deviceAttribute(int device, DeviceAttribute attribute) {
        int[] value = new int[1];
        check("cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute.code(), device(device)));
        return value[0];
    }

    @Override
    public NativeHandle retainPrimaryContext(int device) {
        Context context = new Context();
        check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(context, device(device)));
        return context;
    }

    @Override
    public void releasePrimaryContext(int device) {
        check("cuDevicePrimaryCtxRelease", JCudaDriver.cuDevicePrimaryCtxRelease(device(device)));
    }

    @Override
    public void setCurrentContext(NativeHandle context) {
        fast.setCurrentContext(context.address());
    }

    @Override
    public long freeMemory() {
        long[] free = new long[1];
        long[] total = new long[1];
        check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
        return free[0];
    }

    @Override
    public long allocate(long bytes) {
        DeviceAddress address = new DeviceAddress();
        check("cuMemAlloc", JCudaDriver.cuMemAlloc(address, bytes));
        return address.value();
    }

    @Override
    public void free(long address) {
        check("cuMemFree", JCudaDriver.cuMemFree(new DeviceAddress(address)));
    }

    @Override
    public MemorySegment allocatePinned(long bytes) {
        HostAddress address = new HostAddress(0);
        check("cuMemHostAlloc", JCudaDriver.cuMemHostAlloc(address, bytes,
                JCudaDriver.CU_MEMHOSTALLOC_PORTABLE | JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP));
        return MemorySegment.ofAddress(address.value()).reinterpret(bytes);
    }

    @Override
    public void freePinned(MemorySegment memory) {
        check("cuMemFreeHost", JCudaDriver.cuMemFreeHost(new HostAddress(memory.address())));
    }

    @Override
    public void copyToDevice(long target, long source, long bytes, NativeHandle stream) {
        check("cuMemcpyHtoDAsync", JCudaDriver.cuMemcpyHtoDAsync(new DeviceAddress(target), new HostAddress(source),
                bytes, (Stream) stream));
    }

    @Override
    public void copyToHost(long target, long source, long bytes, NativeHandle stream) {
        check("cuMemcpyDtoHAsync", JCudaDriver.cuMemcpyDtoHAsync(new HostAddress(target), new DeviceAddress(source),
                bytes, (Stream) stream));
    }

    @Override
    public void copyOnDevice(long target, long source, long bytes, NativeHandle stream) {
        check("cuMemcpyDtoDAsync", JCudaDriver.cuMemcpyDtoDAsync(new DeviceAddress(target), new DeviceAddress(source),
                bytes, (Stream) stream));
    }

    @Override
    public void copyBetween(long target, NativeHandle targetContext, long source, NativeHandle sourceContext,
            long bytes, NativeHandle stream) {
        check("cuMemcpyPeerAsync", JCudaDriver.cuMemcpyPeerAsync(new DeviceAddress(target), (Context) targetContext,
                new DeviceAddress(source), (Context) sourceContext, bytes, (Stream) stream));
    }

    @Override
    public void clear(long address, long bytes, NativeHandle stream) {
        check("cuMemsetD8Async", JCudaDriver.cuMemsetD8Async(new DeviceAddress(address), (byte) 0, bytes,
                (Stream) stream));
    }

    @Override
    public boolean canAccessPeer(int device, int peer) {
        int[] answer = new int[1];
        check("cuDeviceCanAccessPeer", JCudaDriver.cuDeviceCanAccessPeer(answer, device(device), device(peer)));
        return answer[0] != 0;
    }

    @Override
    public void enablePeerAccess(NativeHandle peer) {
        int code = JCudaDriver.cuCtxEnablePeerAccess((Context) peer, 0);
        if (code != CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
            check("cuCtxEnablePeerAccess", code);
        }
    }

    @Override
    public NativeHandle createStream() {
        Stream stream = new Stream();
        check("cuStreamCreate", JCudaDriver.cuStreamCreate(stream, NON_BLOCKING));
        return stream;
    }

    @Override
    public void destroyStream(NativeHandle stream) {
        check("cuStreamDestroy", JCudaDriver.cuStreamDestroy((Stream) stream));
    }

    @Override
    public void synchronizeStream(NativeHandle stream) {
        fast.synchronizeStream(stream.address());
    }

    @Override
    public void waitForEvent(NativeHandle stream, NativeHandle event) {
        check("cuStreamWaitEvent", JCudaDriver.cuStreamWaitEvent((Stream) stream, (Event) event, 0));
    }

    @Override
    public NativeHandle createTexture(long address, int columns, int rows, long pitchBytes) {
        return textures.create(address, columns, rows, pitchBytes);
    }

    @Override
    public void destroyTexture(NativeHandle texture) {
        textures.destroy(texture);
    }

    @Override
    public NativeHandle createEvent() {
        Event event = new Event();
        check("cuEventCreate", JCudaDriver.cuEventCreate(event, 0));
        return event;
    }

    @Override
    public NativeHandle createOrderEvent() {
        Event event = new Event();
        check("cuEventCreate", JCudaDriver.cuEventCreate(event, WITHOUT_TIME));
        return event;
    }

    @Override
    public void destroyEvent(NativeHandle event) {
        check("cuEventDestroy", JCudaDriver.cuEventDestroy((Event) event));
    }

    @Override
    public void recordEvent(NativeHandle event, NativeHandle stream) {
        fast.recordEvent(event.address(), stream.address());
    }

    @Override
    public void synchronizeEvent(NativeHandle event) {
        check("cuEventSynchronize", JCudaDriver.cuEventSynchronize((Event) event));
    }

    @Override
    public boolean hasHappened(NativeHandle event) {
        int code = JCudaDriver.cuEventQuery((Event) event);
        if (code == CUresult.CUDA_ERROR_NOT_READY) {
            return false;
        }
        check("cuEventQuery", code);
        return true;
    }

    @Override
    public double elapsedMilliseconds(NativeHandle start, NativeHandle end) {
        float[] milliseconds = new float[1];
        check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(milliseconds, (Event) start, (Event) end));
        return milliseconds[0];
    }

    @Override
    public NativeHandle loadModule(byte[] image) {
        Module module = new Module();
        check("cuModuleLoadData", JCudaDriver.cuModuleLoadData(module, image));
        return module;
    }

    @Override
    public void unloadModule(NativeHandle module) {
        check("cuModuleUnload", JCudaDriver.cuModuleUnload((Module) module));
    }

    @Override
    public NativeHandle function(NativeHandle module, String name) {
        Function function = new Function();
        check("cuModuleGetFunction", JCudaDriver.cuModuleGetFunction(function, (Module) module, name));
        return function;
    }

    @Override
    public int functionAttribute(NativeHandle function, FunctionAttribute attribute) {
        int[] value = new int[1];
        check("cuFuncGetAttribute",
                JCudaDriver.cuFuncGetAttribute(value, attribute.code(), (Function) function));
        return value[0];
    }

    @Override
    public void setSharedLimit(NativeHandle function, int bytes) {
        check("cuFuncSetAttribute",
                JCudaDriver.cuFuncSetAttribute((Function) function, MAXIMUM_DYNAMIC_SHARED_BYTES, bytes));
    }

    @Override
    public int residentBlocks(NativeHandle function, int threads, int sharedBytes) {
        int[] blocks = new int[1];
        check("cuOccupancyMaxActiveBlocksPerMultiprocessor", JCudaDriver
                .cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (Function) function, threads, sharedBytes));
        return blocks[0];
    }

    @Override
    public void launch(NativeHandle function, LaunchShape shape, NativeHandle stream, MemorySegment parameters) {
        fast.launch(function.address(), shape, stream.address(), parameters);
    }

    @Override
    public void launchCooperative(NativeHandle function, LaunchShape shape, NativeHandle stream,
            MemorySegment parameters) {
        fast.launchCooperative(function.address(), shape, stream.address(), parameters);
    }

    @Override
    public boolean hasGraphs() {
        return graphs.isPresent();
    }

    private GraphCalls graphs() {
        return graphs.orElseThrow(() -> new BackendUnavailableException(
                "the NVIDIA driver has no graphs, expected one of CUDA 11.4 or later"));
    }

    @Override
    public NativeHandle createGraph() {
        return graphs().create();
    }

    @Override
    public void destroyGraph(NativeHandle graph) {
        graphs().destroy(graph);
    }

    @Override
    public NativeHandle addKernel(NativeHandle graph, NativeHandle after, NativeHandle function, LaunchShape shape,
            MemorySegment parameters) {
        return graphs().add(graph, after, function, shape, parameters);
    }

    @Override
    public NativeHandle instantiate(NativeHandle graph) {
        return graphs().instantiate(graph);
    }

    @Override
    public void destroyExecutable(NativeHandle executable) {
        graphs().destroyExecutable(executable);
    }

    @Override
    public void updateKernel(NativeHandle executable, NativeHandle node, NativeHandle function, LaunchShape shape,
            MemorySegment parameters) {
        graphs().update(executable, node, function, shape, parameters);
    }

    @Override
    public void launchGraph(NativeHandle executable, NativeHandle stream) {
        graphs().launch(executable.address(), stream.address());
    }

    @Override
    public boolean hasConditionalNodes() {
        return graphs.isPresent() && conditionals.isPresent();
    }

    @Override
    public WhileNode addWhile(NativeHandle graph, NativeHandle after, NativeHandle context) {
        return conditionals.orElseThrow(() -> new BackendUnavailableException(
                "the NVIDIA driver has no conditional nodes, expected one of CUDA 12.4 or later"))
                .addWhile(graph, after, context);
    }

    // JCuda keeps the values of its handles from callers, but not from subclasses.

    /** A device address that can be read and made from a number. */
    private static final class DeviceAddress extends CUdeviceptr {
        DeviceAddress() {}

        DeviceAddress(long address) {
            super(new CUdeviceptr(), address);
        }

        long value() {
            return getNativePointer() + getByteOffset();
        }
    }

    /** A host address that can be read and made from a number. */
    private static final class HostAddress extends Pointer {
        HostAddress(long address) {
            super(address);
        }

        long value() {
            return getNativePointer();
        }
    }

    /** A context. */
    private static final class Context extends CUcontext implements NativeHandle {
        @Override
        public long address() {
            return getNativePointer();
        }
    }

    /** A stream. */
    private static final class Stream extends CUstream implements NativeHandle {
        @Override
        public long address() {
            return getNativePointer();
        }
    }

    /** An event. */
    private static final class Event extends CUevent implements NativeHandle {
        @Override
        public long address() {
            return getNativePointer();
        }
    }

    /** A module. */
    private static final class Module extends CUmodule implements NativeHandle {
        @Override
        public long address() {
            return getNativePointer();
        }
    }

    /** A kernel. */
    private static final class Function extends CUfunction implements NativeHandle {
        @Override
        public long address() {
            return getNativePointer();
        }
    }
}
