package org.trellis.distributed.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.multigrid.Coarsening;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.PartitionedCase;
import org.trellis.testing.TestSeed;

/** Hierarchies over ranks have the levels, the transfers and the bits of those of one rank. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RankHierarchyTest {
    private static final CoarseningOptions OPTIONS =
            CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).parallel(true).limits(12, 25);

    /** Makes the near null space of a rank. */
    private interface Space {
        RankSpace of(PartitionedMatrix matrix);
    }

    /** Rows of all ranks, put together. */
    static CsrMatrix whole(List<RowBlock> blocks, int columns) {
        int rows = blocks.stream().mapToInt(RowBlock::rows).sum();
        int[][] places = new int[rows][];
        for (int rank = 0; rank < blocks.size(); rank++) {
            for (int row = 0; row < blocks.get(rank).rows(); row++) {
                places[(int) blocks.get(rank).indices()[row]] = new int[]{rank, row};
            }
        }
        CsrBuilder builder = new CsrBuilder(columns, blocks.getFirst().precision(), rows);
        for (int[] place : places) {
            RowBlock block = blocks.get(place[0]);
            for (int k = block.offsets()[place[1]]; k < block.offsets()[place[1] + 1]; k++) {
                builder.add((int) block.columns()[k], block.values().get(k));
            }
            builder.endRow();
        }
        return builder.build();
    }

    static void assertSame(CsrMatrix expected, CsrMatrix actual, String what) {
        assertEquals(expected.rows(), actual.rows(), what);
        assertEquals(expected.columns(), actual.columns(), what);
        List<String> left = new ArrayList<>();
        expected.forEachEntry((row, column, value) -> left.add(row + " " + column + " " + value));
        List<String> right = new ArrayList<>();
        actual.forEachEntry((row, column, value) -> right.add(row + " " + column + " " + value));
        assertEquals(left, right, what);
    }

    /** Compares all levels; returns how many there are. */
    private static int compare(String name, CsrMatrix matrix, Partition partition, CoarseningOptions options,
            NearNullSpace one, Space many) {
        return compare(name, matrix, null, partition, options, one, many);
    }

    /** The same after a refresh by other values, or none. */
    private static int compare(String name, CsrMatrix matrix, CsrMatrix other, Partition partition,
            CoarseningOptions options, NearNullSpace one, Space many) {
        Hierarchy first = Hierarchy.of(matrix, one, options);
        Hierarchy expected = other == null ? first : first.refreshed(other);
        List<List<RowBlock[]>> found = ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, partition);
            try (RankHierarchy hierarchy = RankHierarchy.of(own, many.of(own), options, 40)) {
                if (other != null) {
                    hierarchy.refresh(PartitionedMatrix.scatter(communicator, 0, other, partition));
                    assertEquals(expected.knownSymmetric(), hierarchy.isSymmetric(), name);
                }
                assertEquals(expected.strength().orElseThrow(), hierarchy.strength(), name);
                List<RowBlock[]> levels = new ArrayList<>();
                for (int l = 0; l < hierarchy.levels(); l++) {
                    RankHierarchy.Level level = hierarchy.level(l);
                    levels.add(new RowBlock[]{level.matrix().rows(), level.prolongation(), level.restriction()});
                }
                return levels;
            }
        });
        int levels = expected.size();
        for (List<RowBlock[]> rank : found) {
            assertEquals(levels, rank.size(), name);
        }
        for (int l = 0; l < levels; l++) {
            int at = l;
            CsrMatrix level = expected.level(l).matrix();
            assertSame(level, whole(found.stream().map(rank -> rank.get(at)[0]).toList(), level.rows()),
                    name + ": level " + l);
            if (l + 1 < levels) {
                int coarse = expected.level(l + 1).matrix().rows();
                assertSame(expected.level(l).prolongation().orElseThrow(),
                        whole(found.stream().map(rank -> rank.get(at)[1]).toList(), coarse), name + ": P of " + l);
                assertSame(expected.level(l).restriction().orElseThrow(),
                        whole(found.stream().map(rank -> rank.get(at)[2]).toList(), level.rows()),
                        name + ": R of " + l);
            }
        }
        return levels;
    }

    private static CsrMatrix generate(String text, Precision precision) {
        return MatrixSpec.parse(text).generate(precision, ProgressListener.NONE);
    }

    private static Partition blocks(int rows, int parts) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) i * parts / rows));
        return new Partition(partOf, parts);
    }

    private static Partition random(int nodes, int parts, int blockSize) {
        int[] ofNode = TestSeed.random("ranks of nodes").ints(nodes, 0, parts).toArray();
        int[] partOf = new int[nodes * blockSize];
        Arrays.setAll(partOf, i -> ofNode[i / blockSize]);
        return new Partition(partOf, parts);
    }

    /** Values that are no longer symmetric make levels that are not, either. */
    @Test
    void refreshedLevelsHaveTheBitsOfOneRank() {
        CsrMatrix matrix = generate("poisson2d:nx=22", Precision.F64);
        CsrMatrix other = matrix.mapValues((row, column, value) -> row < column ? 1.1 * value : 1.2 * value);
        compare("another symmetric one", matrix, matrix.scaled(3), blocks(matrix.rows(), 3), OPTIONS, null,
                own -> null);
        compare("no longer symmetric", matrix, other, blocks(matrix.rows(), 3), OPTIONS, null, own -> null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"poisson2d:nx=22; 4", "poisson3d:nx=8; 5",
        "anisotropic2d:nx=18,epsilon=0.001,angle=30; 3", "jump2d:nx=18,contrast=1e6,block=3; 9"})
    void levelsHaveTheBitsOfOneRank(String text, int ranks) {
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = generate(text, precision);
            int levels = compare(text + " in blocks", matrix, blocks(matrix.rows(), ranks), OPTIONS, null, own -> null);
            assertTrue(levels > 1, text);
            compare(text + " at random, seed " + TestSeed.value(), matrix, random(matrix.rows(), ranks, 1), OPTIONS,
                    null, own -> null);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 4)
    void awkwardMatricesHaveTheBitsOfOneRank(int ranks) {
        for (PartitionedCase problem : PartitionedCase.all(ranks, Precision.F64)) {
            compare(problem.name(), problem.matrix(), problem.partition(), OPTIONS, null, own -> null);
            compare(problem.name(), problem.matrix(), problem.partition(),
                    CoarseningOptions.of(Coarsening.AGGREGATION).parallel(true).limits(5, 25), null, own -> null);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void nodesOfSeveralUnknownsHaveTheBitsOfOneRank(int ranks) {
        CsrMatrix matrix = generate("elasticity2d:nx=7", Precision.F64);
        int nodes = matrix.rows() / 2;
        Partition partition = random(nodes, ranks, 2);
        CoarseningOptions options = OPTIONS.limits(10, 25);
        assertTrue(compare("constants", matrix, partition, options, NearNullSpace.constants(matrix.rows(), 2),
                own -> RankSpace.constants(own, 2)) > 1);
        double[] coordinates = TestSeed.random("nodes").doubles(2L * nodes).toArray();
        NearNullSpace motions = NearNullSpace.rigidBody(coordinates, 2);
        compare("rigid body motions, seed " + TestSeed.value(), matrix, partition, options, motions, own -> {
            double[][] vectors = new double[3][own.ownedRows()];
            for (int v = 0; v < 3; v++) {
                for (int row = 0; row < own.ownedRows(); row++) {
                    vectors[v][row] = motions.get(v, (int) own.rows().indices()[row]);
                }
            }
            return RankSpace.given(own, 2, vectors);
        });
    }

    /** Levels of at most 40 rows a rank go to fewer ranks, the coarsest to the first one. */
    @Test
    void smallLevelsGoToFewerRanks() {
        CsrMatrix matrix = generate("poisson2d:nx=30", Precision.F64);
        List<List<Integer>> rows = ThreadRanks.run(6, communicator -> {
            PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, blocks(matrix.rows(), 6));
            try (RankHierarchy hierarchy = RankHierarchy.of(own, null, OPTIONS, 40)) {
                List<Integer> counts = new ArrayList<>();
                for (int l = 0; l < hierarchy.levels(); l++) {
                    counts.add(hierarchy.matrix(l).ownedRows());
                }
                return counts;
            }
        });
        for (int l = 1; l < rows.getFirst().size(); l++) {
            int level = l;
            int all = rows.stream().mapToInt(rank -> rank.get(level)).sum();
            Set<Integer> busy = new HashSet<>();
            for (int rank = 0; rank < rows.size(); rank++) {
                if (rows.get(rank).get(level) > 0) {
                    busy.add(rank);
                }
            }
            int most = all <= 12 ? 1 : Math.ceilDiv(all, 40);
            assertTrue(busy.size() <= most && busy.contains(0), "level " + l + " of " + all + " rows on " + busy);
        }
    }

    @Test
    void refusesWhatItCannotDo() {
        CsrMatrix matrix = generate("elasticity2d:nx=3", Precision.F64);
        Partition apart = new Partition(IntStream.range(0, matrix.rows()).map(i -> i % 2).toArray(),
                2);
        assertFails("all unknowns of a node on one rank", matrix, apart, OPTIONS, 2);
        assertFails("classical", matrix, blocks(matrix.rows(), 2), CoarseningOptions.of(Coarsening.CLASSICAL), 1);
        assertFails("coarsening=air", matrix, blocks(matrix.rows(), 2), CoarseningOptions.of(Coarsening.AIR), 1);
        CsrMatrix broken = matrix.mapValues((row, column, value) -> row == 5 && column == 5 ? Double.NaN : value);
        assertFails("row 5, column 5 is NaN", broken, blocks(matrix.rows(), 2), OPTIONS, 1);
    }

    private static void assertFails(String message, CsrMatrix matrix, Partition partition, CoarseningOptions options,
            int blockSize) {
        JobFailedException failure = assertThrows(JobFailedException.class,
                () -> ThreadRanks.run(2, communicator -> {
                    PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, partition);
                    RankHierarchy.of(own, RankSpace.constants(own, blockSize), options, 10).close();
                    return null;
                }));
        assertTrue(failure.getMessage().contains(message), failure.getMessage());
    }
}
