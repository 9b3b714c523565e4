package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.mesh.LoopCases;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.testing.TestSeed;

/** Several threads for each target that runs its elements give the bits of one, on an emulated device. */
class EmulatedTargetsTest {
    private static final int BLOCK = 32;

    @TempDir
    private static Path folder;

    private static LoopParameters shared(int threads) {
        LoopDeviceParameters device = LoopDeviceParameters.NONE;
        return LoopParameters.of(LoopScheme.RECOMPUTE).withBlockSize(BLOCK / threads)
                .withDevice(threads == 1 ? device : device.withThreads(BLOCK));
    }

    private static int compare(LoopCases cases, SplittableRandom random) {
        int compared = 0;
        for (ParallelLoop loop : cases.loops()) {
            if (loop.declaration().incrementsIndirectly()
                    && CudaLoopConstraints.objection(loop.declaration(), shared(1)).isEmpty()) {
                List<double[]> expected = run(cases, loop, shared(1));
                int threads = 2 << random.nextInt(5);
                List<double[]> found = run(cases, loop, shared(threads));
                for (int k = 0; k < expected.size(); k++) {
                    assertArrayEquals(expected.get(k), found.get(k), loop + " with " + threads + " threads a target");
                }
                compared++;
            }
        }
        return compared;
    }

    private static List<double[]> run(LoopCases cases, ParallelLoop loop, LoopParameters parameters) {
        cases.restartWithFractions();
        loop.parameters(parameters);
        loop.run();
        return cases.values();
    }

    @Test
    void severalThreadsForATargetGiveTheBitsOfOne() {
        SplittableRandom random = new SplittableRandom(TestSeed.value());
        int compared = 0;
        try (Backend backend = EmulatedGpu.in(folder).open()) {
            for (Precision precision : Precision.values()) {
                Layout layout = Layout.values()[random.nextInt(Layout.values().length)];
                MeshOptions options = new MeshOptions(layout, Optional.empty(), Optional.empty(), false, false);
                int[] size = {1 + random.nextInt(150), 1 + random.nextInt(150)};
                try (LoopCases cases = new LoopCases(backend, options, size, precision, random.nextLong())) {
                    compared += compare(cases, random);
                }
            }
        }
        assertTrue(compared >= 2 * Precision.values().length, compared + " loops compared");
    }
}
