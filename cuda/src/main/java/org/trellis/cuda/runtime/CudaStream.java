package org.trellis.cuda.runtime;

import org.trellis.cuda.driver.NativeHandle;

/** A queue of work on a device; work on one stream is done in order. */
public final class CudaStream extends CudaChild {
    private final NativeHandle handle;

    CudaStream(CudaContext context, String name) {
        super(context, name);
        this.handle = context.driver().createStream();
        context.adopt(this);
    }

    /**
     * Returns the driver's handle, for libraries that queue work of their own. What is kept back
     * ({@link CudaBatch}) is queued before.
     *
     * @return the handle
     * @throws IllegalStateException if the stream is closed
     */
    public NativeHandle handle() {
        requireOpen();
        context().interrupt(this);
        return handle;
    }

    NativeHandle nativeHandle() {
        return handle;
    }

    /**
     * Waits until everything queued so far is done.
     *
     * @throws org.trellis.common.DeviceException if some of it failed
     */
    public void synchronize() {
        requireOpen();
        context().makeCurrent();
        context().driver().synchronizeStream(handle());
    }

    /**
     * Lets what is queued here from now on wait for what is queued on another stream so far; the host does not wait.
     * Memory that was freed is handed out again for work on the context's own stream, so that stream has to wait for
     * others before memory that they use is closed.
     *
     * @param other another stream, perhaps of another context
     */
    public void awaitAll(CudaStream other) {
        requireOpen();
        CudaEvent passed = other.context().newEvent();
        try {
            passed.record(other);
            await(passed);
        } finally {
            passed.close();
        }
    }

    /**
     * Lets what is queued from now on wait for an event; the host does not wait.
     *
     * @param event a recorded event, perhaps of another context
     * @throws IllegalStateException if the stream is closed
     */
    public void await(CudaEvent event) {
        requireOpen();
        context().makeCurrent();
        context().driver().waitForEvent(handle(), event.handle());
    }

    @Override
    void releaseNative() {
        context().driver().destroyStream(handle);
    }
}
