package org.trellis.distributed.powers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.mesh.partition.Partition;
import org.trellis.testing.PartitionedCase;

/** The number of rings, changed between steps and chosen by their times. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RingTunerTest {
    private static PartitionedMatrix line(Communicator communicator, int n) {
        return PartitionedMatrix.generate(communicator, n, Precision.F64, (row, entries) -> {
            if (row > 0) {
                entries.add(row - 1, -1);
            }
            entries.add(row, 2.5);
            if (row < n - 1) {
                entries.add(row + 1, -1);
            }
        });
    }

    /** Whatever numbers of rings follow one another: the bits of one rank, and one message for each exchange. */
    @Test
    void changingRingsKeepsBits() {
        int[] sequence = {3, 1, 2, 5, 1, 4};
        for (PartitionedCase problem : PartitionedCase.all(3, Precision.F64)) {
            Partition alone = new Partition(new int[problem.matrix().rows()], 1);
            double[][] found = new double[2][];
            for (int p = 0; p < 2; p++) {
                Partition partition = p == 0 ? alone : problem.partition();
                found[p] = ThreadRanks.run(partition.parts(), communicator -> {
                    PartitionedMatrix matrix =
                            PartitionedMatrix.scatter(communicator, 0, problem.matrix(), partition);
                    try (HaloPlan plan = HaloPlan.of(matrix, 5)) {
                        RingSmoother smoother = RingSmoother.chebyshev(plan, 0.3, 2);
                        smoother.rightHandSide().set(i -> 1 + i % 3);
                        for (int rings : sequence) {
                            plan.useRings(rings);
                            smoother.smooth(4);
                        }
                        for (int i = 0; i < plan.sends().size(); i++) {
                            assertTrue(plan.messages(i) <= plan.exchanges());
                        }
                        return smoother.solution().gather(0).toDoubleArray();
                    }
                }).getFirst();
            }
            assertArrayEquals(found[0], found[1], problem::toString);
        }
    }

    @Test
    void exchangesFollowTheRingsInUse() {
        ThreadRanks.run(3, communicator -> {
            try (HaloPlan plan = HaloPlan.of(line(communicator, 90), 4)) {
                RingProduct product = new RingProduct(plan);
                RingVector[] vectors = {plan.vector(i -> i), plan.vector()};
                assertEquals(4, plan.activeRings());
                for (int rings = 1; rings <= 4; rings++) {
                    plan.useRings(rings);
                    vectors[0].changed();
                    long before = plan.exchanges();
                    for (int step = 0; step < 12; step++) {
                        product.multiply(vectors[step % 2], vectors[1 - step % 2]);
                    }
                    assertEquals(12 / rings, plan.exchanges() - before);
                }
                assertThrows(IllegalArgumentException.class, () -> plan.useRings(0));
                assertThrows(IllegalArgumentException.class, () -> plan.useRings(5));
            }
            return null;
        });
    }

    /** On a slow network a small problem wants rings; the model predicts it at once, and the steps confirm it. */
    @Test
    void slowNetworksWantRings() {
        int[] chosen = ThreadRanks.run(2, inner -> {
            Communicator communicator = new DelayedCommunicator(inner, Duration.ofMillis(2), 1e9);
            try (HaloPlan plan = HaloPlan.of(line(communicator, 300), 4)) {
                RingModel model = RingModel.measure(plan);
                assertTrue(model.latency() > 1.5e-3 && model.latency() < 0.1, model::toString);
                assertTrue(model.proposal() >= 3, model::toString);
                RingTuner tuner = new RingTuner(plan, 1, 4);
                RingSmoother smoother = RingSmoother.jacobi(plan, 0.8).tunedBy(tuner);
                long before = plan.exchanges();
                int calls = 0;
                while (!tuner.isFinished()) {
                    smoother.smooth(1);
                    calls++;
                }
                // Twice four rounds of 1 + 16 exchanges with one ring and of 1 + 4 with four, and the one that ends it.
                assertEquals(8 * (17 + 5) + 1, plan.exchanges() - before);
                assertEquals(8 * (17 + 20) + 1, calls);
                assertEquals(List.of(1, 4), tuner.trials().stream().map(RingContest.Trial::rings).toList());
                assertTrue(tuner.trials().stream().allMatch(trial -> trial.seconds().size() == 8));
                return new int[]{tuner.rings(), plan.activeRings()};
            }
        }).getFirst();
        assertArrayEquals(new int[]{4, 4}, chosen);
    }

    /** What is measured are sweeps, and they are not the smoother's own: iterate and exchanges stay. */
    @Test
    void sweepsAreMeasuredAside() {
        ThreadRanks.run(2, communicator -> {
            try (HaloPlan plan = HaloPlan.of(line(communicator, 200), 3)) {
                RingSmoother smoother = RingSmoother.chebyshevOfFourthKind(plan, 2);
                smoother.solution().set(i -> 1 + i);
                RingVector before = smoother.solution();
                RingModel model = RingModel.measure(smoother);
                assertEquals(3, model.secondsPerStep().length);
                assertTrue(model.secondsPerNonZero() > 0, model::toString);
                assertSame(before, smoother.solution());
                assertEquals(1.0 + plan.globalIndex(0), before.values().get(0));
            }
            return null;
        });
    }

    /** Vectors that change after each product use up no ring but the first: more of them only cost. */
    @Test
    void oneRingStaysWhereOthersSaveNothing() {
        ThreadRanks.run(2, communicator -> {
            try (HaloPlan plan = HaloPlan.of(line(communicator, 4000), 3)) {
                RingTuner tuner = new RingTuner(plan, 3, 1);
                RingProduct product = new RingProduct(plan).tunedBy(tuner);
                RingVector x = plan.vector(i -> i);
                RingVector y = plan.vector();
                for (int i = 0; i < 300; i++) {
                    x.changed();
                    product.multiply(x, y);
                }
                assertTrue(tuner.isFinished());
            }
            return null;
        });
    }

    /** One lucky turn, or a gain that is small or comes in half of the rounds, is not enough. */
    @Test
    void oneRingStaysUnlessAnotherNumberIsSurelyFaster() {
        RingContest.Trial one = new RingContest.Trial(1, List.of(10.0, 11.0, 12.0, 10.5));
        assertEquals(2, RingContest.fastest(List.of(one, new RingContest.Trial(2, List.of(9.0, 9.1, 15.0, 9.2)))));
        assertEquals(1, RingContest.fastest(List.of(one, new RingContest.Trial(2, List.of(8.0, 12.0, 12.0, 11.0)))));
        assertEquals(1, RingContest.fastest(List.of(one, new RingContest.Trial(2, List.of(8.0, 8.0, 12.0, 11.0)))));
        assertEquals(1, RingContest.fastest(List.of(new RingContest.Trial(3, List.of(9.8, 9.8, 9.8, 9.8)), one)));
        assertEquals(3, RingContest.fastest(List.of(new RingContest.Trial(2, List.of(9.0)),
                new RingContest.Trial(3, List.of(8.9)))));
        assertThrows(IllegalArgumentException.class, () -> RingContest.fastest(List.of()));
    }

    @Test
    void candidatesComeInTheOrderOfTheModel() {
        RingModel model = new RingModel(1, 1, 1, new double[]{10, 4, 3, 3.5, 9});
        assertEquals(3, model.proposal());
        assertEquals(List.of(3, 1, 4, 2), model.candidates(1.5));
        assertEquals(List.of(1), new RingModel(0, 0, 1, new double[]{1, 2, 3}).candidates(1.5));
        assertEquals(model, new RingModel(1, 1, 1, model.secondsPerStep()));
    }

    @Test
    void wrongCallsAreRefused() {
        ThreadRanks.run(1, communicator -> {
            PartitionedMatrix matrix = line(communicator, 9);
            try (HaloPlan plan = HaloPlan.of(matrix, 2); HaloPlan other = HaloPlan.of(matrix, 2)) {
                assertThrows(IllegalArgumentException.class, () -> new RingTuner(plan));
                assertThrows(IllegalArgumentException.class, () -> new RingTuner(plan, 3));
                RingTuner tuner = new RingTuner(plan, 2);
                assertTrue(tuner.isFinished());
                assertEquals(2, tuner.rings());
                assertFalse(new RingTuner(plan, 1, 2).isFinished());
                assertThrows(IllegalArgumentException.class, () -> new RingProduct(other).tunedBy(tuner));
            }
            return null;
        });
    }
}
