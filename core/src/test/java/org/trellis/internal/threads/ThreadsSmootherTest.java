package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.solve.smooth.SmootherContract;

/** The smoothers of the threads backend, with more threads than a small machine has. */
final class ThreadsSmootherTest extends SmootherContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
