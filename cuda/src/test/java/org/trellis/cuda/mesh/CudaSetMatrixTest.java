package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.mesh.matrix.SetMatrixContract;

/** The contract of numberings on the GPU. */
class CudaSetMatrixTest extends SetMatrixContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
