package org.trellis.cuda.mesh;

import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.mesh.matrix.SetMatrixContract;

/** The contract of numberings on the GPU. */
class CudaSetMatrixTest extends SetMatrixContract {
    @Override
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
