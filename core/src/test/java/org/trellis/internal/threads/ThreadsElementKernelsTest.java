package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.solve.ElementKernelsContract;

/** The element kernels of the threads backend, with more threads than a small machine has. */
final class ThreadsElementKernelsTest extends ElementKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
