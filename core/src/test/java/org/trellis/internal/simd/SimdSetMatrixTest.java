package org.trellis.internal.simd;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.mesh.matrix.SetMatrixContract;

class SimdSetMatrixTest extends SetMatrixContract {
    @Override
    protected Backend openBackend() {
        return Backends.open("simd", Configuration.load());
    }
}
