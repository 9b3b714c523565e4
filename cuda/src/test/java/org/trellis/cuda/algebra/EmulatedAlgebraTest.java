package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.sparse.algebra.MatrixAlgebraContract;

/** Matrix algebra with kernels that run on the host. */
class EmulatedAlgebraTest extends MatrixAlgebraContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return EmulatedGpu.in(folder).open();
    }
}
