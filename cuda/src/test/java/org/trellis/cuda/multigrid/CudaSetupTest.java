package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.solve.multigrid.BackendSetupContract;

/** The set-up of multigrid on the GPU. */
class CudaSetupTest extends BackendSetupContract {

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
