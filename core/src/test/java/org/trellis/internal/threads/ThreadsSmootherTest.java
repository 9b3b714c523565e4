package org.trellis.internal.threads;

import org.trellis.backend.Backend;
import org.trellis.solve.smooth.SmootherContract;

/** The smoothers of the threads backend, with more threads than a small machine has. */
final class ThreadsSmootherTest extends SmootherContract {
    @Override
    protected Backend openBackend() {
        return new ThreadsBackend(3);
    }
}
