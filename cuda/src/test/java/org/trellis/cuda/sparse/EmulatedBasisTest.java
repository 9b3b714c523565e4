package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/** Products and combinations of vectors with kernels that run on the host. */
class EmulatedBasisTest extends BasisContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return EmulatedGpu.in(folder).open();
    }
}
