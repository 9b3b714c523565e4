package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.sparse.algebra.MatrixAlgebraContract;

/** Matrix algebra on the GPU. */
class CudaAlgebraTest extends MatrixAlgebraContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
