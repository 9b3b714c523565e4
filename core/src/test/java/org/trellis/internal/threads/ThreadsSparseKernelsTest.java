package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.sparse.SparseKernelsContract;

/** The products of the threads backend, with more threads than a small machine has. */
final class ThreadsSparseKernelsTest extends SparseKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
