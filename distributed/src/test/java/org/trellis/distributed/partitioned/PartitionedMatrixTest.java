package org.trellis.distributed.partitioned;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MarketPart;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partitioners;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.PartitionedCase;
import org.trellis.testing.TestSeed;

/** Where the rows of a partitioned matrix come from, and how they move. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PartitionedMatrixTest {
    @TempDir
    private Path folder;

    /** Each rank's rows must be those of the whole matrix, and each where it says. */
    private static void assertHolds(CsrMatrix whole, PartitionedMatrix part) {
        assertEquals(whole.rows(), part.globalRows());
        assertEquals(whole.rows(), part.communicator().sum(part.ownedRows()));
        RowBlock rows = part.rows();
        for (int i = 0; i < rows.rows(); i++) {
            int row = (int) rows.indices()[i];
            assertEquals(i, part.localIndex(row));
            assertEquals(whole.rowLength(row), rows.offsets()[i + 1] - rows.offsets()[i]);
            boolean inside = true;
            for (int k = rows.offsets()[i]; k < rows.offsets()[i + 1]; k++) {
                assertEquals(whole.get(row, (int) rows.columns()[k]), rows.values().get(k));
                inside &= part.localIndex(rows.columns()[k]) >= 0;
            }
            assertEquals(i < part.interiorRows(), inside);
        }
    }

    /**
     * Rows that come with columns of the rank's own numbering: in the order in which they come, whatever is interior.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void takesRowsInTheNumberingOfTheRank(int ranks) {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
                ThreadRanks.run(ranks, communicator -> {
                    long[] numbers = localNumbers(problem, communicator.rank());
                    CsrMatrix local = localRows(problem, communicator.rank(), numbers);
                    PartitionedMatrix part = PartitionedMatrix.ofLocal(communicator, problem.matrix().rows(), local,
                            numbers);
                    assertEquals(local.rows(), part.ownedRows());
                    int interior = local.rows();
                    for (int i = local.rows() - 1; i >= 0; i--) {
                        int row = (int) numbers[i];
                        assertEquals(row, part.rows().indices()[i], problem.name());
                        int from = part.rows().offsets()[i];
                        assertEquals(problem.matrix().rowLength(row), part.rows().offsets()[i + 1] - from);
                        for (int k = from; k < part.rows().offsets()[i + 1]; k++) {
                            int column = (int) part.rows().columns()[k];
                            assertEquals(problem.matrix().get(row, column), part.rows().values().get(k));
                            interior = part.localIndex(column) < 0 ? i : interior;
                        }
                    }
                    assertEquals(interior, part.interiorRows(), problem.name());
                    return null;
                });
            }
        }
    }

    /** The rows of a rank in falling order, then the others that they lead to. */
    private static long[] localNumbers(PartitionedCase problem, int rank) {
        LinkedHashSet<Long> numbers = new LinkedHashSet<>();
        int rows = problem.matrix().rows();
        for (int row = rows - 1; row >= 0; row--) {
            if (problem.partition().partOf()[row] == rank) {
                numbers.add((long) row);
            }
        }
        for (long row : List.copyOf(numbers)) {
            for (int column = rows - 1; column >= 0; column--) {
                if (problem.matrix().get((int) row, column) != 0) {
                    numbers.add((long) column);
                }
            }
        }
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }

    private static CsrMatrix localRows(PartitionedCase problem, int rank, long[] numbers) {
        int owned = (int) Arrays.stream(problem.partition().partOf()).filter(part -> part == rank).count();
        CsrBuilder builder = new CsrBuilder(numbers.length, problem.matrix().precision(), 0);
        for (int i = 0; i < owned; i++) {
            for (int j = 0; j < numbers.length; j++) {
                double value = problem.matrix().get((int) numbers[i], (int) numbers[j]);
                if (value != 0) {
                    builder.add(j, value);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    @Test
    void refusesRowsThatDoNotFitTheirNumbers() {
        ThreadRanks.run(1, communicator -> {
            CsrBuilder builder = new CsrBuilder(1, Precision.F64, 0);
            CsrMatrix tall = builder.add(0, 1).endRow().add(0, 1).endRow().build();
            String words = assertThrows(IllegalArgumentException.class,
                    () -> PartitionedMatrix.ofLocal(communicator, 2, tall, new long[]{0, 1})).getMessage();
            assertTrue(words.contains("brings 2 rows of 1 columns"), words);
            CsrMatrix one = new CsrBuilder(1, Precision.F64, 0).add(0, 1).endRow().build();
            assertThrows(IllegalArgumentException.class,
                    () -> PartitionedMatrix.ofLocal(communicator, 1, one, new long[0]));
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void scattersFromOneRankAndGathersVectors(int ranks) {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
                ThreadRanks.run(ranks, communicator -> {
                    int root = ranks - 1;
                    CsrMatrix matrix = communicator.rank() == root ? problem.matrix() : null;
                    PartitionedMatrix part = PartitionedMatrix.scatter(communicator, root, matrix,
                            communicator.rank() == root ? problem.partition() : null);
                    assertHolds(problem.matrix(), part);
                    for (long row : part.rows().indices()) {
                        assertEquals(communicator.rank(), problem.partition().partOf()[(int) row]);
                    }
                    HostVector whole = part.gather(0, part.vector(i -> 3 * i + 1));
                    assertEquals(communicator.rank() == 0 ? problem.matrix().rows() : 0, whole.length());
                    for (int i = 0; i < whole.length(); i++) {
                        assertEquals(3 * i + 1, whole.get(i));
                    }
                    return null;
                });
            }
        }
    }

    /** Messages shorter than most rows, and such as hold a few. */
    @ParameterizedTest
    @ValueSource(ints = {1, 40, 300})
    void rowsTravelInSeveralMessages(int messageBytes) {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(3, precision)) {
                ThreadRanks.run(3, communicator -> {
                    boolean root = communicator.rank() == 1;
                    assertHolds(problem.matrix(), RowScatter.run(communicator, 1, root ? problem.matrix() : null,
                            root ? problem.partition() : null, messageBytes));
                    return null;
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 7})
    void rowsAreGeneratedWhereTheyBelong(int ranks) {
        int size = 23;
        ThreadRanks.run(ranks, communicator -> {
            int[] made = {0};
            PartitionedMatrix part = PartitionedMatrix.generate(communicator, size, Precision.F64, (row, entries) -> {
                made[0]++;
                if (row > 0) {
                    entries.add(row - 1, -1);
                }
                entries.add(row, 2.0 + row);
            });
            assertEquals(part.ownedRows(), made[0], "a rank makes its own rows only");
            assertTrue(Math.abs(part.ownedRows() - size / (double) ranks) < 1);
            assertEquals(size + size - 1, communicator.sum(part.rows().nonZeros()));
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6})
    void entriesOfSharesAreAddedUpInTheirOrder(int ranks) {
        SplittableRandom random = TestSeed.random("entries");
        int size = 31;
        int count = 400;
        int[] rows = random.ints(count, 0, size).toArray();
        int[] columns = random.ints(count, 0, 6).toArray();
        double[] values = random.doubles(count, -1, 1).toArray();
        double[][] expected = new double[size][size];
        for (int i = 0; i < count; i++) {
            expected[rows[i]][columns[i]] += values[i];
        }
        ThreadRanks.run(ranks, communicator -> {
            EntryBatch batch = new EntryBatch();
            for (int i = count * communicator.rank() / ranks; i < count * (communicator.rank() + 1) / ranks; i++) {
                batch.add(rows[i], columns[i], values[i]);
            }
            RowBlock own = PartitionedMatrix.ofEntries(communicator, size, Precision.F64, batch).rows();
            for (int i = 0; i < own.rows(); i++) {
                for (int k = own.offsets()[i]; k < own.offsets()[i + 1]; k++) {
                    assertEquals(expected[(int) own.indices()[i]][(int) own.columns()[k]], own.values().get(k),
                            () -> "seed " + TestSeed.value());
                }
            }
            return null;
        });
    }

    /** Each rank parses its share of a file only; the rows are those of a reader of the whole. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void ranksReadTheirSharesOfAFile(int ranks) throws IOException {
        CsrMatrix matrix = PartitionedCase.all(ranks, Precision.F64).getFirst().matrix();
        Path file = folder.resolve("matrix.mtx");
        MatrixMarket.write(file, matrix, WriteOptions.DEFAULT);
        ThreadRanks.run(ranks, communicator -> {
            EntryBatch batch = new EntryBatch();
            MarketPart share;
            try {
                share = MarketPart.read(file, communicator.rank(), ranks, ReadOptions.DEFAULT, batch::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            share.checkAll(file, communicator.sum(share.entries()), share.below(), share.above());
            assertTrue(ranks == 1 || batch.size() < matrix.nonZeros());
            assertHolds(matrix, PartitionedMatrix.ofEntries(communicator, share.header().rows(), Precision.F64, batch));
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void redistributesMatricesAndVectors(int ranks) {
        for (PartitionedCase problem : PartitionedCase.all(ranks, Precision.F32)) {
            ThreadRanks.run(ranks, communicator -> {
                PartitionedMatrix first = PartitionedMatrix.scatter(communicator, 0, problem.matrix(),
                        problem.partition());
                int[] owners = Arrays.stream(first.rows().indices()).mapToInt(row -> (int) (row * 7 % ranks)).toArray();
                PartitionedMatrix second = first.redistribute(owners);
                assertHolds(problem.matrix(), second);
                for (long row : second.rows().indices()) {
                    assertEquals(row * 7 % ranks, communicator.rank());
                }
                HostVector moved = second.bring(first, first.vector(i -> 0.5 * i));
                assertArrayEquals(second.vector(i -> 0.5 * i).floats(), moved.floats());
                return null;
            });
        }
    }

    @Test
    void partitionersFindPartsWithFewNeighbours() {
        long n = 24;
        ThreadRanks.run(4, communicator -> {
            // Rows dealt out like cards: every row is on the boundary at first.
            PartitionedMatrix dealt = PartitionedMatrix.generate(communicator, n * n, Precision.F64, (row, entries) -> {
                for (long step : new long[]{-n, -1, 0, 1, n}) {
                    boolean leaves = row + step < 0 || row + step >= n * n || (step == -1 && row % n == 0)
                            || (step == 1 && row % n == n - 1);
                    if (!leaves) {
                        entries.add(row + step, step == 0 ? 4 : -1);
                    }
                }
            }, dealtRows((int) (n * n), 4, communicator.rank()));
            assertEquals(n * n, communicator.sum(dealt.ownedRows() - dealt.interiorRows()));
            PartitionedMatrix good = dealt.repartition(Partitioners.named("multilevel"), 1.05);
            assertEquals(n * n, communicator.sum(good.ownedRows()));
            assertTrue(communicator.greatest(good.ownedRows()) <= 1.05 * 24 * 24 / 4);
            assertTrue(communicator.sum(good.ownedRows() - good.interiorRows()) < 6 * n,
                    () -> good + " has a long boundary");
            return null;
        });
    }

    private static long[] dealtRows(int size, int ranks, int rank) {
        long[] rows = new long[(size - rank + ranks - 1) / ranks];
        Arrays.setAll(rows, i -> (long) i * ranks + rank);
        return rows;
    }

    private static String failure(int ranks, long size, long[][] rows, long column) {
        JobFailedException failed = assertThrows(JobFailedException.class,
                () -> ThreadRanks.run(ranks,
                        communicator -> PartitionedMatrix.generate(communicator, size, Precision.F64,
                                (row, entries) -> entries.add(column, 1),
                                rows[communicator.rank()])));
        return assertInstanceOf(IllegalArgumentException.class, failed.getCause()).getMessage();
    }

    @Test
    void everyRowHasOneOwner() {
        assertEquals("row 2 is brought by rank 0 and by rank 1, expected one",
                failure(2, 4, new long[][]{{0, 1, 2}, {2, 3}}, 0));
        assertEquals("row 2 is brought by no rank, expected one", failure(2, 4, new long[][]{{0, 1}, {3}}, 0));
        assertEquals("rank 1 brings row 4, expected 0 to 3", failure(2, 4, new long[][]{{0, 1}, {2, 3, 4}}, 0));
        assertEquals("rank 0 brings row 1 twice, expected once", failure(1, 2, new long[][]{{0, 1, 1}}, 0));
        assertEquals("row 0 has an entry in column 7, expected 0 to 1", failure(1, 2, new long[][]{{0, 1}}, 7));
        assertEquals("row 0 has an entry in column -1, expected 0 to 1", failure(1, 2, new long[][]{{0, 1}}, -1));
    }

    @Test
    void rowBlocksAreChecked() {
        HostVector values = HostVector.of(1.0, 2.0);
        assertThrows(IllegalArgumentException.class, () -> new RowBlock(new long[]{5}, new int[]{0}, new long[0],
                values));
        assertThrows(IllegalArgumentException.class, () -> new RowBlock(new long[]{5}, new int[]{0, 3}, new long[2],
                values));
        IllegalArgumentException order = assertThrows(IllegalArgumentException.class, () -> new RowBlock(
                new long[]{5}, new int[]{0, 2}, new long[]{4, 4}, values));
        assertEquals("row 5: column 4 follows 4, expected columns that increase strictly", order.getMessage());
        assertThrows(IllegalStateException.class,
                () -> new RowBlockBuilder(Precision.F64, 1).add(0, 1).build());
        RowBlockBuilder builder = new RowBlockBuilder(Precision.F64, 4, 4).add(0, 1).endRow(5);
        RowBlock block = builder.build();
        assertThrows(IllegalStateException.class, () -> builder.add(1, 2));
        assertThrows(IllegalStateException.class, () -> builder.endRow(6));
        assertThrows(IllegalStateException.class, () -> builder.addRow(block, 0));
        assertThrows(IllegalStateException.class, builder::build);
    }

    @Test
    void blocksCoverAllRows() {
        for (long rows : new long[]{0, 1, 5, 12, 1_000_003, 1L << 40}) {
            for (int blocks : new int[]{1, 2, 3, 7}) {
                RowRanges ranges = new RowRanges(rows, blocks);
                assertEquals(0, ranges.start(0));
                assertEquals(rows, ranges.start(blocks));
                for (int b = 0; b < blocks; b++) {
                    if (ranges.start(b) < ranges.start(b + 1)) {
                        assertEquals(b, ranges.blockOf(ranges.start(b)));
                        assertEquals(b, ranges.blockOf(ranges.start(b + 1) - 1));
                    }
                }
            }
        }
        assertThrows(IllegalArgumentException.class, () -> new RowRanges(1L << 62, 4));
    }

    @Test
    void mapsNumberIndicesInTheirOrder() {
        IndexMap map = new IndexMap(0);
        SplittableRandom random = TestSeed.random("index map");
        long[] added = random.longs(5000).distinct().toArray();
        for (int i = 0; i < added.length; i++) {
            assertTrue(map.add(added[i]));
            assertEquals(i, map.get(added[i]));
        }
        for (int i = 0; i < added.length; i++) {
            assertEquals(i, map.get(added[i]));
            assertEquals(added[i], map.index(i));
            assertTrue(!map.add(added[i]));
        }
        assertEquals(added.length, map.size());
        assertThrows(IndexOutOfBoundsException.class, () -> map.index(added.length));
    }

    /** Whether indices lie close together, far apart, or first the one and then the other. */
    @Test
    void mapsTakeIndicesOfAnyDensity() {
        SplittableRandom random = TestSeed.random("density of an index map");
        for (long range : new long[]{10, 3000, 1L << 20, Long.MAX_VALUE}) {
            for (long first : new long[]{0, 5_000_000_000L, Long.MAX_VALUE - 10, -7}) {
                IndexMap map = new IndexMap(random.nextInt(50));
                Map<Long, Integer> expected = new HashMap<>();
                for (int i = 0; i < 2000; i++) {
                    long index = first + random.nextLong(i < 1000 ? Math.min(range, 2000) : range);
                    assertEquals(expected.getOrDefault(index, IndexMap.ABSENT), map.get(index));
                    assertEquals(expected.putIfAbsent(index, expected.size()) == null, map.add(index));
                }
                assertEquals(expected.size(), map.size());
                expected.forEach((index, number) -> {
                    assertEquals(number, map.get(index));
                    assertEquals(index, map.index(number));
                    assertEquals(expected.getOrDefault(index + 1, IndexMap.ABSENT), map.get(index + 1));
                });
            }
        }
    }
}
