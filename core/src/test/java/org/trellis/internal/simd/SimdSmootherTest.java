package org.trellis.internal.simd;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.solve.smooth.SmootherContract;

/** The smoothers of the simd backend. */
final class SimdSmootherTest extends SmootherContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return Backends.open("simd", Configuration.load());
    }
}
