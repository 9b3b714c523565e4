package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.mesh.PatternKernelsContract;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.mesh.device.PatternTables;

/** The contract of assembled patterns with kernels that run on the host. */
class EmulatedPatternKernelsTest extends PatternKernelsContract {
    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return EmulatedGpu.in(folder).open();
    }

    @Test
    void leavesNothingOnTheDevice() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open()) {
            int[] column = {0, 1, 1};
            PatternTables tables = new PatternTables(2, 2,
                    List.of(new PatternTables.Block(3, new int[][]{column}, new int[][]{column})));
            backend.kernels(PatternKernels.class).build(tables);
            long used = backend.context().memoryStatistics().usedBytes();
            backend.kernels(PatternKernels.class).build(tables);
            assertEquals(used, backend.context().memoryStatistics().usedBytes());
        }
    }
}
