package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.mesh.LoopKernelsContract;

/** The parallel loops of the threads backend on one thread. */
final class OneThreadLoopKernelsTest extends LoopKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new ThreadsBackend(1);
    }
}
