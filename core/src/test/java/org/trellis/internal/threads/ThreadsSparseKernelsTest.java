package org.trellis.internal.threads;

import org.trellis.backend.Backend;
import org.trellis.sparse.SparseKernelsContract;

/** The products of the threads backend, with more threads than a small machine has. */
final class ThreadsSparseKernelsTest extends SparseKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
