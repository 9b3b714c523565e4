package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.solve.VectorLoopsContract;

class ThreadsVectorLoopsTest extends VectorLoopsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return Backends.open("threads", Configuration.load());
    }
}
