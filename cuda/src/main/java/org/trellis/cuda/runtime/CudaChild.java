package org.trellis.cuda.runtime;

import org.trellis.common.DeviceException;

/** A resource of a context, closed with it. */
abstract class CudaChild extends CudaResource {
    private static final System.Logger LOGGER = System.getLogger(CudaChild.class.getName());

    private final CudaContext context;

    /**
     * Creates a child; the subclass hands it to {@link CudaContext#adopt} once its native part is there.
     *
     * @param context the context
     * @param name    what it is, for messages
     */
    CudaChild(CudaContext context, String name) {
        super(name);
        this.context = context;
        context.makeCurrent();
    }

    /**
     * Returns the context that this belongs to.
     *
     * @return the context
     */
    public final CudaContext context() {
        return context;
    }

    /** Releases the native part, with the context current. */
    abstract void releaseNative();

    /**
     * Releases the native part. A failure is logged: after a fault in a kernel the driver refuses everything, and the
     * fault is what the program should see, not that memory could not be freed afterwards.
     */
    @Override
    final void release() {
        context.abandon(this);
        try {
            context.makeCurrentForRelease();
            releaseNative();
        } catch (DeviceException e) {
            LOGGER.log(System.Logger.Level.WARNING, name() + " could not be released", e);
        }
    }
}
