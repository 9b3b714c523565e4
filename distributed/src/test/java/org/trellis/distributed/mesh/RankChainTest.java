package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
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
import org.trellis.mesh.loop.ExchangeStatistics;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.InterpretedKernel;

/** Chains in tiles over ranks, on a line of cells with edges between them: exchanges by hand. */
class RankChainTest {
    private static final int CELLS = 60;
    private static final int RUNS = 4;

    /** Cells give what they have to their neighbours, and then take it over; the last loop adds it up. */
    private static final class Line {
        private final Dat state;
        private final Global sum;
        private final ParallelLoop flow;
        private final ParallelLoop take;

        Line(Mesh mesh) {
            MeshSet cells = mesh.set("cells", CELLS);
            MeshSet edges = mesh.set("edges", CELLS - 1);
            int[] table = new int[2 * (CELLS - 1)];
            double[] values = new double[CELLS];
            for (int e = 0; e < CELLS - 1; e++) {
                table[2 * e] = e;
                table[2 * e + 1] = e + 1;
                values[e] = e % 7;
            }
            MeshMap ends = mesh.map("ends", edges, cells, 2, table);
            state = mesh.dat("state", cells, 1, Precision.F64, values);
            Dat change = mesh.dat("change", cells, 1, Precision.F64);
            sum = mesh.global("sum", 0);
            flow = mesh.loop(InterpretedKernel.named("flow").dat(Access.READ, 1).dat(Access.READ, 1)
                    .dat(Access.INCREMENT, 1).dat(Access.INCREMENT, 1).does(v -> {
                        ((double[]) v[2])[0] += ((double[]) v[1])[0];
                        ((double[]) v[3])[0] += 2 * ((double[]) v[0])[0];
                    }), edges, state.at(ends, 0), state.at(ends, 1), change.at(ends, 0), change.at(ends, 1));
            take = mesh.loop(InterpretedKernel.named("take").dat(Access.READ_WRITE, 1).dat(Access.WRITE, 1)
                    .global(Access.SUM, 1).does(v -> {
                        ((double[]) v[1])[0] = ((double[]) v[0])[0] % 11;
                        ((double[]) v[2])[0] += ((double[]) v[1])[0];
                        ((double[]) v[0])[0] = 0;
                    }), cells, change, state, sum);
        }

        LoopSequence steps(Mesh mesh, int times) {
            LoopSequence.Builder steps = mesh.sequence("steps");
            for (int i = 0; i < times; i++) {
                steps.run(flow).run(take);
            }
            return steps.build();
        }
    }

    private static RankOptions options(ChainOptions chains) {
        return RankOptions.usual().withDivision(Division.blocks())
                .withMesh(MeshOptions.of(Configuration.load()).withCheckPlans(true).withChains(chains));
    }

    private static double[] expected(int times, int runs) {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            Line line = new Line(mesh);
            LoopSequence steps = line.steps(mesh, times);
            for (int run = 0; run < runs; run++) {
                steps.run();
            }
            return values(line);
        }
    }

    private static double[] values(Line line) {
        double[] values = new double[CELLS + 1];
        System.arraycopy(line.state.toArray(), 0, values, 0, CELLS);
        values[CELLS] = line.sum.get();
        return values;
    }

    /** Three steps need three rings of edges and cells; loop by loop each exchanges the state that it reads. */
    @ParameterizedTest
    @CsvSource({"reference,sparse,7", "reference,redundant,7", "threads,sparse,5", "threads,redundant,9"})
    void exchangesOnceForAChain(String name, String tiling, int size) {
        double[] expected = expected(3, RUNS);
        ThreadRanks.run(3, communicator -> {
            try (Backend backend = Backends.open(name, Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator,
                            options(ChainOptions.EAGER.withTiling(Tiling.of(tiling), size)))) {
                Line line = new Line(mesh);
                LoopSequence steps = line.steps(mesh, 3);
                for (int run = 0; run < RUNS; run++) {
                    steps.run();
                }
                assertArrayEquals(expected, values(line));
                ChainReport report = MeshChains.reports(mesh).getFirst();
                // Before the first run all values are those that each rank was given.
                assertEquals(Optional.of(new ExchangeStatistics(3, RUNS - 1, 3 * RUNS - 1)), report.exchanges());
                assertEquals(2 * RUNS, report.exchanges().orElseThrow().saved());
                assertTrue(report.statistics().orElseThrow().tiles() > 1, report.toString());
                assertEquals(3, DistributedMesh.division(mesh).rings());
            }
            return null;
        });
    }

    /** Four steps on a mesh that was divided for two. */
    @Test
    void longerChainsExchangeMoreOften() {
        double[] expected = expected(4, 2);
        ThreadRanks.run(2, communicator -> {
            try (Backend backend = Backends.open("threads", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator,
                            options(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 6)).withRings(2))) {
                Line line = new Line(mesh);
                mesh.divide();
                LoopSequence steps = line.steps(mesh, 4);
                steps.run();
                steps.run();
                assertArrayEquals(expected, values(line));
                assertEquals(Optional.of(new ExchangeStatistics(2, 3, 7)),
                        MeshChains.reports(mesh).getFirst().exchanges());
            }
            return null;
        });
    }

    /** A loop that reduces ends a chain of noted loops: the program may look at the sum on one rank alone. */
    @Test
    void notedLoopsExchangeOnce() {
        double[] expected = expected(1, RUNS);
        ThreadRanks.run(3, communicator -> {
            try (Backend backend = Backends.open("reference", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator,
                            options(ChainOptions.EAGER.withLazy(true).withTiling(Tiling.SPARSE, 4)))) {
                Line line = new Line(mesh);
                double sum = 0;
                for (int run = 0; run < RUNS; run++) {
                    line.flow.run();
                    line.take.run();
                    sum = communicator.rank() == 1 ? line.sum.get() : 0;
                }
                assertArrayEquals(expected, values(line));
                assertEquals(communicator.rank() == 1 ? expected[CELLS] : 0, sum);
                List<ChainReport> reports = MeshChains.reports(mesh);
                assertEquals(1, reports.size(), reports.toString());
                assertEquals(List.of("flow", "take"), reports.getFirst().loops());
                assertEquals(1, reports.getFirst().exchanges().orElseThrow().rings());
            }
            return null;
        });
    }

    /** Without a size the ranks try what there is, each in its way, and agree; afterwards other data may be bound. */
    @Test
    void ranksAgreeOnWhatIsFastest() {
        List<String> decisions = ThreadRanks.run(3, RankChainTest::decide);
        assertEquals(1, decisions.stream().distinct().count(), "all times are those of the slowest");
        assertTrue(decisions.getFirst().contains("loop by loop"), decisions.getFirst());
        assertTrue(decisions.getFirst().contains("one exchange for all"), decisions.getFirst());
    }

    private static String decide(Communicator communicator) {
        String name = communicator.rank() == 0 ? "reference" : "threads";
        try (Backend backend = Backends.open(name, Configuration.load());
                Mesh mesh = DistributedMesh.on(backend, communicator,
                        options(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 0)))) {
            Line line = new Line(mesh);
            LoopSequence steps = line.steps(mesh, 2);
            for (int run = 0; run < 12; run++) {
                steps.run();
            }
            assertArrayEquals(expected(2, 12), values(line));
            return MeshChains.reports(mesh).getFirst().decision();
        }
    }

    /** A loop that is declared anew on its rank, since what is bound to it has another shape, is found again. */
    @Test
    void loopsMayBeBoundAnew() {
        ThreadRanks.run(2, communicator -> {
            try (Backend backend = Backends.open("threads", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator,
                            options(ChainOptions.EAGER.withTiling(Tiling.SPARSE, 6)))) {
                MeshSet cells = mesh.set("cells", 20);
                MeshMap back = mesh.map("back", cells, cells, 1, IntStream.range(0, 20)
                        .map(cell -> 19 - cell).toArray());
                Dat x = mesh.dat("x", cells, 1, Precision.F64);
                Dat y = mesh.dat("y", cells, 1, Precision.F64);
                x.fill(1);
                ParallelLoop add = mesh.loop(InterpretedKernel.named("add").dat(Access.READ, 1)
                        .dat(Access.INCREMENT, 1).does(v -> ((double[]) v[1])[0] += ((double[]) v[0])[0]), cells, x, y);
                LoopSequence twice = mesh.sequence("twice").run(add).run(add).build();
                twice.run();
                add.bind(x.at(back, 0), y);
                twice.run();
                add.bind(x, y);
                twice.run();
                double[] all = new double[20];
                Arrays.fill(all, 6);
                assertArrayEquals(all, y.toArray());
            }
            return null;
        });
    }
}
