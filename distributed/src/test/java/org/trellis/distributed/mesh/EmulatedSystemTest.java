package org.trellis.distributed.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/** Solvers over ranks on two devices, with kernels that run on the host. */
class EmulatedSystemTest extends DeviceSystemContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend open(int rank) {
        return EmulatedGpu.in(folder).open(rank % 2);
    }
}
