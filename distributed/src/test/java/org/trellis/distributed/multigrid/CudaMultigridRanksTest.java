package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

/** Multigrid over ranks on the GPUs that there are, several ranks on one where there are more ranks. */
class CudaMultigridRanksTest extends DeviceMultigridContract {
    @Override
    @MustBeClosed
    protected Backend open(int rank, boolean writes) {
        return TestGpu.open(rank % TestGpu.count());
    }

    @Override
    protected boolean all() {
        return true;
    }
}
