package org.trellis.distributed.powers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.PartitionedCase;

/** Smoothers with any number of ranks and rings against one rank's, and the number of their exchanges. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RingSmootherTest {
    private static final int FIRST_SWEEPS = 5;
    private static final int FURTHER_SWEEPS = 4;

    private static double[][] run(CsrMatrix matrix, Partition partition, int[] rings,
            Function<HaloPlan, RingSmoother> make) {
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, matrix, partition);
            double[][] solutions = new double[rings.length][];
            for (int k = 0; k < rings.length; k++) {
                try (HaloPlan plan = HaloPlan.of(part, rings[k])) {
                    RingSmoother smoother = make.apply(plan);
                    smoother.solution().set(i -> Math.cos((double) i));
                    smoother.rightHandSide().set(i -> 1 + i % 5);
                    smoother.smooth(FIRST_SWEEPS);
                    assertEquals(Math.ceilDiv(FIRST_SWEEPS, rings[k]), plan.exchanges());
                    smoother.rightHandSide().set(i -> 2 - i % 3);
                    smoother.smooth(FURTHER_SWEEPS);
                    solutions[k] = smoother.solution().gather(0).toDoubleArray();
                }
            }
            return solutions;
        }).getFirst();
    }

    private static void compare(int ranks, Precision precision, Function<HaloPlan, RingSmoother> make) {
        for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
            Partition alone = new Partition(new int[problem.matrix().rows()], 1);
            double[] expected = run(problem.matrix(), alone, new int[]{1}, make)[0];
            double[][] actual = run(problem.matrix(), problem.partition(), new int[]{1, 2, 3, 4, 5}, make);
            for (int k = 0; k < actual.length; k++) {
                int rings = k + 1;
                assertArrayEquals(expected, actual[k], () -> rings + " rings: " + problem);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void jacobiHasTheBitsOfOneRank(int ranks) {
        compare(ranks, Precision.F64, plan -> RingSmoother.jacobi(plan, 0.8));
    }

    @ParameterizedTest
    @ValueSource(ints = {3})
    void othersHaveTheBitsOfOneRank(int ranks) {
        for (Precision precision : Precision.values()) {
            compare(ranks, precision, RingSmoother::l1Jacobi);
            compare(ranks, precision, plan -> RingSmoother.chebyshev(plan, 0.2, 2.1));
        }
    }

    /** 80 sweeps: 80, 40, 27, 20, 16 and 10 exchanges for 1, 2, 3, 4, 5 and 8 rings, right-hand side included. */
    @Test
    void eightySweepsExchangeAsRarelyAsTheyShould() {
        PartitionedCase problem = PartitionedCase.all(3, Precision.F64).getLast();
        int[] rings = {1, 2, 3, 4, 5, 8};
        int[] exchanges = {80, 40, 27, 20, 16, 10};
        for (int k = 0; k < rings.length; k++) {
            int count = rings[k];
            long expected = exchanges[k];
            ThreadRanks.run(3, communicator -> {
                try (HaloPlan plan = HaloPlan.of(PartitionedMatrix.scatter(communicator, 0, problem.matrix(),
                        problem.partition()), count)) {
                    RingSmoother smoother = RingSmoother.jacobi(plan, 0.8);
                    smoother.smooth(80);
                    assertEquals(expected, plan.exchanges());
                    for (int neighbour = 0; neighbour < plan.sends().size(); neighbour++) {
                        assertEquals(expected, plan.exchange(1).messages(neighbour)
                                + plan.exchange(2).messages(neighbour));
                    }
                }
                return null;
            });
        }
    }

    /** x = 0, b = (4, 4), A = (2 1; 1 2): one sweep of Jacobi gives ω b / 2, of ℓ₁-Jacobi b / 3; both by hand. */
    @Test
    void sweepsByHand() {
        CsrMatrix matrix = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{2, 1, 1, 2});
        ThreadRanks.run(2, communicator -> {
            try (HaloPlan plan = HaloPlan.of(PartitionedMatrix.scatter(communicator, 0, matrix,
                    new Partition(new int[]{0, 1}, 2)), 2)) {
                assertEquals(1.5, afterSweeps(RingSmoother.jacobi(plan, 0.75), 1));
                assertEquals(1.5 + 0.75 * (4 - 3 * 1.5) / 2, afterSweeps(RingSmoother.jacobi(plan, 0.75), 2));
                assertEquals(4.0 / 3, afterSweeps(RingSmoother.l1Jacobi(plan), 1), 1e-15);
                // D⁻¹ A has the eigenvalues 1/2 and 3/2, b is in the direction of the latter: degree 1 on [1, 3/2].
                assertEquals(2 / 1.25, afterSweeps(RingSmoother.chebyshev(plan, 1, 1.5), 1), 1e-15);
            }
            return null;
        });
    }

    private static double afterSweeps(RingSmoother smoother, int sweeps) {
        smoother.rightHandSide().set(i -> 4);
        smoother.smooth(sweeps);
        return smoother.solution().values().get(0);
    }

    /** The error after degree ν on [low, high] is at most 1 / T_ν((high + low) / (high − low)) of the first. */
    @Test
    void chebyshevDampsAsItShould() {
        int n = 40;
        ThreadRanks.run(3, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.generate(communicator, n, Precision.F64,
                    (row, entries) -> entries.add(row, row == 0 ? 1 : 2));
            try (HaloPlan plan = HaloPlan.of(matrix, 3)) {
                RingSmoother smoother = RingSmoother.chebyshev(plan, 0.5, 1.5);
                smoother.rightHandSide().set(i -> i + 1);
                smoother.smooth(6);
                // D⁻¹ A is the identity, in the middle of the interval: T₆(0) = −1 against T₆(2) = 1351.
                for (int i = 0; i < matrix.ownedRows(); i++) {
                    double solution = (plan.globalIndex(i) + 1) / (plan.globalIndex(i) == 0 ? 1.0 : 2.0);
                    double error = Math.abs(smoother.solution().values().get(i) - solution);
                    assertEquals(solution / 1351, error, 1e-12 * solution);
                }
            }
            return null;
        });
    }

    @Test
    void zerosOnTheDiagonalAreNamed() {
        CsrMatrix matrix = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{1, 0}, new double[]{1, 1});
        JobFailedException failed = assertThrows(JobFailedException.class, () -> ThreadRanks.run(1,
                communicator -> RingSmoother.jacobi(HaloPlan.of(PartitionedMatrix.scatter(communicator, 0, matrix,
                        new Partition(new int[2], 1)), 1), 1)));
        assertEquals("row 0 has no element on the diagonal, or zero there, expected one to divide by",
                assertInstanceOf(IllegalArgumentException.class, failed.getCause()).getMessage());
        JobFailedException interval = assertThrows(JobFailedException.class, () -> ThreadRanks.run(1,
                communicator -> RingSmoother.chebyshev(HaloPlan.of(PartitionedMatrix.scatter(communicator, 0, matrix,
                        new Partition(new int[2], 1)), 1), 0, 1)));
        assertTrue(interval.getMessage().contains("lower end of the spectrum is 0.0"), interval.getMessage());
    }
}
