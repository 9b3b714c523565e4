package org.trellis.cuda.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.cuda.driver.LaunchShape;

/**
 * A kernel with one parameter, a struct, which the device has in constant memory while the kernel runs. The struct is
 * copied when a launch is queued, so it may be changed at once for the next. Used by one thread at a time; launching
 * allocates nothing, and is prepared as a graph after ten launches as in {@link KernelLaunch}.
 */
public final class StructLaunch extends CudaChild {
    private static final long ALIGNMENT = 16;

    private final CudaKernel kernel;
    private final Arena arena;
    private final MemorySegment block;
    private final MemorySegment pointers;
    private final RepeatedLaunch repeated;

    StructLaunch(CudaKernel kernel, long bytes) {
        super(kernel.context(), "launch of " + kernel);
        this.kernel = kernel;
        this.arena = Arena.ofShared();
        this.block = arena.allocate(bytes, ALIGNMENT);
        this.pointers = arena.allocate(ValueLayout.JAVA_LONG);
        pointers.set(ValueLayout.JAVA_LONG, 0, block.address());
        this.repeated = new RepeatedLaunch(kernel, block, pointers);
        kernel.context().adopt(this);
    }

    /**
     * Returns the struct.
     *
     * @return memory to be written before a launch
     * @throws IllegalStateException if the launch is closed
     */
    public MemorySegment block() {
        requireOpen();
        return block;
    }

    CudaKernel kernel() {
        return kernel;
    }

    /**
     * Queues the kernel on the context's own stream.
     *
     * @param shape how many threads
     * @throws org.trellis.common.DeviceException if the driver refuses
     */
    public void run(LaunchShape shape) {
        run(shape, context().stream());
    }

    /**
     * Queues the kernel.
     *
     * @param shape  how many threads
     * @param stream a stream of the same context
     * @throws org.trellis.common.DeviceException if the driver refuses
     */
    public void run(LaunchShape shape, CudaStream stream) {
        requireOpen();
        CudaBatch batch = context().keeping(stream);
        if (batch == null) {
            repeated.run(shape, stream);
        } else {
            batch.keep(kernel, shape, block, true);
        }
    }

    /**
     * Queues the kernel on the context's own stream, with all blocks resident at the same time, so that they may wait
     * for each other.
     *
     * @param shape how many threads
     * @throws org.trellis.common.DeviceException if the driver refuses, because there are more blocks than the device
     *                                            runs at a time for example
     */
    public void runTogether(LaunchShape shape) {
        requireOpen();
        kernel.runTogether(shape, pointers, context().stream());
    }

    @Override
    void releaseNative() {
        try {
            repeated.releaseNative();
        } finally {
            arena.close();
        }
    }
}
