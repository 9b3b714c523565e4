package org.trellis.distributed.halo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.testing.PartitionedCase;

/** Plans against brute force, and the exchange. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HaloPlanTest {
    private static PartitionedMatrix chain(Communicator communicator, int size) {
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

    /** Rows 0 to 3 on rank 0, 4 to 7 on rank 1, 8 to 11 on rank 2. */
    @Test
    void chainByHand() {
        ThreadRanks.run(3, communicator -> {
            try (HaloPlan plan = HaloPlan.of(chain(communicator, 12), 2)) {
                HaloStatistics statistics = plan.statistics();
                boolean middle = communicator.rank() == 1;
                assertEquals(middle ? 2 : 3, statistics.interiorRows());
                assertEquals(middle ? 2 : 1, statistics.ringRows()[0]);
                assertEquals(middle ? 2 : 1, statistics.ringRows()[1]);
                assertEquals(middle ? 6 : 3, statistics.redundantNonZeros());
                assertEquals(middle ? 2 : 1, statistics.redundantRows());
                assertEquals(middle ? 4 : 2, statistics.sentElements());
                assertEquals(middle ? 4 : 2, statistics.receivedElements());
                assertEquals(middle ? 2 : 1, statistics.sendNeighbours());
                if (middle) {
                    long[] order = {5, 6, 4, 7, 3, 8, 2, 9};
                    for (int i = 0; i < order.length; i++) {
                        assertEquals(order[i], plan.globalIndex(i));
                    }
                }
            }
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void plansAreProvedByBruteForce(int ranks) {
        for (PartitionedCase problem : PartitionedCase.all(ranks, Precision.F64)) {
            ThreadRanks.run(ranks, communicator -> {
                PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, problem.matrix(),
                        problem.partition());
                for (int rings = 1; rings <= 5; rings += ranks > 5 ? 4 : 1) {
                    try (HaloPlan plan = HaloPlan.of(part, rings)) {
                        assertEquals(Optional.empty(), HaloChecker.firstViolation(plan), problem.name());
                    }
                }
                return null;
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void exchangesBringAllRingsOfAllVectors(int ranks) {
        for (Precision precision : Precision.values()) {
            for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
                ThreadRanks.run(ranks, communicator -> {
                    try (HaloPlan plan = HaloPlan.of(PartitionedMatrix.scatter(communicator, 0, problem.matrix(),
                            problem.partition()), 3)) {
                        for (int vectors = 1; vectors <= 3; vectors++) {
                            exchange(plan, vectors);
                        }
                        assertEquals(6, plan.exchanges());
                    }
                    return null;
                });
            }
        }
    }

    private static void exchange(HaloPlan plan, int count) {
        HaloExchange exchange = plan.exchange(count);
        RingVector[] vectors = new RingVector[count];
        for (int v = 0; v < count; v++) {
            vectors[v] = plan.vector();
        }
        for (int round = 1; round <= 2; round++) {
            for (int v = 0; v < count; v++) {
                int factor = 10 * v + round;
                vectors[v].set(i -> factor * (i + 1));
                assertEquals(0, vectors[v].validRings());
                exchange.with(v, vectors[v]);
            }
            exchange.start();
            exchange.finish();
            for (int v = 0; v < count; v++) {
                assertEquals(3, vectors[v].validRings());
                for (int i = 0; i < plan.localElements(); i++) {
                    assertEquals((double) ((10 * v + round) * (plan.globalIndex(i) + 1)), vectors[v].values().get(i));
                }
            }
        }
        for (int neighbour = 0; neighbour < plan.sends().size(); neighbour++) {
            assertEquals(2, exchange.messages(neighbour));
        }
    }

    @Test
    void wrongCallsAreRefused() {
        ThreadRanks.run(2, communicator -> {
            PartitionedMatrix matrix = chain(communicator, 9);
            assertThrows(IllegalArgumentException.class, () -> HaloPlan.of(matrix, 0));
            try (HaloPlan plan = HaloPlan.of(matrix, 1); HaloPlan other = HaloPlan.of(matrix, 2)) {
                assertThrows(IllegalArgumentException.class, () -> plan.exchange(0));
                assertThrows(IllegalArgumentException.class, () -> plan.exchange(9));
                HaloExchange exchange = plan.exchange(1);
                assertThrows(IllegalStateException.class, exchange::start);
                assertThrows(IllegalStateException.class, exchange::finish);
                assertThrows(IllegalArgumentException.class, () -> exchange.with(0, other.vector()));
                exchange.with(0, plan.vector()).start();
                assertThrows(IllegalStateException.class, exchange::start);
                assertThrows(IllegalStateException.class, () -> exchange.with(0, plan.vector()));
                exchange.finish();
                assertThrows(IndexOutOfBoundsException.class, () -> plan.rowsWithin(2));
                assertThrows(IndexOutOfBoundsException.class, () -> plan.vector().setValidRings(2));
            }
            return null;
        });
    }

    @Test
    void rankThatDiesInAnExchangeEndsTheJob() {
        JobFailedException failure = assertThrows(JobFailedException.class, () -> ThreadRanks.run(3, communicator -> {
            HaloPlan plan = HaloPlan.of(chain(communicator, 30), 2);
            HaloExchange exchange = plan.exchange(1).with(0, plan.vector());
            if (communicator.rank() == 1) {
                throw new IllegalStateException("power cut");
            }
            exchange.start();
            exchange.finish();
            return null;
        }));
        assertEquals("the job of 3 ranks failed: rank 1 ended with java.lang.IllegalStateException: power cut",
                failure.getMessage());
    }
}
