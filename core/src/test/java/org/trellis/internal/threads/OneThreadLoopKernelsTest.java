package org.trellis.internal.threads;

import org.trellis.backend.Backend;
import org.trellis.mesh.LoopKernelsContract;

/** The parallel loops of the threads backend on one thread. */
final class OneThreadLoopKernelsTest extends LoopKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ThreadsBackend(1);
    }
}
