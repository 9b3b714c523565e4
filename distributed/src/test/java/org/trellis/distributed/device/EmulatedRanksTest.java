package org.trellis.distributed.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.cuda.emulation.StubNccl;

/**
 * The contract with kernels that run on the host. Ranks 0 and 1 are on devices that may not write to each other's
 * memory, so that messages between them are copied; rank 2 is on the device of rank 0.
 */
class EmulatedRanksTest extends DeviceRanksContract {
    // The stand-in for NCCL stays loaded until the process ends.
    @TempDir(cleanup = CleanupMode.NEVER)
    private static Path folder;
    private static StubNccl nccl;

    @Override
    @MustBeClosed
    protected Backend open(int rank, boolean writes) {
        EmulatedGpu gpu = EmulatedGpu.in(folder).withNccl(nccl());
        return (writes ? gpu : gpu.withoutPeers()).open(rank % 2);
    }

    private static synchronized StubNccl nccl() {
        if (nccl == null) {
            nccl = StubNccl.in(folder);
        }
        return nccl;
    }

    @Override
    protected boolean joins() {
        return true;
    }

    @AfterAll
    static void allHaveLeft() {
        assertEquals(0, nccl().open());
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
