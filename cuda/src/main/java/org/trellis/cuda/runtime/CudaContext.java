package org.trellis.cuda.runtime;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.trellis.common.DeviceException;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.CodeSizes;
import org.trellis.cuda.compile.CompiledKernels;
import org.trellis.cuda.compile.FollowingKernels;
import org.trellis.cuda.compile.KernelArchives;
import org.trellis.cuda.compile.KernelCache;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelList;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.NativeHandle;
import org.trellis.memory.MemorySpace;

/**
 * One user of one device: a stream, memory, compiled kernels. Everything here happens in the device's primary context,
 * which is shared with other users in the process, libraries on top of the CUDA runtime among them.
 */
public final class CudaContext extends CudaResource {
    private static final System.Logger LOGGER = System.getLogger(CudaContext.class.getName());
    /** Free memory that is kept for reuse is at most this share of the device's. */
    private static final long KEPT_SHARE = 8;
    private static final int LEAST_PROCESSORS_AHEAD = 4;
    /**
     * The first kernel that a compiler compiles in a process takes half a second, whatever it is. Where the cache has
     * this one there are others, too, and the compiler is left alone.
     */
    private static final KernelSource FIRST =
            new KernelSource("first.cu", "extern \"C\" __global__ void first() {}\n", Map.of(), List.of());

    private final CudaDriver driver;
    private final CudaDevice device;
    private final MemorySpace space;
    private final NativeHandle handle;
    private final KernelCompiler compiler;
    private final CompiledKernels codes;
    private final Set<String> begun = new HashSet<>();
    private final Optional<KernelList.Recorder> recorder;
    private final DevicePool pool;
    private final ParameterBlocks parameterBlocks = new ParameterBlocks();
    private final Staging staging = new Staging(this);
    private final Mailbox mailbox = new Mailbox(this);
    private final Set<CudaChild> children = new LinkedHashSet<>();
    private final Map<KernelSource, NativeHandle> modules = new HashMap<>();
    private final Map<Long, Map<String, Integer>> codeSizes = new HashMap<>();
    private final Map<String, CudaKernel> kernels = new HashMap<>();
    private CudaStream stream;
    /** Where everything is queued instead of the own stream; null for there. */
    private CudaStream instead;
    /** What keeps kernels of the own stream back; null if they are queued at once. */
    private CudaBatch keeping;

    private CudaContext(CudaDriver driver, CudaDevice device, KernelCompiler compiler, KernelCache cache,
            KernelArchives archives, Optional<Path> list) {
        super("cuda:" + device.number());
        this.driver = driver;
        this.device = device;
        this.compiler = compiler;
        this.codes = new CompiledKernels(cache, device.architecture(), compiler, archives);
        this.recorder = list.map(KernelList.Recorder::new);
        this.space = new MemorySpace("cuda:" + device.number());
        this.pool = new DevicePool(driver, name() + " (" + device.name() + ")", device.memoryBytes() / KEPT_SHARE);
        this.handle = driver.retainPrimaryContext(device.number());
    }

    /**
     * Opens a device.
     *
     * @param driver   the driver
     * @param number   the device's number
     * @param compiler compiles kernels
     * @param cache    keeps compiled kernels
     * @return a context that the caller closes
     * @throws IllegalArgumentException if there is no such device
     * @throws DeviceException          if the device cannot be used
     */
    @MustBeClosed
    public static CudaContext open(CudaDriver driver, int number, KernelCompiler compiler, KernelCache cache) {
        return open(driver, number, compiler, cache, KernelArchives.of(), Optional.empty());
    }

    /**
     * Opens a device and notes which kernels are used.
     *
     * @param driver   the driver
     * @param number   the device's number
     * @param compiler compiles kernels
     * @param cache    keeps compiled kernels
     * @param archives code that was compiled before
     * @param list     a file to which the kernels that are loaded are added as a {@linkplain KernelList list}
     * @return a context that the caller closes
     * @throws IllegalArgumentException if there is no such device
     * @throws DeviceException          if the device cannot be used
     */
    @MustBeClosed
    public static CudaContext open(CudaDriver driver, int number, KernelCompiler compiler, KernelCache cache,
            KernelArchives archives, Optional<Path> list) {
        int count = driver.deviceCount();
        if (number < 0 || number >= count) {
            throw new IllegalArgumentException("CUDA device " + number + " does not exist, expected "
                    + (count == 0 ? "a machine with one" : "0 to " + (count - 1)));
        }
        CudaContext context = new CudaContext(driver, CudaDevice.of(driver, number), compiler, cache, archives,
                list);
        try {
            context.stream = new CudaStream(context, "stream of " + context.name());
            context.watch();
            if (!context.codes.isPrecompiled()) {
                context.compileAhead(() -> List.of(FIRST));
            }
            return context;
        } catch (DeviceException e) {
            context.close();
            throw e;
        }
    }

    /**
     * Returns the driver, for calls that this class does not wrap. {@link #makeCurrent()} comes before them.
     *
     * @return the driver
     */
    public CudaDriver driver() {
        return driver;
    }

    /**
     * Returns the device.
     *
     * @return facts about it
     */
    public CudaDevice device() {
        return device;
    }

    /**
     * Returns the memory space of the vectors made here.
     *
     * @return a space of this context's own
     */
    public MemorySpace space() {
        return space;
    }

    /**
     * Returns the stream on which everything happens unless said otherwise.
     *
     * @return the stream, closed with the context; that of {@link #queueOn} for as long as it holds
     * @throws IllegalStateException if the context is closed
     */
    public CudaStream stream() {
        requireOpen();
        return instead == null ? stream : instead;
    }

    /**
     * Lets everything happen on another stream for a while. Who does so orders the two, and neither allocates nor frees
     * memory meanwhile, which is handed out again in the order of the context's own stream.
     *
     * @param other another stream of this context; null for the own one again
     * @throws IllegalArgumentException if the stream is another context's
     */
    public void queueOn(CudaStream other) {
        if (other != null && other.context() != this) {
            throw new IllegalArgumentException("work of " + name() + " was to be queued on a stream of "
                    + other.context().name() + ", expected one of its own");
        }
        instead = other;
    }

    /** Lets kernels of the own stream be kept by a batch from now on; null: queued at once. */
    void keepBy(CudaBatch batch) {
        if (batch != null && keeping != null) {
            throw new IllegalStateException("a batch of " + name() + " was begun within another one, expected one "
                    + "at a time");
        }
        keeping = batch;
    }

    /** Returns what keeps kernels of a stream back, or null. */
    @SuppressWarnings("ReferenceEquality") // a stream is what it is
    CudaBatch keeping(CudaStream user) {
        return user == stream ? keeping : null;
    }

    /** Queues what is kept back before something else is done, if that is on a stream whose kernels are kept. */
    void interrupt(CudaStream user) {
        CudaBatch batch = keeping(user);
        if (batch != null) {
            batch.interrupt();
        }
    }

    /** Queues what is kept back before something else is done with the device. */
    void interrupt() {
        interrupt(stream);
    }

    /** Queues what a batch has kept back so far, if there is one, for others that wait for it. */
    public void submit() {
        if (keeping != null) {
            keeping.submit();
        }
    }

    /**
     * Returns the driver's handle of the context.
     *
     * @return the handle
     * @throws IllegalStateException if the context is closed
     */
    public NativeHandle handle() {
        requireOpen();
        return handle;
    }

    /**
     * Returns what compiles the kernels.
     *
     * @return name and version of the compiler
     */
    public String compilerVersion() {
        return compiler.version();
    }

    /**
     * Makes this the current context of the calling thread. Costs some ten nanoseconds; every method that needs it
     * calls it, so that other libraries may change the current context between calls.
     *
     * @throws IllegalStateException if the context is closed
     */
    public void makeCurrent() {
        requireOpen();
        driver.setCurrentContext(handle);
    }

    void makeCurrentForRelease() {
        driver.setCurrentContext(handle);
    }

    /**
     * Creates another stream.
     *
     * @return a stream that is closed with the context at the latest
     * @throws DeviceException if the driver refuses, for want of memory for example
     */
    public CudaStream newStream() {
        return new CudaStream(this, "further stream of " + name());
    }

    /**
     * Creates an event.
     *
     * @return an event that is closed with the context at the latest
     * @throws DeviceException if the driver refuses, for want of memory for example
     */
    public CudaEvent newEvent() {
        return new CudaEvent(this, true);
    }

    /**
     * Creates an event that only orders what is on streams, also of other devices, and has no time.
     *
     * @return an event that is closed with the context at the latest
     * @throws DeviceException if the driver refuses, for want of memory for example
     */
    public CudaEvent newOrderEvent() {
        return new CudaEvent(this, false);
    }

    /**
     * Lets kernels of this context use the memory of another one.
     *
     * @param other a context, perhaps of another device of the same process
     * @return false if the devices cannot reach each other
     * @throws DeviceException if the driver refuses
     */
    public boolean reach(CudaContext other) {
        if (other.device.number() == device.number()) {
            return true;
        }
        if (!driver.canAccessPeer(device.number(), other.device.number())) {
            return false;
        }
        makeCurrent();
        driver.enablePeerAccess(other.handle());
        return true;
    }

    /**
     * Queues a copy from this context's memory to that of another on this context's own stream.
     *
     * @param target      where to, an address of the other context
     * @param targetOwner the other context
     * @param source      where from, an address of this context
     * @param bytes       how much
     * @throws DeviceException if the driver refuses
     */
    public void copyTo(long target, CudaContext targetOwner, long source, long bytes) {
        makeCurrent();
        driver.copyBetween(target, targetOwner.handle, source, handle, bytes, stream().handle());
    }

    /**
     * Creates an empty graph of kernels.
     *
     * @return a graph that is closed with the context at the latest
     * @throws org.trellis.common.BackendUnavailableException if the driver has no graphs
     *                                                        ({@link CudaDriver#hasGraphs})
     */
    public CudaGraph newGraph() {
        return new CudaGraph(this);
    }

    /**
     * Creates a vector of zeros.
     *
     * @param precision the type of its elements
     * @param length    the number of elements
     * @return a vector that the caller closes
     * @throws DeviceException if there is not enough memory
     */
    @MustBeClosed
    public CudaVector vector(Precision precision, int length) {
        return new CudaVector(this, precision, length);
    }

    /**
     * Allocates device memory with whatever is in it.
     *
     * @param bytes the size, at least 0
     * @return a buffer that the caller closes
     * @throws DeviceException if there is not enough memory
     * @throws IllegalArgumentException if the size is negative
     */
    @MustBeClosed
    public CudaBuffer buffer(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("buffer size is " + bytes + ", expected at least 0");
        }
        return new CudaBuffer(this, bytes, bytes + " bytes on " + name());
    }

    /**
     * Allocates device memory of zeros.
     *
     * @param bytes the size, at least 0
     * @return a buffer that the caller closes
     * @throws DeviceException if there is not enough memory
     */
    @MustBeClosed
    public CudaBuffer zeros(long bytes) {
        @SuppressWarnings("MustBeClosed") // returned, or closed here
        CudaBuffer buffer = buffer(bytes);
        try {
            buffer.clear();
            return buffer;
        } catch (RuntimeException e) {
            buffer.close();
            throw e;
        }
    }

    /**
     * Copies host memory to the device.
     *
     * @param source host memory, for example {@code MemorySegment.ofArray(array)}; may be changed afterwards
     * @return a buffer of the same size that the caller closes
     * @throws DeviceException if there is not enough memory
     */
    @MustBeClosed
    public CudaBuffer upload(MemorySegment source) {
        @SuppressWarnings("MustBeClosed") // returned, or closed here
        CudaBuffer buffer = buffer(source.byteSize());
        try {
            buffer.copyFrom(source);
            return buffer;
        } catch (RuntimeException e) {
            buffer.close();
            throw e;
        }
    }

    /**
     * Queues a copy within the device's memory on this context's own stream.
     *
     * @param target where to, a device address
     * @param source where from, a device address
     * @param bytes  how much
     * @throws DeviceException if the driver refuses
     */
    public void copyOnDevice(long target, long source, long bytes) {
        if (bytes > 0) {
            makeCurrent();
            driver.copyOnDevice(target, source, bytes, stream().handle());
        }
    }

    /**
     * Allocates page-locked host memory.
     *
     * @param bytes the size, at least 0
     * @return a buffer that the caller closes
     * @throws DeviceException if the driver refuses, for want of memory for example
     */
    @MustBeClosed
    public PinnedBuffer pinned(long bytes) {
        return new PinnedBuffer(this, bytes);
    }

    /**
     * Says that a kind of work begins whose kernels are known: they are compiled side by side, or read, before they are
     * asked for. Returns at once; only the first call with a name does anything.
     *
     * @param list a list of kernels, for example {@code multigrid-f64}
     */
    public void compileAhead(String list) {
        if (isAheadWorthwhile() && begun.add(list)) {
            codes.prepareList(list);
        }
    }

    /**
     * Has kernels compiled side by side before they are asked for. Returns at once. Does nothing on machines of few
     * cores, where what is compiled in vain would hold up what is needed.
     *
     * @param sources writes the kernels, the first to be needed first; called at once, or not at all
     */
    public void compileAhead(Supplier<List<KernelSource>> sources) {
        if (isAheadWorthwhile()) {
            codes.prepare(sources.get().stream().filter(source -> !modules.containsKey(source)).toList());
        }
    }

    /**
     * Has a kernel compiled before it is asked for, and then those that follow it. Returns at once. Does nothing on
     * machines of few cores, and where the first kernel is there already.
     *
     * @param kernels writes the kernels; called at once, or not at all
     */
    public void compileFollowing(Supplier<FollowingKernels> kernels) {
        if (isAheadWorthwhile()) {
            FollowingKernels wanted = kernels.get();
            if (!modules.containsKey(wanted.first())) {
                codes.prepare(wanted);
            }
        }
    }

    private static boolean isAheadWorthwhile() {
        return Runtime.getRuntime().availableProcessors() >= LEAST_PROCESSORS_AHEAD;
    }

    /**
     * Returns a kernel, compiled at the first request and then kept: in this context, and on disk for later processes.
     *
     * @param source   the source
     * @param function the kernel's name, declared {@code extern "C"}
     * @return the kernel, which lives as long as this context
     * @throws org.trellis.common.KernelCompilationException if the source does not compile
     * @throws DeviceException                               if the kernel cannot be loaded or there is none of that
     *                                                       name
     */
    public CudaKernel kernel(KernelSource source, String function) {
        makeCurrent();
        NativeHandle module = modules.get(source);
        if (module == null) {
            long start = System.nanoTime();
            CompiledKernels.Code code = codes.get(source);
            long compiled = System.nanoTime();
            recorder.ifPresent(list -> list.add(source));
            module = load(source, code);
            LOGGER.log(System.Logger.Level.DEBUG, () -> String.format(Locale.ROOT,
                    "%s: code%s after %.1f ms, loaded in %.1f ms", source.name(),
                    code.isPrecompiled() ? " of an archive" : "", (compiled - start) * 1e-6,
                    (System.nanoTime() - compiled) * 1e-6));
            modules.put(source, module);
            codeSizes.put(module.address(), CodeSizes.of(code.bytes()));
        }
        NativeHandle loaded = module;
        return kernels.computeIfAbsent(loaded.address() + function, key -> new CudaKernel(this, function,
                driver.function(loaded, function), codeSizes.get(loaded.address()).getOrDefault(function, 0)));
    }

    /** Loads code; what an archive has and the driver does not take, being older for example, is compiled. */
    private NativeHandle load(KernelSource source, CompiledKernels.Code code) {
        try {
            return driver.loadModule(code.bytes());
        } catch (DeviceException e) {
            if (!code.isPrecompiled()) {
                throw e;
            }
            LOGGER.log(System.Logger.Level.INFO,
                    () -> "the driver does not take precompiled kernels, so they are compiled: " + e.getMessage());
            return driver.loadModule(codes.refused(source));
        }
    }

    /**
     * Waits until everything queued on this context's own stream is done.
     *
     * @throws DeviceException if some of it failed
     */
    public void synchronize() {
        stream().synchronize();
    }

    /**
     * Returns what the memory pool has done so far.
     *
     * @return the figures
     */
    public PoolStatistics memoryStatistics() {
        return pool.statistics();
    }

    /** Gives the memory that is kept for reuse back to the driver, so that others can have it. */
    public void trimMemory() {
        makeCurrent();
        interrupt();
        pool.trim();
    }

    DevicePool pool() {
        return pool;
    }

    Staging staging() {
        requireOpen();
        return staging;
    }

    /**
     * Returns where kernels leave numbers for the host.
     *
     * @return the mailbox of this context
     */
    public Mailbox mailbox() {
        requireOpen();
        return mailbox;
    }

    ParameterBlocks parameterBlocks() {
        return parameterBlocks;
    }

    /** From now on the child has to be closed, and is closed with this context at the latest. */
    void adopt(CudaChild child) {
        child.watch();
        children.add(child);
    }

    void abandon(CudaChild child) {
        children.remove(child);
    }

    @Override
    void release() {
        releaseStep("waiting for the device", () -> {
            driver.setCurrentContext(handle);
            if (stream != null && stream.isOpen()) {
                driver.synchronizeStream(stream.nativeHandle());
            }
        });
        List<CudaChild> open = new ArrayList<>(children).reversed();
        open.forEach(CudaChild::close);
        for (NativeHandle module : modules.values()) {
            releaseStep("unloading a kernel", () -> driver.unloadModule(module));
        }
        releaseStep("freeing memory", pool::trim);
        releaseStep("releasing the context", () -> driver.releasePrimaryContext(device.number()));
        parameterBlocks.close();
    }

    /** The steps after a failed one are still taken. */
    private void releaseStep(String what, Runnable step) {
        try {
            step.run();
        } catch (DeviceException e) {
            LOGGER.log(System.Logger.Level.WARNING, "closing " + name() + ": " + what + " failed", e);
        }
    }
}
