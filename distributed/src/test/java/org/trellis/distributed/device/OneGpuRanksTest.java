package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

/** The contract with two ranks on one GPU. */
class OneGpuRanksTest extends DeviceRanksContract {
    @Override
    @MustBeClosed
    protected Backend open(int rank, boolean writes) {
        return TestGpu.open(0);
    }

    @Override
    protected boolean joins() {
        return false;
    }

    @Override
    protected int ranks() {
        return 2;
    }
}
