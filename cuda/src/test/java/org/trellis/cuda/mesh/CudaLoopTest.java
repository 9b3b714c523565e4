package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.testing.InterpretedKernel;

/** Life of loops on a device, what they share, when they wait, and what they refuse; on an emulated GPU. */
class CudaLoopTest {
    private static final LoopKernel ADD = InterpretedKernel.named("add").dat(Access.READ, 1).dat(Access.INCREMENT, 1)
            .dat(Access.INCREMENT, 1).cuda("p1[0] += p0[0]; p2[0] -= p0[0];\n").does(v -> {});
    private static final LoopKernel TOTAL = InterpretedKernel.named("total").dat(Access.READ, 1)
            .global(Access.READ, 1).global(Access.SUM, 1).cuda("p2[0] += p1[0] * p0[0];\n").does(v -> {});
    private static final LoopKernel WIDE = InterpretedKernel.named("wide").dat(Access.READ, 1)
            .dat(Access.INCREMENT, 40).cuda("for (int c = 0; c < 40; c++) p1[c] += p0[0];\n").does(v -> {});
    private static final LoopKernel SHIFT = InterpretedKernel.named("shift").dat(Access.READ_WRITE, 18)
            .dat(Access.WRITE, 6).dat(Access.WRITE, 5)
            .cuda("""
                    for (int c = 0; c < 18; c++) {
                        p0[c] += c;
                        if (c < 6) p1[c] = 2 * p0[c];
                        if (c < 5) p2[c] = p0[17 - c];
                    }
                    """)
            .does(v -> {});
    private static final int EDGES = 1000;

    @TempDir
    private Path folder;

    /** A ring of edges on an emulated GPU. */
    private static final class Ring implements AutoCloseable {
        private final EmulatedGpu gpu;
        private final CudaBackend backend;
        private final Mesh mesh;
        private final MeshSet edges;
        private final MeshSet nodes;
        private final MeshMap ends;
        private final Dat weight;
        private final Dat sum;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Ring(Path folder) {
            gpu = EmulatedGpu.in(folder);
            backend = gpu.open();
            mesh = Mesh.on(backend, new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true));
            edges = mesh.set("edges", EDGES);
            nodes = mesh.set("nodes", EDGES);
            int[] table = new int[2 * EDGES];
            double[] weights = new double[EDGES];
            for (int e = 0; e < EDGES; e++) {
                table[2 * e] = e;
                table[2 * e + 1] = (e + 1) % EDGES;
                weights[e] = e;
            }
            ends = mesh.map("ends", edges, nodes, 2, table);
            weight = mesh.dat("weight", edges, 1, Precision.F64, weights);
            sum = mesh.dat("sum", nodes, 1, Precision.F64);
        }

        ParallelLoop add() {
            return mesh.loop(ADD, edges, weight, sum.at(ends, 0), sum.at(ends, 1));
        }

        int sharedArrays() {
            return ((CudaLoopKernels) backend.kernels(LoopKernels.class)).sharedArrays();
        }

        @Override
        public void close() {
            mesh.close();
            backend.close();
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void loopsShareMapsAndGiveThemBack() {
        // The other end of an edge has the edge's own number, which needs no array.
        Ring ring = new Ring(folder);
        ParallelLoop first = ring.add().parameters(LoopParameters.of(LoopScheme.ATOMICS)).prepare();
        assertEquals(1, ring.sharedArrays());
        ParallelLoop second = ring.add().parameters(LoopParameters.of(LoopScheme.ATOMICS)).prepare();
        assertEquals(1, ring.sharedArrays());
        first.run();
        second.run();
        double[] expected = new double[EDGES];
        for (int e = 0; e < EDGES; e++) {
            expected[e] += 2 * e;
            expected[(e + 1) % EDGES] -= 2 * e;
        }
        assertArrayEquals(expected, ring.sum.toArray());
        ring.mesh.close();
        assertEquals(0, ring.sharedArrays());
        ring.backend.close();
        assertEquals("0 blocks, 0 pinned, 0 handles, 0 contexts", ring.gpu.driver().alive());
    }

    @Test
    void reductionsWaitOnlyForThoseWhoLook() {
        try (Ring ring = new Ring(folder)) {
            Global factor = ring.mesh.global("factor", 2);
            Global total = ring.mesh.global("total", 10);
            ParallelLoop loop = ring.mesh.loop(TOTAL, ring.edges, ring.weight, factor, total);
            double once = EDGES * (EDGES - 1) / 2.0;
            loop.run();
            assertEquals(10 + 2 * once, total.get());
            factor.set(3);
            loop.run();
            loop.run();
            assertEquals(10 + 8 * once, total.get());
            loop.run();
            total.set(1);
            assertEquals(1, total.get());
            loop.run();
            loop.parameters(loop.parameters().withBlockSize(64));
            assertEquals(1 + 3 * once, total.get());
        }
    }

    @Test
    void reportsTheDevicesClockAndCode() {
        try (Ring ring = new Ring(folder)) {
            ParallelLoop loop = ring.add();
            for (int i = 0; i < 50; i++) {
                loop.run();
            }
            LoopReport report = loop.report();
            assertEquals(50e-3, report.seconds(), 1e-12);
            assertTrue(report.device().keySet().containsAll(java.util.List.of("registers", "occupancy", "launches")),
                    report.device().toString());
            assertTrue(ring.mesh.report().toString().contains("occupancy"), ring.mesh.report().toString());
            ring.mesh.resetTimes();
            assertEquals(0, loop.report().seconds());
        }
    }

    @Test
    void refusesWhatCannotBeRun() {
        try (Ring ring = new Ring(folder)) {
            ParallelLoop loop = ring.add();
            LoopParameters twoLevel = LoopParameters.of(LoopScheme.TWO_LEVEL);
            refused("scheme is in-order", loop, LoopParameters.of(LoopScheme.IN_ORDER));
            refused("threads is 33", loop, twoLevel.withDevice(LoopDeviceParameters.NONE.withThreads(33)));
            refused("registers is 8", loop, twoLevel.withDevice(LoopDeviceParameters.NONE.withRegisters(8)));
            refused("staging is all under full-permute", loop, LoopParameters.of(LoopScheme.FULL_PERMUTE)
                    .withDevice(LoopDeviceParameters.NONE.withStaging(Staging.ALL)));
            refused("sorted by colour under temporary", loop,
                    LoopParameters.of(LoopScheme.TEMPORARY).withDevice(LoopDeviceParameters.NONE.withSorted(true)));
            refused("style is SIMD", loop, twoLevel.withStyle(org.trellis.kernel.LoopStyle.SIMD));
            Dat wide = ring.mesh.dat("wide", ring.nodes, 40, Precision.F64);
            ParallelLoop large = ring.mesh.loop(WIDE, ring.edges, ring.weight, wide.at(ring.ends, 0));
            large.parameters(twoLevel.withDevice(LoopDeviceParameters.NONE.withStaging(Staging.INCREMENTS)));
            UnsupportedKernelException e = assertThrows(UnsupportedKernelException.class, large::prepare);
            assertTrue(e.getMessage().contains("needs 320000 bytes of shared memory, the device has 232448"),
                    e.getMessage());
            large.parameters(twoLevel.withBlockSize(256)
                    .withDevice(LoopDeviceParameters.NONE.withStaging(Staging.INCREMENTS))).run();
            assertEquals(999, wide.get(999, 39));
        }
    }

    private static void refused(String message, ParallelLoop loop, LoopParameters parameters) {
        UnsupportedKernelException e =
                assertThrows(UnsupportedKernelException.class, () -> loop.parameters(parameters));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    /** Elements that the threads of a warp write together, and those of a warp that is not whole. */
    @Test
    void writesLongElements() {
        try (Ring ring = new Ring(folder)) {
            double[] given = new double[18 * EDGES];
            Arrays.setAll(given, k -> 0.5 * k);
            for (Precision precision : Precision.values()) {
                Dat x = ring.mesh.dat("x " + precision, ring.edges, 18, precision);
                Dat y = ring.mesh.dat("y " + precision, ring.edges, 6, precision);
                Dat z = ring.mesh.dat("z " + precision, ring.edges, 5, precision);
                for (int block : new int[]{64, 128, 1024}) {
                    x.setAll(given);
                    ParallelLoop loop = ring.mesh.loop(SHIFT, ring.edges, x, y, z);
                    loop.parameters(LoopParameters.of(LoopScheme.IN_ORDER).withBlockSize(block)).run();
                    double[] found = x.toArray();
                    double[] first = y.toArray();
                    double[] second = z.toArray();
                    for (int e = 0; e < EDGES; e++) {
                        for (int c = 0; c < 18; c++) {
                            assertEquals(given[18 * e + c] + c, found[18 * e + c], precision + " " + block);
                        }
                        assertEquals(2 * found[18 * e + 5], first[6 * e + 5], precision + " " + block);
                        assertEquals(given[18 * e + 13], second[5 * e + 4], precision + " " + block);
                    }
                }
            }
        }
    }
}
