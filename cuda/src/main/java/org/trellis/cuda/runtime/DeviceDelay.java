package org.trellis.cuda.runtime;

import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;

/**
 * Keeps a device busy for a while, so that what is queued behind is all there when the device gets to it. Events around
 * a kernel that comes into an empty queue would time the host, which launches it after the first of them has happened.
 */
public final class DeviceDelay {
    private final CudaContext context;
    /** Made when it is first needed, and closed with the context. */
    private KernelLaunch launch;

    /**
     * Takes a device.
     *
     * @param context the device
     */
    public DeviceDelay(CudaContext context) {
        this.context = context;
    }

    /** Compiles the kernel, unless that was done, so that the first delay does not wait for it. */
    @SuppressWarnings("MustBeClosed") // closed with the context
    public void prepare() {
        if (launch == null) {
            launch = context.kernel(KernelSource.resource(DeviceDelay.class, "delay.cu"), "trellisDelay")
                    .launch(LaunchShape.of(1, 1), 1);
        }
    }

    /**
     * Queues a kernel that only takes time.
     *
     * @param nanoseconds how long
     */
    public void run(long nanoseconds) {
        prepare();
        launch.setLong(0, nanoseconds).run();
    }
}
