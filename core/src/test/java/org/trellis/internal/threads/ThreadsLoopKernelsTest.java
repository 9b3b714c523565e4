package org.trellis.internal.threads;

import org.trellis.backend.Backend;
import org.trellis.mesh.LoopKernelsContract;

/** The parallel loops of the threads backend, with more threads than a small machine has. */
final class ThreadsLoopKernelsTest extends LoopKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
