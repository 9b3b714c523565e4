package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.solve.VectorKernelsContract;

/** The vector operations of the threads backend, with more threads than a small machine has. */
final class ThreadsVectorKernelsTest extends VectorKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
