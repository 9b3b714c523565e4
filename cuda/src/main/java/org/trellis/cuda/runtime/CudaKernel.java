package org.trellis.cuda.runtime;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import org.trellis.common.DeviceException;
import org.trellis.cuda.driver.FunctionAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.driver.NativeHandle;

/** A compiled kernel, loaded into a context. Lives as long as the context; there is nothing to close. */
public final class CudaKernel {
    private final CudaContext context;
    private final String name;
    private final NativeHandle function;
    private final int codeBytes;

    CudaKernel(CudaContext context, String name, NativeHandle function, int codeBytes) {
        this.codeBytes = codeBytes;
        this.context = context;
        this.name = name;
        this.function = function;
    }

    /**
     * Returns a fact about the compiled kernel.
     *
     * @param attribute the fact
     * @return its value
     */
    public int attribute(FunctionAttribute attribute) {
        context.makeCurrent();
        return context.driver().functionAttribute(function, attribute);
    }

    /**
     * Returns how long the machine code is, without functions that it calls.
     *
     * @return bytes; 0 if the compiler's output does not say
     */
    public int codeBytes() {
        return codeBytes;
    }

    /**
     * Prepares launches of this kernel.
     *
     * @param shape     grid and block
     * @param arguments the number of the kernel's parameters, at most {@value KernelLaunch#MAXIMUM_ARGUMENTS}
     * @return a launch whose arguments are to be set; the caller closes it
     */
    @MustBeClosed
    public KernelLaunch launch(LaunchShape shape, int arguments) {
        return new KernelLaunch(this, shape, arguments);
    }

    /**
     * Creates a launch of a kernel whose one parameter is a struct.
     *
     * @param bytes the size of the struct
     * @return a launch that is closed with the context at the latest; the struct is full of zeros
     */
    public StructLaunch structLaunch(long bytes) {
        return new StructLaunch(this, bytes);
    }

    /**
     * Lets blocks have more dynamic shared memory than the 48 KiB of every device.
     *
     * @param bytes the most that a launch will ask for
     * @throws org.trellis.common.DeviceException if the device has less
     */
    public void allowShared(int bytes) {
        context.makeCurrent();
        context.driver().setSharedLimit(function, bytes);
    }

    /**
     * Returns how many blocks of this kernel a multiprocessor runs at a time, limited by threads, registers and shared
     * memory.
     *
     * @param threads     the threads of a block
     * @param sharedBytes its dynamic shared memory
     * @return at least 0
     */
    public int residentBlocks(int threads, int sharedBytes) {
        context.makeCurrent();
        return context.driver().residentBlocks(function, threads, sharedBytes);
    }

    CudaContext context() {
        return context;
    }

    NativeHandle function() {
        return function;
    }

    void run(LaunchShape shape, MemorySegment pointers, CudaStream stream) {
        context.makeCurrent();
        try {
            context.driver().launch(function, shape, stream.handle(), pointers);
        } catch (DeviceException e) {
            throw refused(shape, "", e);
        }
    }

    /** Returns what says which launch was refused. */
    DeviceException refused(LaunchShape shape, String how, DeviceException cause) {
        return new DeviceException("launching kernel " + name + " as " + shape + how + " on " + context.name(), cause);
    }

    void runTogether(LaunchShape shape, MemorySegment pointers, CudaStream stream) {
        context.makeCurrent();
        try {
            context.driver().launchCooperative(function, shape, stream.handle(), pointers);
        } catch (DeviceException e) {
            throw refused(shape, ", all of them together,", e);
        }
    }

    @Override
    public String toString() {
        return "kernel " + name + " on " + context.name();
    }
}
