package org.trellis.cuda.sparse;

import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.sparse.LinearOperatorContract;

/** The contract of linear operators on the GPU. */
class CudaLinearOperatorTest extends LinearOperatorContract {
    @Override
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
