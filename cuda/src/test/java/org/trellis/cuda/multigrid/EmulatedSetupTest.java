package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.solve.multigrid.BackendSetupContract;

/** The set-up of multigrid with kernels that run on the host. */
class EmulatedSetupTest extends BackendSetupContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return EmulatedGpu.in(folder).open();
    }

    @Override
    protected boolean isSlow() {
        return true;
    }
}
