package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.sparse.SparseKernelsContract;

/** The contract of sparse kernels on the GPU. */
class CudaSparseKernelsTest extends SparseKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
