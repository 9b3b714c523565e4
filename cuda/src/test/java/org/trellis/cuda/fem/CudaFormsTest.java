package org.trellis.cuda.fem;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

/** Forms on the GPU. */
class CudaFormsTest extends FormsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }

    @Override
    protected boolean all() {
        return true;
    }

    @Override
    protected int multigridCells() {
        return 200;
    }
}
