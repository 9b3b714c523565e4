package org.trellis.mesh.device;

import org.trellis.memory.HostVector;

/** Storage on the heap that says when it is closed. */
public final class CountedStorage extends HostStorage {
    private final Runnable whenClosed;
    private boolean closed;

    /**
     * Creates storage of zeros.
     *
     * @param type       the type of the values
     * @param length     how many
     * @param whenClosed called once
     */
    public CountedStorage(ScalarType type, int length, Runnable whenClosed) {
        super(type, type.real() ? HostVector.zeros(type.precision(), length) : null,
                type.real() ? null : new int[length]);
        this.whenClosed = whenClosed;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            whenClosed.run();
        }
    }
}
