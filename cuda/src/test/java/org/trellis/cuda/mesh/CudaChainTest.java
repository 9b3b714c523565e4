package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.TestGpu;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.ChainCase;
import org.trellis.mesh.Dat;
import org.trellis.mesh.FusedCase;
import org.trellis.mesh.Global;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** Loops that are noted, on a device that can be told all of them at once. */
final class CudaChainTest {
    private static final MeshOptions OPTIONS =
            new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true);
    private static final LoopKernel DOUBLE = InterpretedKernel.named("twice").dat(Access.READ_WRITE, 1)
            .cuda("p0[0] *= 2;\n").does(v -> {});
    private static final LoopKernel TOTAL = InterpretedKernel.named("total").dat(Access.READ, 1).global(Access.SUM, 1)
            .cuda("p1[0] += p0[0];\n").does(v -> {});
    private static final int PROGRAMS = 40;

    @TempDir
    private Path folder;

    @Test
    void notedLoopsBecomeAGraphWhenTheyComeAgain() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (Backend backend = gpu.open(); Mesh mesh = Mesh.on(backend, OPTIONS.lazy())) {
            MeshSet set = mesh.set("set", 10);
            Dat value = mesh.dat("value", set, 1, Precision.F64).fill(1);
            Global sum = mesh.global("sum", 0);
            ParallelLoop twice = mesh.loop(DOUBLE, set, value);
            ParallelLoop total = mesh.loop(TOTAL, set, value, sum);
            for (int i = 1; i <= 5; i++) {
                twice.run();
                sum.set(i);
                total.run();
                assertEquals(i + 10 * (1 << i), sum.get());
            }
            assertEquals(3, gpu.graphLaunches(), "two runs go loop by loop");
            assertEquals(5, MeshChains.reports(mesh).getFirst().runs());
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void loopsThatRunAsOneAreOneLaunch(Layout layout) {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        long seed = TestSeed.random("fused loops on a GPU").nextLong();
        try (Backend backend = gpu.open();
                Backend reference = Backends.open("reference", Configuration.load());
                Mesh one = Mesh.on(reference, OPTIONS);
                Mesh other = Mesh.on(backend, OPTIONS.withLayout(layout).fusion(Fusion.ON))) {
            FusedCase expected = new FusedCase(one, seed);
            FusedCase actual = new FusedCase(other, seed);
            expected.run();
            actual.run();
            actual.requireFused();
            actual.requireSame(expected);
            assertEquals(2, gpu.graphLaunches(), "two runs go loop by loop");
        }
    }

    @Test
    void tilesAreRefused() {
        try (Backend backend = EmulatedGpu.in(folder).open();
                Mesh mesh = Mesh.on(backend,
                        OPTIONS.withChains(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 10)))) {
            MeshSet set = mesh.set("set", 10);
            Dat value = mesh.dat("value", set, 1, Precision.F64);
            UnsupportedKernelException refused =
                    assertThrows(UnsupportedKernelException.class, () -> mesh.loop(DOUBLE, set, value));
            assertTrue(refused.getMessage().contains("tiling sparse"), refused.getMessage());
        }
    }

    @Test
    void randomProgramsGiveTheSameValues() {
        long seed = TestSeed.random("chains on a GPU").nextLong();
        try (Backend device = TestGpu.open(); Backend reference = Backends.open("reference", Configuration.load())) {
            for (int program = 0; program < PROGRAMS; program++) {
                boolean declared = program % 4 == 0;
                Fusion fusion = program % 2 == 0 ? Fusion.OFF : Fusion.ON;
                try (Mesh one = Mesh.on(reference, OPTIONS);
                        Mesh other = Mesh.on(device, OPTIONS.lazy().fusion(fusion))) {
                    ChainCase expected = new ChainCase(one, Precision.F64, seed + program, declared);
                    ChainCase actual = new ChainCase(other, Precision.F64, seed + program, declared);
                    for (int round = 0; round < 5; round++) {
                        expected.run();
                        actual.run();
                    }
                    actual.requireSame(expected, "program " + program + " seed " + seed, 0);
                }
            }
        }
    }
}
