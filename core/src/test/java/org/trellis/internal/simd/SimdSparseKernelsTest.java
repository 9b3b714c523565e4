package org.trellis.internal.simd;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.sparse.SparseKernelsContract;

/** The products of the simd backend, with more threads than a small machine has. */
final class SimdSparseKernelsTest extends SparseKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return new SimdBackend(3);
    }
}
