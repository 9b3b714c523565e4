package org.trellis.distributed.powers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RankColouring;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.plan.Colouring;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.testing.PartitionedCase;

/** Sweeps by colours with any number of ranks and rings against the reference backend's, and their exchanges. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ColouredGaussSeidelTest {
    private static final int FIRST_SWEEPS = 2;

    private static double first(long row) {
        return Math.cos((double) row);
    }

    private static double right(long row) {
        return 1 + row % 5;
    }

    private static double otherRight(long row) {
        return 2 - row % 3;
    }

    /** Sweeps on one rank, with a right-hand side and then once with another. */
    private static double[] expected(CsrMatrix matrix, double omega, SweepDirection direction) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Smoother smoother = Preconditioners.smoother("sor", matrix, product, backend,
                        Map.of("omega", Double.toString(omega), "order", "coloured"))) {
            HostVector x = HostVector.of(matrix.precision(), matrix.rows(), row -> first(row));
            HostVector b = HostVector.of(matrix.precision(), matrix.rows(), row -> right(row));
            for (int sweep = 0; sweep < FIRST_SWEEPS; sweep++) {
                smoother.sweep(b, x, direction);
            }
            HostVector other = HostVector.of(matrix.precision(), matrix.rows(), row -> otherRight(row));
            smoother.sweep(other, x, direction);
            return x.toDoubleArray();
        }
    }

    private static double[] sweep(PartitionedMatrix part, int rings, double omega, SweepDirection direction,
            RankColouring colouring) {
        try (HaloPlan plan = HaloPlan.of(part, rings)) {
            ColouredGaussSeidel smoother = ColouredGaussSeidel.of(plan, omega, colouring);
            smoother.solution().set(ColouredGaussSeidelTest::first);
            smoother.rightHandSide().set(ColouredGaussSeidelTest::right);
            smoother.smooth(FIRST_SWEEPS, direction);
            assertEquals(Math.ceilDiv(FIRST_SWEEPS * smoother.stages(direction), rings), smoother.exchanges());
            for (int neighbour = 0; neighbour < plan.sends().size(); neighbour++) {
                assertTrue(smoother.messages(neighbour) <= smoother.exchanges());
            }
            // Other numbers of rings on the way change nothing.
            plan.useRings((rings + 1) / 2);
            smoother.rightHandSide().set(ColouredGaussSeidelTest::otherRight);
            smoother.smooth(1, direction);
            return smoother.solution().gather(0).toDoubleArray();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void coloursAndSweepsHaveTheBitsOfOneRank(int ranks) {
        Precision precision = ranks == 3 ? Precision.F32 : Precision.F64;
        int number = 0;
        for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
            SweepDirection direction = List.of(SweepDirection.values()).get(number++ % 3);
            double omega = number % 2 == 0 ? 1 : 1.3;
            int[] rings = {1, 2, 3 + number % 3};
            double[][] actual = ThreadRanks.run(ranks, communicator -> {
                PartitionedMatrix part =
                        PartitionedMatrix.scatter(communicator, 0, problem.matrix(), problem.partition());
                RankColouring colouring = RankColouring.firstFit(part);
                double[][] results = new double[rings.length + 1][];
                for (int k = 0; k < rings.length; k++) {
                    results[k] = sweep(part, rings[k], omega, direction, colouring);
                }
                results[rings.length] = part.gather(0,
                        HostVector.of(precision, part.ownedRows(), i -> colouring.colours()[i])).toDoubleArray();
                return results;
            }).getFirst();
            Colouring colouring = MatrixGraphs.firstFit(problem.matrix());
            assertArrayEquals(Arrays.stream(colouring.colours()).asDoubleStream().toArray(), actual[rings.length],
                    problem::toString);
            double[] expected = expected(problem.matrix(), omega, direction);
            for (int k = 0; k < rings.length; k++) {
                int count = rings[k];
                assertArrayEquals(expected, actual[k], () -> count + " rings, " + direction + ": " + problem);
            }
        }
    }

    /** The matrix of a path of so many rows, whose colours are 0, 1, 0, 1, ... */
    private static PartitionedMatrix path(Communicator communicator, int size) {
        return PartitionedMatrix.generate(communicator, size, Precision.F64, (row, entries) -> {
            if (row > 0) {
                entries.add(row - 1, -1);
            }
            entries.add(row, 2);
            if (row < size - 1) {
                entries.add(row + 1, -1);
            }
        });
    }

    /** Two colours: two stages a sweep, three a symmetric one. */
    @ParameterizedTest
    @CsvSource({"FORWARD,1,20", "FORWARD,2,10", "FORWARD,4,5", "BACKWARD,2,10", "SYMMETRIC,1,30", "SYMMETRIC,2,15",
        "SYMMETRIC,3,10"})
    void sweepsExchangeAsRarelyAsTheyShould(SweepDirection direction, int rings, int exchanges) {
        ThreadRanks.run(3, communicator -> {
            try (HaloPlan plan = HaloPlan.of(path(communicator, 60), rings)) {
                ColouredGaussSeidel smoother = ColouredGaussSeidel.of(plan, 1);
                long before = plan.exchanges();
                assertEquals(2, smoother.colours());
                smoother.smooth(10, direction);
                assertEquals(exchanges, smoother.exchanges());
                assertEquals(before, plan.exchanges());
                for (int neighbour = 0; neighbour < plan.sends().size(); neighbour++) {
                    assertTrue(smoother.messages(neighbour) <= exchanges);
                }
            }
            return null;
        });
    }

    /**
     * Two ranks of a path, rows 0 to 9 and 10 to 19; row 9 has colour 1, row 10 colour 0. With one ring all travels
     * first and then the rows of the last colour: of rank 0 row 9 after colour 1, of rank 1 row 10 after colour 0.
     */
    @Test
    void onlyTheColourThatChangedTravels() {
        ThreadRanks.run(2, communicator -> {
            try (HaloPlan plan = HaloPlan.of(path(communicator, 20), 1)) {
                ColouredGaussSeidel smoother = ColouredGaussSeidel.of(plan, 1);
                smoother.smooth(3, SweepDirection.FORWARD);
                // Exchanges: all, colour 0, colour 1, colour 0, colour 1, colour 0.
                assertEquals(6, smoother.exchanges());
                assertEquals(communicator.rank() == 0 ? 1 + 2 : 1 + 3, smoother.sentElements());
                assertEquals(smoother.sentElements(), smoother.messages(0));
            }
            return null;
        });
    }

    /** With x = (0, 0, 0) and b = (2, 2, 2), A the path of three rows: x₀ = x₂ = 1, then x₁ = (2 + 1 + 1) / 2 = 2. */
    @ParameterizedTest
    @EnumSource(SweepDirection.class)
    void sweepByHand(SweepDirection direction) {
        double[] expected = switch (direction) {
            case FORWARD -> new double[]{1, 2, 1};
            case BACKWARD -> new double[]{1.5, 1, 1.5};
            case SYMMETRIC -> new double[]{2, 2, 2};
        };
        double[] actual = ThreadRanks.run(3, communicator -> {
            try (HaloPlan plan = HaloPlan.of(path(communicator, 3), 2)) {
                ColouredGaussSeidel smoother = ColouredGaussSeidel.of(plan, 1);
                smoother.rightHandSide().set(row -> 2);
                smoother.smooth(1, direction);
                return smoother.solution().gather(0).toDoubleArray();
            }
        }).getFirst();
        assertArrayEquals(expected, actual);
    }

    @Test
    void badInputIsNamed() {
        CsrMatrix matrix = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{1, 1}, new double[]{1, 1});
        assertEquals("row 0 has no element on the diagonal, expected one to divide by", failure(matrix, 1));
        CsrMatrix zero = CsrMatrix.of(1, 1, new int[]{0, 1}, new int[]{0}, new double[]{0});
        assertEquals("row 0 has 0.0 on the diagonal, expected a number with a finite inverse", failure(zero, 1));
        assertEquals("omega of a coloured Gauss-Seidel smoother is 2.0, expected more than 0 and less than 2",
                failure(zero, 2));
        JobFailedException failed = assertThrows(JobFailedException.class, () -> ThreadRanks.run(1, communicator -> {
            try (HaloPlan plan = HaloPlan.of(path(communicator, 3), 1)) {
                return ColouredGaussSeidel.of(plan, 1, new RankColouring(new int[]{0, 1, 1}, 2, 1));
            }
        }));
        assertEquals("row 1 and its neighbour 2 have colour 1 both, expected a colouring of this matrix",
                assertInstanceOf(IllegalArgumentException.class, failed.getCause()).getMessage());
    }

    private static String failure(CsrMatrix matrix, double omega) {
        JobFailedException failed = assertThrows(JobFailedException.class, () -> ThreadRanks.run(1,
                communicator -> ColouredGaussSeidel.of(HaloPlan.of(PartitionedMatrix.scatter(communicator, 0, matrix,
                        new Partition(new int[matrix.rows()], 1)), 1), omega)));
        return assertInstanceOf(IllegalArgumentException.class, failed.getCause()).getMessage();
    }
}
