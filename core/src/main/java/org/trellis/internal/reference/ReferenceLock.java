package org.trellis.internal.reference;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets one thread at a time work on a backend that is open, as the other backends do: the reference keeps what it works
 * on in fields, too, and a second thread would silently spoil the answer.
 */
final class ReferenceLock {
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * Begins to work.
     *
     * @throws IllegalStateException if the backend is closed or another thread is using it
     */
    private void begin() {
        if (closed) {
            throw new IllegalStateException("backend '" + ReferenceBackendProvider.NAME + "' is closed");
        }
        if (!busy.compareAndSet(false, true)) {
            throw new IllegalStateException("backend '" + ReferenceBackendProvider.NAME
                    + "' is in use by another thread; open one backend for each calling thread");
        }
    }

    private void end() {
        busy.setRelease(false);
    }

    /** Refuses all work from now on. */
    void close() {
        closed = true;
    }

    /** Does something in a turn of its own. */
    void take(Runnable work) {
        begin();
        try {
            work.run();
        } finally {
            end();
        }
    }
}
