package org.trellis.internal.simd;

import org.trellis.backend.Backend;
import org.trellis.mesh.LoopKernelsContract;

/** The parallel loops of the simd backend, with more threads than a small machine has. */
final class SimdLoopKernelsTest extends LoopKernelsContract {
    @Override
    protected Backend openBackend() {
        return new SimdBackend(3);
    }
}
