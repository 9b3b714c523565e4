package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.powers.RingContest;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.HostVector;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.RankTimes;
import org.trellis.testing.InterpretedKernel;

/** What a mesh over ranks is beyond one on one rank: divisions, rings, levels, and what it refuses. */
class DistributedMeshTest {
    private static final LoopKernel SPREAD = InterpretedKernel.named("spread").dat(Access.READ, 1).dat(Access.READ, 1)
            .dat(Access.INCREMENT, 1).dat(Access.INCREMENT, 1).does(values -> {
                double flow = ((double[]) values[1])[0] - ((double[]) values[0])[0];
                ((double[]) values[2])[0] += flow;
                ((double[]) values[3])[0] -= flow;
            });
    private static final LoopKernel APPLY = InterpretedKernel.named("apply").dat(Access.READ_WRITE, 1)
            .dat(Access.READ_WRITE, 1).global(Access.SUM, 1).does(values -> {
                double[] heat = (double[]) values[0];
                double[] gain = (double[]) values[1];
                heat[0] += gain[0];
                gain[0] = 0;
                ((double[]) values[2])[0] += heat[0];
            });
    private static final LoopKernel RESTRICT = InterpretedKernel.named("restrict").dat(Access.READ, 1)
            .dat(Access.INCREMENT, 1).does(values -> ((double[]) values[1])[0] += ((double[]) values[0])[0]);

    /** A chain of nodes along which heat spreads. */
    private static final class Chain {
        private final MeshSet nodes;
        private final MeshSet edges;
        private final MeshMap ends;
        private final Dat heat;
        private final Global sum;
        private final ParallelLoop spread;
        private final ParallelLoop apply;

        Chain(Mesh mesh, int size) {
            nodes = mesh.set("nodes", size);
            edges = mesh.set("edges", size - 1);
            ends = mesh.map("ends", edges, nodes, 2,
                    IntStream.range(0, 2 * (size - 1)).map(i -> i / 2 + i % 2).toArray());
            heat = mesh.dat("heat", nodes, 1, Precision.F64,
                    IntStream.range(0, size).mapToDouble(i -> i * i % 37).toArray());
            Dat gain = mesh.dat("gain", nodes, 1, Precision.F64);
            sum = mesh.global("sum", 0);
            spread = mesh.loop(SPREAD, edges, heat.at(ends, 0), heat.at(ends, 1), gain.at(ends, 0), gain.at(ends, 1));
            apply = mesh.loop(APPLY, nodes, heat, gain, sum);
        }

        LoopSequence steps(Mesh mesh, int count, int rings) {
            LoopSequence.Builder sequence = mesh.sequence("steps");
            if (rings > 0) {
                sequence.rings(rings);
            }
            for (int step = 0; step < count; step++) {
                sequence.set(sum, 0).run(spread).run(apply);
            }
            return sequence.build();
        }
    }

    private static void onRanks(int ranks, RankOptions options, Consumer<Mesh> program) {
        ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("reference", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator, options)) {
                program.accept(mesh);
            }
            return null;
        });
    }

    private static double[] alone(int size, int steps) {
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            Chain chain = new Chain(mesh, size);
            chain.steps(mesh, steps, 3).run();
            return chain.heat.toArray();
        }
    }

    /** Six steps in a row take six exchanges without rings, and ⌈6 / k⌉ with k of them. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 6, 9})
    void ringsSaveExchanges(int rings) {
        double[] expected = alone(60, 6);
        onRanks(3, RankOptions.usual().withDivision(Division.blocks().of("nodes")), mesh -> {
            Chain chain = new Chain(mesh, 60);
            chain.steps(mesh, 6, rings).run();
            assertArrayEquals(expected, chain.heat.toArray());
            assertEquals(Arrays.stream(expected).sum(), chain.sum.get());
            Map<Integer, Long> exchanges = mesh.report().ranks().orElseThrow().times().stream()
                    .collect(Collectors.groupingBy(RankTimes::rank, Collectors.summingLong(RankTimes::exchanges)));
            long wanted = rings == 0 ? 6 : Math.ceilDiv(6, rings);
            // What was declared is up to date, so that the first exchange is none.
            assertEquals(Map.of(0, wanted - 1, 1, wanted - 1, 2, wanted - 1), exchanges);
        });
    }

    /** Rings are tried within the runs of a program, and chosen; values are right all the time. */
    @Test
    void ringsAreChosenByTimes() {
        int runs = 60;
        double[] expected = alone(60, 4 * runs);
        onRanks(3, RankOptions.usual().withDivision(Division.blocks().of("nodes")), mesh -> {
            Chain chain = new Chain(mesh, 60);
            LoopSequence.Builder steps = mesh.sequence("steps").tunedRings(5);
            for (int step = 0; step < 4; step++) {
                steps.set(chain.sum, 0).run(chain.spread).run(chain.apply);
            }
            LoopSequence sequence = steps.build();
            assertTrue(sequence.tunesRings());
            assertEquals(5, sequence.rings());
            for (int run = 0; run < runs; run++) {
                sequence.run();
                assertArrayEquals(List.of(1, 2, 4).stream().mapToInt(i -> i).toArray(),
                        DistributedMesh.ringChoice(mesh, sequence).orElseThrow().candidates());
            }
            assertArrayEquals(expected, chain.heat.toArray());
            // Four rounds of three numbers, four runs each, and perhaps four more of two.
            RingContest contest = DistributedMesh.ringChoice(mesh, sequence).orElseThrow();
            for (int run = 0; run < 32 && !contest.isFinished(); run++) {
                sequence.run();
            }
            assertTrue(contest.isFinished(), contest.toString());
            int chosen = contest.rings();
            mesh.resetTimes();
            sequence.run();
            sequence.run();
            long exchanges = mesh.report().ranks().orElseThrow().times().stream().filter(time -> time.rank() == 1)
                    .mapToLong(RankTimes::exchanges).sum();
            assertEquals(2L * Math.ceilDiv(4, chosen), exchanges, "rings " + chosen);
        });
    }

    @Test
    void ownersFollowTheDivision() {
        int[] given = IntStream.range(0, 20).map(i -> i % 4 == 3 ? 2 : i / 10).toArray();
        onRanks(3, RankOptions.usual().withDivision(Division.given("nodes", given)), mesh -> {
            Chain chain = new Chain(mesh, 20);
            assertArrayEquals(given, DistributedMesh.owners(chain.nodes));
            int[] edges = DistributedMesh.owners(chain.edges);
            for (int edge = 0; edge < edges.length; edge++) {
                assertTrue(edges[edge] == given[edge] || edges[edge] == given[edge + 1], "edge " + edge);
            }
            int rank = mesh.ranks().orElseThrow().rank();
            int[] owned = DistributedMesh.owned(chain.nodes);
            assertTrue(Arrays.stream(owned).allMatch(node -> given[node] == rank));
            double[] values = DistributedMesh.ownedValues(chain.heat);
            for (int i = 0; i < owned.length; i++) {
                assertEquals(owned[i] * owned[i] % 37, values[i]);
            }
            DivisionReport report = DistributedMesh.division(mesh);
            assertEquals(List.of("nodes"), report.firsts());
            assertEquals(20, report.sets().getFirst().size());
            assertEquals(IntStream.range(0, 3).mapToLong(r -> Arrays.stream(given).filter(g -> g == r).count()).max()
                    .orElseThrow(), report.sets().getFirst().most());
        });
    }

    @Test
    void dividesByCoordinatesAndPartitioners() {
        double[] expected = alone(40, 2);
        for (Division division : List.of(Division.byCoordinates("heat"), Division.usual(), Division.usual().of("edges"),
                Division.blocks())) {
            onRanks(4, RankOptions.usual().withDivision(division).withRings(2), mesh -> {
                Chain chain = new Chain(mesh, 40);
                chain.steps(mesh, 2, 0).run();
                assertArrayEquals(expected, chain.heat.toArray(), division.toString());
                for (DivisionReport.Share share : DistributedMesh.division(mesh).sets()) {
                    assertTrue(share.imbalance(4) < 1.6, share.toString());
                }
            });
        }
    }

    /** A coarse level has no maps but the one that leads to it, and goes where its fine elements are. */
    @Test
    void coarseLevelsFollowFineOnes() {
        onRanks(3, RankOptions.usual().withDivision(Division.blocks().of("nodes")), mesh -> {
            Chain chain = new Chain(mesh, 60);
            MeshSet coarse = mesh.set("coarse", 15);
            MeshMap up = mesh.map("up", chain.nodes, coarse, 1, IntStream.range(0, 60).map(i -> i / 4).toArray());
            Dat sums = mesh.dat("sums", coarse, 1, Precision.F64);
            mesh.loop(RESTRICT, chain.nodes, chain.heat, sums.at(up, 0)).run();
            int[] owners = DistributedMesh.owners(coarse);
            assertArrayEquals(IntStream.range(0, 15).map(c -> c / 5).toArray(), owners);
            double[] found = sums.toArray();
            for (int c = 0; c < 15; c++) {
                assertEquals(IntStream.range(4 * c, 4 * c + 4).map(i -> i * i % 37).sum(), found[c]);
            }
        });
    }

    /** A set that every rank has: its state is the same everywhere, and sums over it are not added up. */
    @Test
    void replicatedSetsAreWholeEverywhere() {
        LoopKernel copy = InterpretedKernel.named("copy").dat(Access.READ_WRITE, 1).global(Access.READ, 1)
                .global(Access.SUM, 1).does(values -> {
                    ((double[]) values[0])[0] += ((double[]) values[1])[0];
                    ((double[]) values[2])[0] += ((double[]) values[0])[0];
                });
        onRanks(3, RankOptions.usual(), mesh -> {
            Chain chain = new Chain(mesh, 30);
            MeshSet state = mesh.set("state", 2).replicate();
            Dat dat = mesh.dat("state", state, 1, Precision.F64, new double[]{10, 20});
            Scalars scalars = mesh.scalars("scalars", 2);
            scalars.set(0, 5);
            mesh.loop(copy, state, dat, scalars.at(0), scalars.at(1)).run();
            assertArrayEquals(new double[]{15, 25}, dat.toArray());
            assertEquals(40, scalars.get(1));
            MeshMap all = chain.ends;
            assertEquals("ends", all.name());
        });
    }

    /** Dats come and go after the division, and loops with them; values are set one by one and all at once. */
    @Test
    void datsComeAndGo() {
        onRanks(3, RankOptions.usual(), mesh -> {
            Chain chain = new Chain(mesh, 30);
            chain.spread.run();
            Dat more = mesh.dat("more", chain.nodes, 1, Precision.F64, new double[30]);
            more.set(17, 0, 3);
            assertEquals(3, more.get(17, 0));
            ParallelLoop loop = mesh.loop(RESTRICT, chain.edges, more.at(chain.ends, 1), chain.heat.at(chain.ends, 0));
            double before = chain.heat.get(16, 0);
            loop.run();
            assertEquals(before + 3, chain.heat.get(16, 0));
            loop.bind(chain.heat.at(chain.ends, 1), more.at(chain.ends, 0));
            loop.run();
            assertEquals(3 + chain.heat.get(18, 0), more.get(17, 0));
            assertThrows(IllegalStateException.class, more::close);
            loop.close();
            more.close();
            Dat whole = mesh.intDat("more", chain.nodes, 2).setAll(IntStream.range(0, 60).toArray());
            assertArrayEquals(IntStream.range(0, 60).toArray(), whole.toIntArray());
            assertEquals(8, whole.fill(8).get(29, 1));
        });
    }

    @Test
    void refusesWhatRanksCannotDo() {
        onRanks(2, RankOptions.usual(), mesh -> {
            Chain chain = new Chain(mesh, 30);
            LoopSequence late;
            chain.apply.run();
            for (Executable use : List.<Executable>of(() -> mesh.set("late", 3), chain.heat::storage,
                    () -> mesh.map("late", chain.edges, chain.nodes, 1, new int[29]), () -> chain.ends.column(0),
                    chain.ends::toArray, () -> mesh.renumber(chain.nodes, Permutation.identity(30)),
                    () -> mesh.change(edit -> edit.resize(chain.nodes, 31)))) {
                IllegalStateException refused = assertThrows(IllegalStateException.class, use);
                assertTrue(refused.getMessage().contains("divided over"), refused.getMessage());
            }
            assertTrue(assertThrows(UnsupportedKernelException.class, () -> chain.apply.run(0, 3)).getMessage()
                    .contains("divided over ranks, whose elements have other numbers"));
            late = chain.steps(mesh, 2, 2);
            IllegalArgumentException rings = assertThrows(IllegalArgumentException.class, late::run);
            assertTrue(rings.getMessage().contains("wants 2 rings"), rings.getMessage());
            assertThrows(IllegalArgumentException.class,
                    () -> mesh.dat("on", chain.nodes, 1, HostVector.zeros(Precision.F64, 30)));
        });
        onRanks(2, RankOptions.usual(), mesh -> {
            Chain chain = new Chain(mesh, 30);
            assertThrows(IllegalArgumentException.class, () -> mesh.set("parts", 1, 2, 3, 4));
            MeshSet everywhere = mesh.set("everywhere", 3).replicate();
            MeshMap itself = mesh.map("itself", everywhere, everywhere, 1, new int[]{0, 1, 2});
            Dat dat = mesh.dat("dat everywhere", everywhere, 1, Precision.F64);
            assertTrue(assertThrows(IllegalStateException.class, dat::vector).getMessage()
                    .contains("of which every rank"));
            IllegalArgumentException pattern = assertThrows(IllegalArgumentException.class,
                    () -> AssemblyPattern.of("pattern", itself, itself));
            assertTrue(pattern.getMessage().contains("of which every rank has all"), pattern.getMessage());
            Dat apart = mesh.dat("apart", chain.nodes, 2, Precision.F64).layout(Layout.SOA);
            assertTrue(assertThrows(IllegalStateException.class, apart::vector).getMessage().contains("apart"));
        });
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            assertThrows(IllegalArgumentException.class, () -> DistributedMesh.division(mesh));
        }
    }
}
