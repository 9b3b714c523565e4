package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

/** The contract on GPUs: three ranks on those that there are, at least two of them on one unless there are three. */
class CudaRanksTest extends DeviceRanksContract {
    @Override
    @MustBeClosed
    protected Backend open(int rank, boolean writes) {
        return TestGpu.open(rank % TestGpu.count());
    }

    @Override
    protected boolean joins() {
        return TestGpu.joins();
    }

    @Override
    protected int ranks() {
        return 3;
    }
}
