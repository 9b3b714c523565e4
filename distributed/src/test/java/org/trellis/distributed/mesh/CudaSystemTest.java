package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

/** Solvers over ranks on the GPUs that there are, two ranks on one if there is one. */
class CudaSystemTest extends DeviceSystemContract {
    @Override
    @MustBeClosed
    protected Backend open(int rank) {
        return TestGpu.open(rank % TestGpu.count());
    }
}
