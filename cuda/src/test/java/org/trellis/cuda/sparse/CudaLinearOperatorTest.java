package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;
import org.trellis.sparse.LinearOperatorContract;

/** The contract of linear operators on the GPU. */
class CudaLinearOperatorTest extends LinearOperatorContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }

    /** A set has a kernel of its own for each kind of product. */
    @Override
    protected int parameterSets() {
        return 4;
    }

    @Override
    protected int atOnce() {
        return Math.clamp(Runtime.getRuntime().availableProcessors() - 1, 1, 6);
    }
}
