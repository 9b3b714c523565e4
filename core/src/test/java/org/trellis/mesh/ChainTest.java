package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.DeferredLoopException;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** Loops that are noted, left out, and run in tiles: with the results of one loop after the other. */
final class ChainTest {
    private static final MeshOptions EAGER = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false,
            true);
    private static final int PROGRAMS = 5;
    private static final int ROUNDS = 3;

    @MustBeClosed
    private static Backend open(String name, int threads) {
        return Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, threads).build());
    }

    private static ChainOptions lazy(Tiling tiling, int size) {
        return ChainOptions.EAGER.withLazy(true).withTiling(tiling, size);
    }

    /** Runs random programs eagerly on the reference, and in some way on a backend. */
    private static void compare(Backend reference, Backend backend, ChainOptions chains, boolean declared) {
        long seed = TestSeed.random("chains of " + backend.name() + chains + declared).nextLong();
        for (int program = 0; program < PROGRAMS; program++) {
            Layout layout = program % 2 == 0 ? Layout.AOS : Layout.SOA;
            ChainOptions limited = program % 3 == 0 ? chains.withLimit(5) : chains;
            String context = backend.name() + " " + limited + " " + layout + " program " + program + " seed " + seed;
            try (Mesh one = Mesh.on(reference, EAGER);
                    Mesh other = Mesh.on(backend, EAGER.withLayout(layout).withChains(limited))) {
                ChainCase expected = new ChainCase(one, Precision.F64, seed + program, declared);
                ChainCase actual = new ChainCase(other, Precision.F64, seed + program, declared);
                for (int round = 0; round < ROUNDS; round++) {
                    expected.run();
                    actual.run();
                }
                actual.requireSame(expected, context, 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd"})
    void randomProgramsGiveTheSameValues(String name) {
        try (Backend reference = open("reference", 1); Backend backend = open(name, 3); Backend one = open(name, 1)) {
            compare(reference, backend, lazy(Tiling.NONE, 0), false);
            compare(reference, backend, lazy(Tiling.NONE, 0).withFusion(Fusion.ON), false);
            compare(reference, one, ChainOptions.EAGER.withFusion(Fusion.ON), true);
            compare(reference, backend, lazy(Tiling.SPARSE, 0).withFusion(Fusion.TUNED), true);
            for (Tiling tiling : List.of(Tiling.SPARSE, Tiling.REDUNDANT)) {
                compare(reference, backend, lazy(tiling, 7), false);
                compare(reference, backend, lazy(tiling, 60), false);
                compare(reference, one, lazy(tiling, 13), false);
                compare(reference, backend, lazy(tiling, 0), true);
                compare(reference, backend, ChainOptions.EAGER.withTiling(tiling, 20), true);
            }
        }
    }

    /** A line of nodes with edges between them, and kernels that count how often they run. */
    private static final class Line implements AutoCloseable {
        private final Mesh mesh;
        private final MeshSet nodes;
        private final Dat first;
        private final Dat second;
        private final Global sum;
        private final List<String> ran = new ArrayList<>();

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Line(Backend backend, MeshOptions options) {
            mesh = Mesh.on(backend, options);
            nodes = mesh.set("nodes", 4);
            first = mesh.dat("first", nodes, 1, Precision.F64, new double[]{1, 2, 3, 4});
            second = mesh.dat("second", nodes, 1, Precision.F64);
            sum = mesh.global("sum", 0);
        }

        ParallelLoop copy(String name, Dat from, Dat to) {
            return mesh.loop(InterpretedKernel.named(name).dat(Access.READ, 1).dat(Access.WRITE, 1).does(v -> {
                ran.add(name);
                ((double[]) v[1])[0] = 10 * ((double[]) v[0])[0];
            }), nodes, from, to);
        }

        ParallelLoop total(Dat of) {
            return mesh.loop(InterpretedKernel.named("total").dat(Access.READ, 1).global(Access.SUM, 1).does(v -> {
                ran.add("total");
                ((double[]) v[1])[0] += ((double[]) v[0])[0];
            }), nodes, of, sum);
        }

        @Override
        public void close() {
            mesh.close();
        }
    }

    @Test
    void loopsRunWhenAValueIsNeeded() {
        try (Backend backend = open("reference", 1); Line line = new Line(backend, EAGER.lazy())) {
            ParallelLoop copy = line.copy("copy", line.first, line.second);
            ParallelLoop total = line.total(line.second);
            copy.run();
            line.sum.set(5);
            assertEquals(5, line.sum.get());
            total.run();
            line.sum.set(line.sum.get() + 1);
            assertEquals(106, line.sum.get());
            copy.run();
            line.ran.clear();
            assertTrue(line.ran.isEmpty());
            assertEquals(20, line.second.get(1, 0));
            assertEquals(List.of("copy", "copy", "copy", "copy"), line.ran);
            assertEquals(2, copy.report().runs());
        }
    }

    @Test
    void globalsThatNothingWaitingWritesCanBeReadAndSet() {
        try (Backend backend = open("reference", 1); Line line = new Line(backend, EAGER.lazy())) {
            line.copy("copy", line.first, line.second).run();
            line.sum.set(3);
            assertEquals(3, line.sum.get());
            assertTrue(line.ran.isEmpty());
            ParallelLoop total = line.total(line.first);
            total.run();
            line.sum.set(1);
            total.run();
            assertTrue(line.ran.isEmpty());
            assertEquals(11, line.sum.get());
        }
    }

    @Test
    void whatIsOverwrittenUnseenIsLeftOut() {
        try (Backend backend = open("reference", 1); Line line = new Line(backend, EAGER.lazy())) {
            line.copy("dead", line.first, line.second).run();
            line.copy("alive", line.first, line.second).run();
            assertArrayEquals(new double[]{10, 20, 30, 40}, line.second.toArray());
            assertEquals(List.of("alive", "alive", "alive", "alive"), line.ran);
            assertEquals(1, MeshChains.reports(line.mesh).getFirst().dead());
            line.ran.clear();
            line.copy("seen", line.first, line.second).run();
            line.total(line.second).run();
            line.copy("last", line.first, line.second).run();
            MeshChains.settle(line.mesh);
            assertEquals(12, line.ran.size());
        }
    }

    @Test
    void chainsAreRecognised() {
        try (Backend backend = open("reference", 1);
                Line line = new Line(backend, EAGER.withChains(lazy(Tiling.SPARSE, 2)))) {
            ParallelLoop copy = line.copy("copy", line.first, line.second);
            ParallelLoop total = line.total(line.second);
            for (int i = 0; i < 5; i++) {
                line.sum.set(i);
                copy.run();
                total.run();
                assertEquals(100 + i, line.sum.get());
            }
            List<ChainReport> reports = MeshChains.reports(line.mesh);
            assertEquals(1, reports.size());
            assertEquals(5, reports.getFirst().runs());
            assertEquals(List.of("copy", "total"), reports.getFirst().loops());
            assertEquals(2, reports.getFirst().statistics().orElseThrow().tiles());
        }
    }

    @Test
    void aLimitRunsWholePeriods() {
        try (Backend backend = open("reference", 1);
                Line line = new Line(backend, EAGER.withChains(lazy(Tiling.NONE, 0).withLimit(7)))) {
            ParallelLoop there = line.copy("there", line.first, line.second);
            ParallelLoop back = line.copy("back", line.second, line.first);
            ParallelLoop total = line.total(line.first);
            for (int i = 0; i < 7; i++) {
                there.run();
                back.run();
                total.run();
            }
            assertEquals(18 * 4, line.ran.size(), "loops of whole rounds");
            MeshChains.settle(line.mesh);
            assertEquals(List.of("there", "back", "total"), MeshChains.reports(line.mesh).getLast().loops());
        }
    }

    @Test
    void bindingAndChangesSeeLoopsDone() {
        try (Backend backend = open("threads", 2); Line line = new Line(backend, EAGER.lazy())) {
            Dat third = line.mesh.dat("third", line.nodes, 1, Precision.F64);
            ParallelLoop copy = line.copy("copy", line.first, line.second);
            copy.run();
            copy.bind(line.first, third).run();
            assertArrayEquals(new double[]{10, 20, 30, 40}, line.second.toArray());
            assertArrayEquals(new double[]{10, 20, 30, 40}, third.toArray());
            copy.bind(third, line.second).run();
            line.mesh.change(edit -> edit.resize(line.nodes, 2));
            assertArrayEquals(new double[]{100, 200}, line.second.toArray());
        }
    }

    @Test
    void whoHoldsAVectorSeesLoopsAtOnce() {
        try (Backend backend = open("reference", 1); Line line = new Line(backend, EAGER.lazy())) {
            ParallelLoop copy = line.copy("copy", line.first, line.second);
            DenseVector view = line.second.vector();
            copy.run();
            assertArrayEquals(new double[]{10, 20, 30, 40}, ((HostVector) view).toDoubleArray());
        }
    }

    @Test
    void failuresNameTheLoopAndTheStatement() {
        try (Backend backend = open("reference", 1); Line line = new Line(backend, EAGER.lazy())) {
            ParallelLoop wrong = line.mesh.loop(InterpretedKernel.named("wrong").dat(Access.WRITE, 1).does(v -> {
                throw new ArithmeticException("no root of -1");
            }), line.nodes, line.second);
            wrong.run();
            line.copy("after", line.second, line.first).run();
            DeferredLoopException thrown = assertThrows(DeferredLoopException.class, () -> line.first.toArray());
            assertTrue(thrown.getMessage().contains("loop wrong over set 'nodes' of 4 elements, noted at "),
                    thrown.getMessage());
            assertTrue(thrown.getMessage().contains("ChainTest.java"), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("no root of -1"), thrown.getMessage());
            assertTrue(thrown.getCause() instanceof ArithmeticException);
            assertArrayEquals(new double[]{1, 2, 3, 4}, line.first.toArray(), "what came after is dropped");
            assertFalse(line.ran.contains("after"));
        }
    }

    @Test
    void closedLoopsAreRefusedWhenTheyAreNoted() {
        try (Backend backend = open("reference", 1); Line line = new Line(backend, EAGER.lazy())) {
            ParallelLoop copy = line.copy("copy", line.first, line.second);
            copy.close();
            assertThrows(IllegalStateException.class, copy::run);
        }
    }

    @Test
    void listenersSeeDataBetweenLoops() {
        try (Backend backend = open("threads", 2);
                Line line = new Line(backend, EAGER.withChains(lazy(Tiling.SPARSE, 2)))) {
            List<Double> seen = new ArrayList<>();
            ParallelLoop there = line.copy("there", line.first, line.second);
            ParallelLoop back = line.copy("back", line.second, line.first);
            line.mesh.addListener(step -> seen.add(line.second.get(0, 0)));
            there.run();
            back.run();
            MeshChains.settle(line.mesh);
            assertEquals(List.of(0.0, 10.0), seen);
        }
    }

    @Test
    void theFastestWayIsKept() {
        try (Backend backend = open("threads", 2)) {
            int size = 600_000;
            ChainOptions options = ChainOptions.EAGER.withTiling(Tiling.SPARSE, 0);
            try (Mesh mesh = Mesh.on(backend, EAGER.withCheckPlans(false).withChains(options))) {
                MeshSet cells = mesh.set("cells", size);
                Dat first = mesh.dat("first", cells, 2, Precision.F64);
                Dat second = mesh.dat("second", cells, 2, Precision.F64);
                LoopSequence sequence = mesh.sequence("chain")
                        .run(mesh.loop(ChainKernelsLoops.COPY, cells, first, second))
                        .run(mesh.loop(ChainKernelsLoops.ADD, cells, first, second))
                        .run(mesh.loop(ChainKernelsLoops.COPY, cells, second, first)).build();
                for (int i = 0; i <= 4 * TunedChainSegment.ROUNDS; i++) {
                    sequence.run();
                }
                ChainReport report = MeshChains.reports(mesh).getFirst();
                assertTrue(report.decision().contains("loop by loop") && report.decision().contains("tiles of"),
                        report.decision());
                assertTrue(report.decision().contains("µs"), report.decision());
            }
        }
    }
}
