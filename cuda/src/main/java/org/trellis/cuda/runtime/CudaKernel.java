package org.trellis.cuda.runtime;

import org.trellis.common.DeviceException;
import org.trellis.cuda.driver.FunctionAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.driver.NativeHandle;

/** A compiled kernel, loaded into a context. Lives as long as the context; there is nothing to close. */
public final class CudaKernel {
    private final CudaContext context;
    private final String name;
    private final NativeHandle function;

    CudaKernel(CudaContext context, String name, NativeHandle function) {
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
     * Prepares launches of this kernel.
     *
     * @param shape     grid and block
     * @param arguments the number of the kernel's parameters, at most {@value KernelLaunch#MAXIMUM_ARGUMENTS}
     * @return a launch whose arguments are to be set; the caller closes it
     */
    public KernelLaunch launch(LaunchShape shape, int arguments) {
        return new KernelLaunch(this, shape, arguments);
    }

    CudaContext context() {
        return context;
    }

    void run(LaunchShape shape, KernelLaunch launch, CudaStream stream) {
        context.makeCurrent();
        try {
            context.driver().launch(function, shape, stream.handle(), launch.pointers());
        } catch (DeviceException e) {
            throw new DeviceException("launching kernel " + name + " as " + shape + " on " + context.name(), e);
        }
    }

    @Override
    public String toString() {
        return "kernel " + name + " on " + context.name();
    }
}
