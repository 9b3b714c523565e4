package org.trellis.internal.simd;

import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.sparse.LinearOperatorContract;

class SimdLinearOperatorTest extends LinearOperatorContract {
    @Override
    protected Backend openBackend() {
        return Backends.open("simd", Configuration.load());
    }
}
