package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.solve.VectorLoopsContract;

/** The vector updates of solvers on the GPU. */
class CudaVectorLoopsTest extends VectorLoopsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
