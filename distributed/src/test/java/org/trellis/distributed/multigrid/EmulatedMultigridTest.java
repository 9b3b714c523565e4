package org.trellis.distributed.multigrid;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/**
 * Multigrid over ranks with kernels that run on the host, on two devices. All cases with
 * {@code -Dtrellis.test.emulation=some}, which takes a minute.
 */
class EmulatedMultigridTest extends DeviceMultigridContract {
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend open(int rank, boolean writes) {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        return (writes ? gpu : gpu.withoutPeers()).open(rank % 2);
    }

    @Override
    protected boolean all() {
        return !System.getProperty("trellis.test.emulation", "").isEmpty();
    }
}
