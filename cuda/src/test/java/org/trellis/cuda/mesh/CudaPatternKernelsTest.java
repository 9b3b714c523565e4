package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.mesh.PatternKernelsContract;

/** The contract of assembled patterns on the GPU. */
class CudaPatternKernelsTest extends PatternKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }
}
