package org.trellis.cuda.runtime;

import java.lang.ref.Cleaner;

/** Something to be closed. Forgotten ones are reported, not released: that would need their context's thread. */
abstract class CudaResource implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(CudaResource.class.getName());
    private static final Cleaner CLEANER = Cleaner.create();

    private final Watch watch;
    private Cleaner.Cleanable registration;

    /**
     * Creates a resource.
     *
     * @param name what it is, for messages
     */
    CudaResource(String name) {
        this.watch = new Watch(name);
    }

    /** From now on it has to be closed. Called once what can fail in the making is done. */
    final void watch() {
        registration = CLEANER.register(this, watch);
    }

    final String name() {
        return watch.name;
    }

    /**
     * Says whether this can be used.
     *
     * @return false after {@link #close()}
     */
    public final boolean isOpen() {
        return !watch.closed;
    }

    final void requireOpen() {
        if (watch.closed) {
            throw new IllegalStateException(watch.name + " is closed");
        }
    }

    /** Releases what this holds; called once. */
    abstract void release();

    /** Releases what this holds. Idempotent; use afterwards is an {@link IllegalStateException}. */
    @Override
    public final void close() {
        if (!watch.closed) {
            watch.closed = true;
            if (registration != null) {
                registration.clean();
            }
            release();
        }
    }

    @Override
    public String toString() {
        return watch.name + (watch.closed ? " (closed)" : "");
    }

    /** What the cleaner knows of a resource; must not refer to it. */
    private static final class Watch implements Runnable {
        private final String name;
        private volatile boolean closed;

        private Watch(String name) {
            this.name = name;
        }

        @Override
        public void run() {
            if (!closed) {
                LOGGER.log(System.Logger.Level.WARNING, "{0} was never closed", name);
            }
        }
    }
}
