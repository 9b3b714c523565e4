package org.trellis.sparse.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;

/** The algebra of backends on the host. */
class HostAlgebraTest extends MatrixAlgebraContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return Backends.open("threads", Configuration.builder().build());
    }
}
