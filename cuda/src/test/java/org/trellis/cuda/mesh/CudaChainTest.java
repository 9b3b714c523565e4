package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
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
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** Loops that are noted, on a device that can be given all of them at once. */
final class CudaChainTest {
    private static final MeshOptions OPTIONS =
            new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true);
    private static final LoopKernel DOUBLE = InterpretedKernel.named("twice").dat(Access.READ_WRITE, 1)
            .cuda("p0[0] *= 2;\n").does(v -> {});
    private static final LoopKernel TOTAL = InterpretedKernel.named("total").dat(Access.READ, 1).global(Access.SUM, 1)
            .cuda("p1[0] += p0[0];\n").does(v -> {});
    private static final LoopKernel FLOW = InterpretedKernel.named("flow").dat(Access.READ, 1).dat(Access.READ, 1)
            .dat(Access.INCREMENT, 1).dat(Access.INCREMENT, 1).cuda("p2[0] += p1[0];\np3[0] += 2 * p0[0];\n")
            .does(v -> {
                ((double[]) v[2])[0] += ((double[]) v[1])[0];
                ((double[]) v[3])[0] += 2 * ((double[]) v[0])[0];
            });
    private static final LoopKernel TAKE = InterpretedKernel.named("take").dat(Access.READ_WRITE, 1)
            .dat(Access.WRITE, 1).global(Access.SUM, 1).global(Access.MAX, 1)
            .cuda("""
                    p1[0] = p0[0] > 50 ? p0[0] - 50 : p0[0];
                    p2[0] += p1[0];
                    p3[0] = p1[0] > p3[0] ? p1[0] : p3[0];
                    p0[0] = 0;
                    """)
            .does(v -> {
                double got = ((double[]) v[0])[0];
                double left = got > 50 ? got - 50 : got;
                ((double[]) v[1])[0] = left;
                ((double[]) v[2])[0] += left;
                ((double[]) v[3])[0] = Math.max(left, ((double[]) v[3])[0]);
                ((double[]) v[0])[0] = 0;
            });
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
    @SuppressWarnings("MustBeClosed") // refused before it is made
    void tilesWithCopiesAreRefused() {
        MeshOptions redundant = OPTIONS.withChains(ChainOptions.EAGER.withTiling(Tiling.REDUNDANT, 10));
        try (Backend backend = EmulatedGpu.in(folder).open()) {
            UnsupportedKernelException refused =
                    assertThrows(UnsupportedKernelException.class, () -> Mesh.on(backend, redundant).close());
            assertTrue(refused.getMessage().contains("tiling redundant"), refused.getMessage());
        }
    }

    /** A line of cells that give what they have to their neighbours and take over what they get, and add it up. */
    private static double[] line(Backend backend, MeshOptions options, boolean chunks) {
        int size = 100;
        try (Mesh mesh = Mesh.on(backend, options)) {
            MeshSet cells = mesh.set("cells", size);
            MeshSet edges = mesh.set("edges", size - 1);
            int[] table = new int[2 * (size - 1)];
            for (int e = 0; e < size - 1; e++) {
                table[2 * e] = e;
                table[2 * e + 1] = e + 1;
            }
            MeshMap ends = mesh.map("ends", edges, cells, 2, table);
            Dat state = mesh.dat("state", cells, 1, Precision.F64).fill(1);
            state.set(30, 0, 5);
            Dat change = mesh.dat("change", cells, 1, Precision.F64);
            Global sum = mesh.global("sum", 0);
            Global most = mesh.global("most", 0);
            ParallelLoop flow = mesh.loop(FLOW, edges, state.at(ends, 0), state.at(ends, 1), change.at(ends, 0),
                    change.at(ends, 1));
            ParallelLoop take = mesh.loop(TAKE, cells, change, state, sum, most);
            LoopSequence steps = mesh.sequence("steps").set(sum, 2).run(flow).run(take).run(flow).set(most, -1)
                    .run(take).build();
            double[] found = new double[size + 8];
            for (int run = 0; run < 4; run++) {
                steps.run();
                found[size + run] = run == 1 ? 0 : sum.get();
                found[size + 4 + run] = run == 2 ? 0 : most.get();
            }
            System.arraycopy(state.toArray(), 0, found, 0, size);
            if (chunks) {
                ChainReport report = MeshChains.reports(mesh).getFirst();
                assertEquals(4, report.statistics().orElseThrow().tiles(), report.toString());
                assertEquals(1, report.statistics().orElseThrow().levels());
            }
            return found;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void chunksGiveTheSameValues(boolean lazy) {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (Backend backend = gpu.open(); Backend reference = Backends.open("reference", Configuration.load())) {
            MeshOptions options = OPTIONS.withChains(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 25));
            double[] expected = line(reference, OPTIONS, false);
            assertArrayEquals(expected, line(backend, lazy ? options.lazy() : options, true));
            assertEquals(4, gpu.graphLaunches(), "a graph has all chunks");
        }
    }

    @Test
    void randomProgramsGiveTheSameValues() {
        long seed = TestSeed.random("chains on a GPU").nextLong();
        try (Backend device = TestGpu.open(); Backend reference = Backends.open("reference", Configuration.load())) {
            for (int program = 0; program < PROGRAMS; program++) {
                boolean declared = program % 4 == 0;
                Fusion fusion = program % 2 == 0 ? Fusion.OFF : Fusion.ON;
                ChainOptions chains = ChainOptions.EAGER.withLazy(true).withFusion(fusion)
                        .withTiling(program % 3 == 0 ? Tiling.NONE : Tiling.SPARSE, 7 * (program % 5));
                try (Mesh one = Mesh.on(reference, OPTIONS);
                        Mesh other = Mesh.on(device, OPTIONS.withChains(chains))) {
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
