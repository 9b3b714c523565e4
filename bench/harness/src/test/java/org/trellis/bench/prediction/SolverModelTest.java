package org.trellis.bench.prediction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;

/** Replayed iterations: by hand where that can be done, and with as many messages as ranks send. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SolverModelTest {
    private static final double TINY = 1e-9;
    /** An entry takes a second, an element a tenth, vectors of the four rows that were measured seven. */
    private static final KernelTimes TIMES = KernelTimes.ofProcessor(4, 11, 1, 2, 7, 0.1);
    private static final int COARSE_ROWS = 12;

    private static CsrMatrix generate(String text) {
        return MatrixSpec.parse(text).generate(Precision.F64, ProgressListener.NONE);
    }

    private static Partition blocks(int rows, int parts) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) i * parts / rows));
        return new Partition(partOf, parts);
    }

    /** A line of eight rows in two parts: eleven entries each, eight of them in interior rows, three in a ring. */
    private static PartHalos line(int rings) {
        return PartHalos.of(generate("poisson2d:nx=8,ny=1"), blocks(8, 2), rings);
    }

    private static SolverModel model(Network network, int rings) {
        return new SolverModel(line(rings), network, TIMES, Precision.F64);
    }

    /** Where all ranks are alike the replay is the formula. */
    @Test
    void ranksThatAreAlikeTakeWhatTheFormulaSays() {
        Network network = Network.flat(20, 8, 0.5);
        RankModel formula = new RankModel(line(2), network, TIMES, Precision.F64);
        SolverTimes replayed = model(network, 2).conjugateGradients();
        assertEquals(formula.iteration().seconds(), replayed.seconds(), TINY);
        assertEquals(formula.iteration().waiting(), replayed.waiting(), TINY);
        assertEquals(2 * 21, replayed.reduction(), TINY);
        assertEquals(11 + 7, replayed.computing(), TINY);
        assertEquals(replayed.seconds(),
                replayed.computing() + replayed.packing() + replayed.waiting() + replayed.reduction(), TINY);
    }

    @Test
    void sumsTravelWhileTheNextProductIsComputed() {
        // Packed in 0.1, there 31 later, 8 computed meanwhile; taken out 0.1, 3 more: 34.2 of a sum's 30.
        SolverTimes hidden = model(Network.flat(30, 8, 0), 1).pipelined(5);
        assertEquals(0, hidden.reduction(), TINY);
        assertEquals(0.1 + 31 + 0.1 + 3 + 5, hidden.seconds(), TINY);
        SolverTimes late = new SolverModel(line(1), Network.flat(30, 8, 0), TIMES, Precision.F64,
                new ReductionTimes(1000, 50)).pipelined(5);
        assertEquals(50 + 5, late.seconds(), TINY);
        assertEquals(50 - 34.2, late.reduction(), TINY);
    }

    @Test
    void stepsShareAnExchangeAndAReduction() {
        // Two vectors of two elements: packed 0.4, there 24 later, taken out 0.4. Two directions, the first with a row
        // of the ring more, and one residual with it. Then vectors, and a sum of 20.
        SolverTimes two = model(Network.flat(20, 8, 0), 2).steps(2, 2, 6);
        assertEquals((0.4 + 24 + 0.4 + (11 + 3) + 11 + (11 + 3) + 6 + 20) / 2, two.seconds(), TINY);
        assertEquals(10, two.reduction(), TINY);
        assertEquals(0.5, two.messages(), TINY);
        // With one ring, the second direction wants another exchange.
        assertEquals(1, model(Network.flat(20, 8, 0), 2).steps(2, 1, 6).messages(), TINY);
        assertThrows(IllegalArgumentException.class, () -> model(Network.flat(1, 1, 0), 2).steps(2, 3, 0));
        assertThrows(IllegalArgumentException.class, () -> model(Network.flat(1, 1, 0), 2).steps(0, 1, 0));
    }

    /** What ranks have of a hierarchy, and what a cycle of theirs exchanges. */
    private record Real(List<int[]> owners, long exchanges) {}

    @SuppressWarnings("MustBeClosed") // closed with the ranks
    private static Real onRanks(CsrMatrix whole, Partition partition, int rings, int degree) {
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            RankMultigridOptions options = RankMultigridOptions.parse(Map.of("coarse-rows", "" + COARSE_ROWS,
                    "smoother", "chebyshev,kind=4,degree=" + degree), RingChoice.of(rings)).rowsPerRank(5);
            try (Backend backend = Backends.open("threads",
                    Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
                    RankMultigrid multigrid = RankMultigrid.of(matrix, null, options, backend)) {
                List<int[]> owners = new ArrayList<>();
                for (int l = 0; l < multigrid.hierarchy().levels(); l++) {
                    PartitionedMatrix level = multigrid.hierarchy().matrix(l);
                    HostVector all = level.gather(0,
                            HostVector.of(Precision.F64, level.ownedRows(), i -> communicator.rank()));
                    int[] owner = new int[all.length()];
                    Arrays.setAll(owner, i -> (int) all.get(i));
                    owners.add(owner);
                }
                HostVector b = matrix.vector(i -> 1);
                HostVector x = matrix.vector(i -> 0);
                multigrid.apply(b, x);
                long before = multigrid.exchanges();
                multigrid.apply(b, x);
                return new Real(owners, multigrid.exchanges() - before);
            }
        }).getFirst();
    }

    private static Hierarchy hierarchy(CsrMatrix matrix) {
        return Hierarchy.of(matrix, NearNullSpace.constants(matrix.rows(), 1),
                CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).parallel(true).limits(COARSE_ROWS, 25));
    }

    private static CycleModel cycle(HierarchyLayout layout, int degree) {
        return new CycleModel(layout,
                Collections.nCopies(layout.levels().size() - 1, new LevelTimes(1, 1e-9, 1e-9, 1e-9, 1e-9)), 1e-6,
                degree);
    }

    /** With two ranks, each exchange of a level brings each of them one message, and so does a transfer. */
    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,1", "2,2", "3,2", "4,2", "4,3", "4,4", "3,5", "6,4"})
    void cyclesExchangeWhatRanksExchange(int degree, int rings) {
        CsrMatrix matrix = generate("poisson2d:nx=17,ny=15");
        Real real = onRanks(matrix, blocks(matrix.rows(), 2), rings, degree);
        Hierarchy hierarchy = hierarchy(matrix);
        HierarchyLayout layout = HierarchyLayout.of(hierarchy, real.owners(), 2, rings);
        RankClocks clocks =
                new RankClocks(2, Network.flat(1e-5, 1e9, 0), 1e-9, Double.BYTES, new ReductionTimes(0, 0));
        int[] all = new int[hierarchy.size() - 1];
        Arrays.fill(all, rings);
        cycle(layout, degree).run(clocks, all);
        long transfers = 0;
        for (HierarchyLayout.Level level : layout.levels()) {
            for (int rank = 0; rank < 2 && level.prolongation() != null; rank++) {
                transfers += level.prolongation().sources(rank).length + level.restriction().sources(rank).length;
            }
        }
        assertTrue(transfers > 0);
        assertEquals((double) (2 * real.exchanges() + transfers), 2 * clocks.so("cycle", rings).messages(), TINY);
    }

    /** Levels that are divided on one machine are nearly those of ranks, and as many ranks have them. */
    @Test
    void levelsAreDividedAsRanksDoIt() {
        CsrMatrix matrix = generate("poisson2d:nx=33,ny=29");
        Partition partition = blocks(matrix.rows(), 5);
        Real real = onRanks(matrix, partition, 1, 2);
        Hierarchy hierarchy = hierarchy(matrix);
        HierarchyLayout layout = HierarchyLayout.of(hierarchy, partition, COARSE_ROWS, 5, 2);
        assertEquals(real.owners().size(), layout.levels().size());
        for (int l = 0; l < layout.levels().size(); l++) {
            int[] own = layout.levels().get(l).partition().partOf();
            int[] theirs = real.owners().get(l);
            assertEquals(Arrays.stream(theirs).distinct().count(), layout.levels().get(l).active(), "level " + l);
            long same = 0;
            for (int row = 0; row < own.length; row++) {
                same += own[row] == theirs[row] ? 1 : 0;
            }
            assertTrue(same >= 0.7 * own.length, same + " of " + own.length + " rows of level " + l);
        }
        assertEquals(1, layout.levels().getLast().active());
    }

    @Test
    void manyRingsPayWhereLatencyIsLong() {
        CsrMatrix matrix = generate("poisson2d:nx=33,ny=29");
        Partition partition = blocks(matrix.rows(), 4);
        HierarchyLayout layout = HierarchyLayout.of(hierarchy(matrix), partition, COARSE_ROWS, 5, 4);
        PartHalos halos = PartHalos.of(matrix, partition, 4);
        CycleModel cycle = cycle(layout, 4);
        KernelTimes times = KernelTimes.ofProcessor(240, 1200, 1e-9, 1e-9, 1e-6, 1e-9);
        SolverModel far = new SolverModel(halos, Network.flat(1e-3, 1e10, 0), times, Precision.F64);
        assertTrue(far.multigrid(cycle, 4).seconds() < 0.7 * far.multigrid(cycle, 1).seconds());
        assertEquals(4, far.bestRings(cycle, List.of(1, 2, 3, 4))[0]);
        assertEquals(far.multigrid(cycle, List.of(1, 2, 3, 4)).seconds(), far.multigrid(cycle, 4).seconds(), 1e-4);
        SolverModel near = new SolverModel(halos, Network.flat(0, 1e12, 0), times, Precision.F64);
        assertEquals(1, near.bestRings(cycle, List.of(1, 2, 3, 4))[0]);
        // Three all-reduces of two stages.
        assertEquals(6e-3, far.multigrid(cycle, 1).reduction(), 1e-4);
    }

    @Test
    void transfersAreCounted() {
        // Rows 0 and 1 are the first rank's, 2 the second's; columns 0 and 2 the second's.
        CsrMatrix matrix = CsrMatrix.of(3, 3, new int[]{0, 2, 3, 5}, new int[]{0, 1, 0, 1, 2},
                new double[]{1, 1, 1, 1, 1});
        PartTransfers transfers = PartTransfers.of(matrix, new int[]{0, 0, 1}, new int[]{1, 0, 1}, 2);
        assertEquals(3, transfers.nonZeros(0));
        assertEquals(2, transfers.nonZeros(1));
        assertArrayEquals(new int[]{1}, transfers.sources(0));
        assertEquals(1, transfers.elements(0, 0));
        assertArrayEquals(new int[]{0}, transfers.sources(1));
        assertEquals(1, transfers.elements(1, 0));
        assertThrows(IllegalArgumentException.class,
                () -> PartTransfers.of(matrix, new int[2], new int[3], 2));
    }

    @Test
    void kernelsAreMeasured() {
        CsrMatrix matrix = generate("poisson2d:nx=20");
        Hierarchy hierarchy = hierarchy(matrix);
        LevelTimes times = KernelClock.level(matrix, hierarchy.level(0).prolongation().orElseThrow(),
                hierarchy.level(0).restriction().orElseThrow(), 2, 500_000, 1);
        for (double seconds : new double[]{times.product(), times.sweep(), times.transfer()}) {
            assertTrue(seconds > 1e-11 && seconds < 1e-6, times::toString);
        }
        assertEquals(2 * times.sweep(), times.shared(2).sweep(), TINY);
        double coarse = KernelClock.coarse(hierarchy.level(hierarchy.size() - 1).matrix());
        assertTrue(coarse > 1e-8 && coarse < 1e-2, () -> "coarse " + coarse);
        double outer = KernelClock.outerStep(300, Precision.F64, 3, 1);
        assertTrue(outer > 1e-8 && outer < 1e-2, () -> "outer step " + outer);
    }
}
