package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.sparse.LinearOperatorContract;

class CpuLinearOperatorTest extends LinearOperatorContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return Backends.open("cpu", Configuration.load());
    }
}
