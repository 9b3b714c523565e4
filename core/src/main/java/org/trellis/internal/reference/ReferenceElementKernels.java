package org.trellis.internal.reference;

import org.trellis.memory.DenseVector;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.HostElements;

/** Plain element kernels, each in a turn of its own. */
final class ReferenceElementKernels implements ElementKernels {
    private final ReferenceLock turn;

    ReferenceElementKernels(ReferenceLock turn) {
        this.turn = turn;
    }

    @Override
    public void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        turn.take(() -> HostElements.PLAIN.update(alpha, d, x, beta, y));
    }

    @Override
    public void dot(DenseVector x, DenseVector y, DenseVector result, int at) {
        turn.take(() -> HostElements.PLAIN.dot(x, y, result, at));
    }
}
