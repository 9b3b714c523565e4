package org.trellis.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
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
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopReport;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** Loops that run as one: which do, and that they give the bits that they give one after the other. */
final class FusionTest {
    private static final MeshOptions EAGER = new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false,
            true);
    private static final MeshOptions FUSED = EAGER.lazy().fusion(Fusion.ON);
    private static final int PROGRAMS = 12;

    @MustBeClosed
    private static Backend open(String name, int threads) {
        return Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, threads).build());
    }

    private static void requireSameBits(Backend backend, Precision precision, boolean declared) {
        long seed = TestSeed.random("fusion on " + backend.name() + precision + declared).nextLong();
        for (int program = 0; program < PROGRAMS; program++) {
            Layout layout = program % 2 == 0 ? Layout.AOS : Layout.SOA;
            MeshOptions options = EAGER.withLayout(layout);
            try (Mesh one = Mesh.on(backend, options);
                    Mesh other = Mesh.on(backend,
                            (declared ? options : options.lazy())
                                    .fusion(program % 4 == 3 ? Fusion.TUNED : Fusion.ON))) {
                ChainCase expected = new ChainCase(one, precision, seed + program, declared);
                ChainCase actual = new ChainCase(other, precision, seed + program, declared);
                expected.takeFractions();
                actual.takeFractions();
                for (int round = 0; round < 3; round++) {
                    expected.run();
                    actual.run();
                }
                actual.requireSame(expected,
                        backend.name() + " " + precision + " program " + program + " seed " + seed, 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd", "cpu"})
    void randomProgramsKeepTheirBits(String name) {
        for (int threads : new int[]{1, 3}) {
            try (Backend backend = open(name, threads)) {
                requireSameBits(backend, Precision.F64, false);
                requireSameBits(backend, Precision.F32, true);
            }
        }
    }

    /** Nodes and edges between them in a row, with two dats each. */
    private static final class Line implements AutoCloseable {
        private final Mesh mesh;
        private final MeshSet nodes;
        private final MeshSet edges;
        private final MeshMap ends;
        private final Dat[] node = new Dat[4];
        private final Dat[] edge = new Dat[3];
        private final Global sum;

        @MustBeClosed
        @SuppressWarnings("MustBeClosed") // closed with this
        Line(Backend backend, MeshOptions options, int size) {
            mesh = Mesh.on(backend, options);
            nodes = mesh.set("nodes", size);
            edges = mesh.set("edges", size - 1);
            int[] targets = new int[2 * (size - 1)];
            Arrays.setAll(targets, i -> (i + 1) / 2);
            ends = mesh.map("ends", edges, nodes, 2, targets);
            Arrays.setAll(node, i -> mesh.dat("node" + i, nodes, 2, Precision.F64).fill(i + 1));
            Arrays.setAll(edge, i -> mesh.dat("edge" + i, edges, 2, Precision.F64).fill(i - 1));
            sum = mesh.global("sum", 0);
        }

        ParallelLoop copy(int from, int to) {
            return mesh.loop(ChainKernelsLoops.COPY, nodes, node[from], node[to]);
        }

        ParallelLoop difference(int of, int to) {
            return mesh.loop(ChainKernelsLoops.DIFFERENCE, edges, node[of].at(ends, 0), node[of].at(ends, 1),
                    edge[to]);
        }

        ParallelLoop scatter(int from, int to) {
            return mesh.loop(ChainKernelsLoops.SCATTER, edges, edge[from], node[to].at(ends, 0),
                    node[to].at(ends, 1));
        }

        ParallelLoop measure(int of) {
            return mesh.loop(ChainKernelsLoops.MEASURE, nodes, node[of], sum, mesh.global("least", 0),
                    mesh.global("most", 0));
        }

        ParallelLoop shift(int what) {
            return mesh.loop(ChainKernelsLoops.SHIFT, nodes, node[what], sum);
        }

        /** Runs loops and returns the names of those that stood for several. */
        List<String> fused(ParallelLoop... loops) {
            for (ParallelLoop loop : loops) {
                loop.run();
            }
            MeshChains.settle(mesh);
            return MeshChains.reports(mesh).getLast().fused();
        }

        @Override
        public void close() {
            mesh.close();
        }
    }

    @Test
    void loopsOverOneSetThatTouchTheSameElementAreFused() {
        try (Backend backend = open("threads", 2); Line line = new Line(backend, FUSED, 5)) {
            assertEquals(List.of("fused.copy.copy.measure"),
                    line.fused(line.copy(0, 1), line.copy(1, 2), line.measure(2)), "direct after direct");
            assertEquals(List.of("fused.difference.scatter"), line.fused(line.difference(0, 0), line.scatter(0, 3)),
                    "a producer into its consumer");
            assertEquals(List.of("fused.difference.difference"),
                    line.fused(line.difference(0, 0), line.difference(1, 1)), "the same map");
        }
    }

    @Test
    void loopsThatWouldSeeOtherValuesStayApart() {
        try (Backend backend = open("threads", 2); Line line = new Line(backend, FUSED, 5)) {
            assertEquals(List.of(), line.fused(line.difference(0, 0), line.scatter(0, 0)),
                    "the second adds to what the first reads through the map");
            assertEquals(List.of(), line.fused(line.scatter(0, 1), line.scatter(1, 1)),
                    "sums of real numbers in another order");
            assertEquals(List.of(), line.fused(line.copy(0, 1), line.difference(1, 0)), "other sets");
            assertEquals(List.of(), line.fused(line.copy(0, 1), line.copy(2, 3)), "nothing in common");
            assertEquals(List.of(), line.fused(line.measure(0), line.shift(0)), "reads what the first sums up");
        }
    }

    @Test
    void loopsJoinOthersAcrossStepsThatDoNotMind() {
        try (Backend backend = open("threads", 2); Line line = new Line(backend, FUSED, 5)) {
            assertEquals(List.of("fused.difference.scatter"),
                    line.fused(line.difference(0, 0), line.copy(1, 2), line.scatter(0, 3)));
            assertEquals(List.of("fused.difference.scatter"),
                    line.fused(line.difference(0, 0), line.copy(3, 2), line.scatter(0, 3)),
                    "the last cannot go before the copy, but the first behind it");
            assertEquals(List.of(), line.fused(line.difference(0, 0), line.copy(3, 0), line.scatter(0, 3)),
                    "neither can");
            ParallelLoop copy = line.copy(0, 1);
            ParallelLoop measure = line.measure(1);
            line.sum.set(1);
            line.node[0].fill(2);
            for (int i = 0; i < 2; i++) {
                copy.run();
                line.sum.set(5);
                measure.run();
                assertEquals(10, line.sum.get(), "5 and a sum of five ones");
            }
            assertEquals(List.of("fused.copy.measure"), MeshChains.reports(line.mesh).getLast().fused());
        }
    }

    @Test
    void fusedLoopsAreReportedAndFollowTheirParts() {
        try (Backend backend = open("threads", 2); Line line = new Line(backend, FUSED, 50)) {
            ParallelLoop there = line.copy(0, 1);
            ParallelLoop back = line.copy(1, 2);
            assertEquals(List.of("fused.copy.copy"), line.fused(there, back));
            List<LoopReport> loops = line.mesh.report().loops();
            assertEquals("fused.copy.copy", loops.getLast().name());
            assertEquals(1, loops.getLast().runs());
            there.parameters(there.parameters().withBlockSize(17));
            assertEquals(List.of("fused.copy.copy"), line.fused(there, back));
            assertEquals(loops.size(), line.mesh.report().loops().size(), "the one of before is gone");
            back.close();
            assertEquals(loops.size() - 2, line.mesh.report().loops().size(), "with a part the whole is gone");
            there.run();
            assertArrayEquals(new double[]{0, 1}, Arrays.copyOf(line.node[1].toArray(), 2));
        }
    }

    @Test
    void failuresNameAllPartsAndTheirStatements() {
        try (Backend backend = open("reference", 1); Line line = new Line(backend, FUSED, 5)) {
            ParallelLoop wrong = line.mesh.loop(InterpretedKernel.named("wrong").dat(Access.READ_WRITE, 2).does(v -> {
                throw new ArithmeticException("no root of -1");
            }), line.nodes, line.node[1]);
            line.copy(0, 1).run();
            wrong.run();
            DeferredLoopException thrown = assertThrows(DeferredLoopException.class, () -> line.node[1].toArray());
            assertTrue(thrown.getMessage().contains("ChainKernels.copy over set 'nodes'"), thrown.getMessage());
            assertTrue(thrown.getMessage().contains("wrong over set 'nodes'"), thrown.getMessage());
        }
    }

    @Test
    void sequencesAreFusedAndTimesDecide() {
        try (Backend backend = open("threads", 2);
                Line line = new Line(backend, EAGER.fusion(Fusion.TUNED), 5000)) {
            LoopSequence sequence =
                    line.mesh.sequence("two").run(line.copy(0, 1)).run(line.copy(1, 2)).run(line.copy(2, 0)).build();
            for (int i = 0; i <= 2 * TunedChainSegment.ROUNDS; i++) {
                sequence.run();
            }
            ChainReport report = MeshChains.reports(line.mesh).getFirst();
            assertTrue(report.decision().contains("fused") && report.decision().contains("loop by loop"),
                    report.decision());
            assertTrue(report.decision().contains("µs"), report.decision());
            assertFalse(report.fused().size() > 1, report.fused().toString());
        }
    }
}
