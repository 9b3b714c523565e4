package org.trellis.cuda.runtime;

import org.trellis.cuda.driver.NativeHandle;

/** A point in a stream, with the device's time at it. */
public final class CudaEvent extends CudaChild {
    private static final double MILLI = 1e-3;

    private final NativeHandle handle;

    CudaEvent(CudaContext context, boolean timed) {
        super(context, "event of " + context.name());
        this.handle = timed ? context.driver().createEvent() : context.driver().createOrderEvent();
        context.adopt(this);
    }

    NativeHandle handle() {
        requireOpen();
        return handle;
    }

    /**
     * Queues the recording of this event on the context's own stream.
     *
     * @throws IllegalStateException if the event is closed
     * @throws org.trellis.common.DeviceException if the driver refuses
     */
    public void record() {
        record(context().stream());
    }

    /**
     * Queues the recording of this event.
     *
     * @param stream a stream of the same context
     */
    public void record(CudaStream stream) {
        requireOpen();
        context().makeCurrent();
        context().driver().recordEvent(handle, stream.handle());
    }

    /**
     * Waits until the event, recorded before, has happened.
     *
     * @throws IllegalStateException if the event is closed
     * @throws org.trellis.common.DeviceException if the driver refuses
     */
    public void synchronize() {
        requireOpen();
        context().makeCurrent();
        context().driver().synchronizeEvent(handle);
    }

    /**
     * Returns whether the event, recorded before, has happened. Does not wait.
     *
     * @return true once the device has passed it
     * @throws IllegalStateException if the event is closed
     * @throws org.trellis.common.DeviceException if the driver refuses
     */
    public boolean hasHappened() {
        requireOpen();
        context().makeCurrent();
        return context().driver().hasHappened(handle);
    }

    /**
     * Returns the time from another event to this one; both must have happened.
     *
     * @param start the earlier event
     * @return seconds, with a resolution of about half a microsecond
     * @throws IllegalStateException if the event is closed
     * @throws org.trellis.common.DeviceException if the driver refuses
     */
    public double secondsSince(CudaEvent start) {
        requireOpen();
        context().makeCurrent();
        return context().driver().elapsedMilliseconds(start.handle(), handle) * MILLI;
    }

    @Override
    void releaseNative() {
        context().driver().destroyEvent(handle);
    }
}
