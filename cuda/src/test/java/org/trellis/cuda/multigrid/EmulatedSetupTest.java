package org.trellis.cuda.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.solve.multigrid.BackendSetupContract;

/** The set-up of multigrid with kernels that run on the host. */
class EmulatedSetupTest extends BackendSetupContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;
    private EmulatedGpu gpu;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        gpu = EmulatedGpu.in(folder);
        return gpu.open();
    }

    @Override
    protected OptionalLong waits() {
        return OptionalLong
                .of(gpu.calls().getOrDefault("copyToHost", 0L) + gpu.kernels().getOrDefault("sendIntegers", 0L)
                        + gpu.kernels().getOrDefault("scan", 0L));
    }

    @Override
    protected boolean isSlow() {
        return true;
    }
}
