package org.trellis.internal.simd;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.solve.VectorLoopsContract;

class SimdVectorLoopsTest extends VectorLoopsContract {
    @Override
    protected Backend openBackend() {
        return Backends.open("simd", Configuration.load());
    }
}
