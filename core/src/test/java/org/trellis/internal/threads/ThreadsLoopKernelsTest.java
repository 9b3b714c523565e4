package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.mesh.LoopKernelsContract;

/** The parallel loops of the threads backend, with more threads than a small machine has. */
final class ThreadsLoopKernelsTest extends LoopKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
