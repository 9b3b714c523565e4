package org.trellis.cuda.driver;

import java.lang.foreign.MemorySegment;

/**
 * The calls of the CUDA driver that Trellis makes, one method a call, without any policy. Addresses of device memory
 * are plain numbers. Every method throws {@link org.trellis.common.DeviceException} if the driver returns an error, its
 * own or one that an earlier asynchronous call left behind.
 *
 * <p>Calls that concern memory, streams, events, modules and launches need the context that they belong to as the
 * current one of the calling thread.
 */
public interface CudaDriver {
    /**
     * Returns the CUDA version that the driver supports.
     *
     * @return 1000 × major + 10 × minor
     */
    int driverVersion();

    /**
     * Returns the number of devices.
     *
     * @return at least 0
     */
    int deviceCount();

    /**
     * Returns the name of a device.
     *
     * @param device its number
     * @return for example {@code NVIDIA H200}
     */
    String deviceName(int device);

    /**
     * Returns the size of a device's memory.
     *
     * @param device its number
     * @return bytes
     */
    long deviceMemory(int device);

    /**
     * Returns a fact about a device.
     *
     * @param device    its number
     * @param attribute the fact
     * @return its value
     */
    int deviceAttribute(int device, DeviceAttribute attribute);

    /**
     * Retains the primary context of a device, which everything in the process shares.
     *
     * @param device its number
     * @return the context, to be released once for each time it was retained
     */
    NativeHandle retainPrimaryContext(int device);

    /**
     * Releases the primary context of a device.
     *
     * @param device its number
     */
    void releasePrimaryContext(int device);

    /**
     * Makes a context the current one of the calling thread.
     *
     * @param context the context
     */
    void setCurrentContext(NativeHandle context);

    /**
     * Returns the memory that is free on the current context's device, to all processes.
     *
     * @return bytes
     */
    long freeMemory();

    /**
     * Allocates device memory.
     *
     * @param bytes at least 1
     * @return its address, aligned to at least 256 bytes
     */
    long allocate(long bytes);

    /**
     * Frees device memory. Waits for everything on the device.
     *
     * @param address what {@link #allocate} gave
     */
    void free(long address);

    /**
     * Allocates page-locked host memory that the device can read and write at the same address.
     *
     * @param bytes at least 1
     * @return the memory
     */
    MemorySegment allocatePinned(long bytes);

    /**
     * Frees page-locked host memory.
     *
     * @param memory what {@link #allocatePinned} gave
     */
    void freePinned(MemorySegment memory);

    /**
     * Queues a copy from page-locked host memory to device memory.
     *
     * @param target device address
     * @param source host address
     * @param bytes  how much
     * @param stream the stream
     */
    void copyToDevice(long target, long source, long bytes, NativeHandle stream);

    /**
     * Queues a copy from device memory to page-locked host memory.
     *
     * @param target host address
     * @param source device address
     * @param bytes  how much
     * @param stream the stream
     */
    void copyToHost(long target, long source, long bytes, NativeHandle stream);

    /**
     * Queues a copy within the memory of a device.
     *
     * @param target device address
     * @param source device address
     * @param bytes  how much
     * @param stream the stream
     */
    void copyOnDevice(long target, long source, long bytes, NativeHandle stream);

    /**
     * Queues a copy from the memory of one device to that of another.
     *
     * @param target        address on the target's device
     * @param targetContext a context of that device
     * @param source        address on the source's device
     * @param sourceContext a context of that device
     * @param bytes         how much
     * @param stream        a stream of the current context
     */
    void copyBetween(long target, NativeHandle targetContext, long source, NativeHandle sourceContext, long bytes,
            NativeHandle stream);

    /**
     * Queues filling device memory with zeros.
     *
     * @param address device address
     * @param bytes   how much
     * @param stream  the stream
     */
    void clear(long address, long bytes, NativeHandle stream);

    /**
     * Returns whether one device can read and write the memory of another directly.
     *
     * @param device a device
     * @param peer   the other device
     * @return true if it can
     */
    boolean canAccessPeer(int device, int peer);

    /**
     * Lets kernels of the current context read and write the memory of another device, from now on and for all that is
     * allocated there later. Does nothing if they can already.
     *
     * @param peer a context of the other device, which {@link #canAccessPeer} can be reached
     */
    void enablePeerAccess(NativeHandle peer);

    /**
     * Creates a stream that does not wait for the legacy default stream.
     *
     * @return the stream
     */
    NativeHandle createStream();

    /**
     * Destroys a stream; what is queued on it still runs.
     *
     * @param stream the stream
     */
    void destroyStream(NativeHandle stream);

    /**
     * Waits until everything queued on a stream is done.
     *
     * @param stream the stream
     */
    void synchronizeStream(NativeHandle stream);

    /**
     * Lets a stream wait for an event; the host does not wait.
     *
     * @param stream the stream that waits
     * @param event  a recorded event
     */
    void waitForEvent(NativeHandle stream, NativeHandle event);

    /**
     * Creates a texture over memory that holds rows of four floats: coordinates in texels, the middle of the first at
     * 0.5, filtered linearly, and beyond the edges as at them.
     *
     * @param address   where the rows start, aligned to 512 bytes
     * @param columns   texels of a row
     * @param rows      rows
     * @param pitchBytes the distance of rows, a multiple of 512
     * @return the texture; what kernels take is its address
     */
    NativeHandle createTexture(long address, int columns, int rows, long pitchBytes);

    /**
     * Destroys a texture. The memory stays.
     *
     * @param texture the texture
     */
    void destroyTexture(NativeHandle texture);

    /**
     * Creates an event that records times.
     *
     * @return the event
     */
    NativeHandle createEvent();

    /**
     * Creates an event that records no times, which costs less.
     *
     * @return the event
     */
    NativeHandle createOrderEvent();

    /**
     * Destroys an event.
     *
     * @param event the event
     */
    void destroyEvent(NativeHandle event);

    /**
     * Queues the recording of an event.
     *
     * @param event  the event
     * @param stream the stream
     */
    void recordEvent(NativeHandle event, NativeHandle stream);

    /**
     * Waits until an event has happened.
     *
     * @param event a recorded event
     */
    void synchronizeEvent(NativeHandle event);

    /**
     * Returns whether an event has happened. Does not wait.
     *
     * @param event a recorded event
     * @return true once the device has passed it
     */
    boolean hasHappened(NativeHandle event);

    /**
     * Returns the time between two events that have happened.
     *
     * @param start the first
     * @param end   the second
     * @return milliseconds, with a resolution of about half a microsecond
     */
    double elapsedMilliseconds(NativeHandle start, NativeHandle end);

    /**
     * Loads a compiled module into the current context.
     *
     * @param image a cubin
     * @return the module
     */
    NativeHandle loadModule(byte[] image);

    /**
     * Unloads a module.
     *
     * @param module the module
     */
    void unloadModule(NativeHandle module);

    /**
     * Finds a kernel in a module.
     *
     * @param module the module
     * @param name   the kernel's name as the linker sees it
     * @return the kernel
     */
    NativeHandle function(NativeHandle module, String name);

    /**
     * Returns a fact about a kernel.
     *
     * @param function  the kernel
     * @param attribute the fact
     * @return its value
     */
    int functionAttribute(NativeHandle function, FunctionAttribute attribute);

    /**
     * Lets the blocks of a kernel have more dynamic shared memory than 48 KiB.
     *
     * @param function the kernel
     * @param bytes    the most that a launch will ask for
     */
    void setSharedLimit(NativeHandle function, int bytes);

    /**
     * Returns how many blocks of a kernel a multiprocessor runs at a time.
     *
     * @param function    the kernel
     * @param threads     the threads of a block
     * @param sharedBytes its dynamic shared memory
     * @return at least 0
     */
    int residentBlocks(NativeHandle function, int threads, int sharedBytes);

    /**
     * Queues a kernel.
     *
     * @param function   the kernel
     * @param shape      grid, block and shared memory
     * @param stream     the stream
     * @param parameters native memory with the address of each argument, in order; read before this returns
     */
    void launch(NativeHandle function, LaunchShape shape, NativeHandle stream, MemorySegment parameters);

    /**
     * Queues a kernel whose blocks wait for each other: all of them are resident at the same time, or none is.
     *
     * @param function   the kernel
     * @param shape      grid, block and shared memory; at most as many blocks as are resident together
     * @param stream     the stream
     * @param parameters native memory with the address of each argument, in order; read before this returns
     */
    void launchCooperative(NativeHandle function, LaunchShape shape, NativeHandle stream, MemorySegment parameters);

    /**
     * Returns whether the driver has the calls that graphs take, below.
     *
     * @return false for drivers older than CUDA 11.4
     */
    boolean hasGraphs();

    /**
     * Creates an empty graph.
     *
     * @return the graph
     */
    NativeHandle createGraph();

    /**
     * Destroys a graph and its nodes.
     *
     * @param graph the graph
     */
    void destroyGraph(NativeHandle graph);

    /**
     * Adds a kernel to a graph.
     *
     * @param graph      the graph
     * @param after      the node that has to be done before, or null
     * @param function   the kernel
     * @param shape      grid, block and shared memory
     * @param parameters native memory with the address of each argument, in order; arguments are copied
     * @return the node
     */
    NativeHandle addKernel(NativeHandle graph, NativeHandle after, NativeHandle function, LaunchShape shape,
            MemorySegment parameters);

    /**
     * Makes a graph ready to be launched. Its nodes serve to change arguments as long as the graph is there.
     *
     * @param graph the graph
     * @return what can be launched
     */
    NativeHandle instantiate(NativeHandle graph);

    /**
     * Destroys what {@link #instantiate} made. A launch that is under way still finishes.
     *
     * @param executable the instance
     */
    void destroyExecutable(NativeHandle executable);

    /**
     * Changes the arguments of a kernel for later launches. Those that are under way keep theirs.
     *
     * @param executable the instance
     * @param node       the kernel's node in the graph
     * @param function   the same kernel
     * @param shape      grid, block and shared memory
     * @param parameters native memory with the address of each argument, in order; arguments are copied
     */
    void updateKernel(NativeHandle executable, NativeHandle node, NativeHandle function, LaunchShape shape,
            MemorySegment parameters);

    /**
     * Queues all kernels of a graph.
     *
     * @param executable the instance
     * @param stream     the stream
     */
    void launchGraph(NativeHandle executable, NativeHandle stream);

    /**
     * Returns whether graphs can have parts that are run again and again while a condition holds.
     *
     * @return false for drivers older than CUDA 12.4
     */
    boolean hasConditionalNodes();

    /**
     * Adds a part to a graph that is run again and again as long as its condition, which kernels in it set, is not 0.
     * The condition is 1 at each launch of the graph.
     *
     * @param graph   the graph
     * @param after   the node that has to be done before, or null
     * @param context the context that all of it runs in
     * @return the part, whose graph is empty and is destroyed with the graph
     */
    WhileNode addWhile(NativeHandle graph, NativeHandle after, NativeHandle context);
}
