package org.trellis.internal.reference;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.solve.smooth.SmootherContract;

/** The smoothers of the reference backend. */
final class ReferenceSmootherTest extends SmootherContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return Backends.open("reference", Configuration.load());
    }
}
