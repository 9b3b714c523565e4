package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;

/**
 * The contract with kernels that run on the host. Ranks 0 and 1 are on devices that may not write to each other's
 * memory, so that messages between them are copied; rank 2 is on the device of rank 0.
 */
class EmulatedRanksTest extends DeviceRanksContract {
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend open(int rank, boolean writes) {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        return (writes ? gpu : gpu.withoutPeers()).open(rank % 2);
    }

    @Override
    protected boolean solves() {
        return !System.getProperty("trellis.test.emulation", "").isEmpty();
    }

    @Override
    protected int ranks() {
        return 3;
    }
}
