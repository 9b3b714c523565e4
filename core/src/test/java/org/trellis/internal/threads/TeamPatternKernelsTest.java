package org.trellis.internal.threads;

import org.trellis.backend.Backend;
import org.trellis.mesh.PatternKernelsContract;

/** The patterns of the threads backend. */
final class TeamPatternKernelsTest extends PatternKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
