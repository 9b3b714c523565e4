package org.trellis.internal.threads;

import org.trellis.backend.Backend;
import org.trellis.solve.VectorKernelsContract;

/** The vector operations of the threads backend, with more threads than a small machine has. */
final class ThreadsVectorKernelsTest extends VectorKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
