package org.trellis.memory;

import org.trellis.common.Precision;

/** A host vector that says when it is closed. */
public final class CountedVector extends HostVector {
    private final Runnable whenClosed;
    private boolean closed;

    /**
     * Creates a vector of zeros.
     *
     * @param precision  the type of its elements
     * @param length     the number of elements
     * @param whenClosed called once
     */
    public CountedVector(Precision precision, int length, Runnable whenClosed) {
        super(precision == Precision.F64 ? new double[length] : null,
                precision == Precision.F64 ? null : new float[length]);
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
