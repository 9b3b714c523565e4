package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.solve.VectorLoopsContract;

class CpuVectorLoopsTest extends VectorLoopsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return Backends.open("cpu", Configuration.load());
    }
}
