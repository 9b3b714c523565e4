package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.mesh.PatternKernelsContract;

/** The patterns of the threads backend. */
final class TeamPatternKernelsTest extends PatternKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
