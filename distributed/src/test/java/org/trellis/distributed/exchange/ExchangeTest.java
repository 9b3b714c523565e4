package org.trellis.distributed.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.testing.TestSeed;

/** What is brought, and what is added, on hosts: of every type and layout. */
class ExchangeTest {
    private static final List<ScalarType> TYPES = List.of(ScalarType.F64, ScalarType.F32, ScalarType.INT);
    private static final int CALLS = 500;
    private static final int SLACK = 8 * CALLS;

    /** Each rank owns some elements, of which it has rank × 1000 + place, and wants some of others. */
    private record Wishes(int owned, int[] owners, int[] there, int[] here) {
        static Wishes of(Communicator communicator, String name, int own, boolean consecutive) {
            SplittableRandom random = TestSeed.random(name + communicator.rank());
            int count = communicator.size() == 1 ? 0 : random.nextInt(own);
            int[] owners = new int[count];
            int[] there = new int[count];
            int[] here = new int[count];
            int begin = random.nextInt(own - count + 1);
            for (int i = 0; i < count; i++) {
                owners[i] = (communicator.rank() + 1 + (consecutive ? 0 : random.nextInt(communicator.size() - 1)))
                        % communicator.size();
                there[i] = consecutive ? begin + i : random.nextInt(own);
                here[i] = own + i;
            }
            return new Wishes(own, owners, there, here);
        }

        int elements() {
            return owned + owners.length;
        }

        ExchangePattern links(Communicator communicator) {
            return ExchangePattern.asked(communicator, owners, there, here);
        }

        /** The value of a component of an element that has been brought. */
        int expected(int copy, int component) {
            return owners[copy] * 1000 + there[copy] + 100_000 * component;
        }
    }

    @ParameterizedTest
    @CsvSource({"1,9,false", "2,1,false", "2,40,true", "3,40,false", "5,70,true", "5,70,false"})
    void bringsEveryTypeAndLayout(int ranks, int own, boolean consecutive) {
        ThreadRanks.run(ranks, communicator -> {
            Wishes wishes = Wishes.of(communicator, "brings" + own, own, consecutive);
            ExchangePattern links = wishes.links(communicator);
            Exchange.Builder messages = Exchange.of(communicator, 3);
            HostStorage[] operands = new HostStorage[6];
            for (int i = 0; i < operands.length; i++) {
                ScalarType type = TYPES.get(i % TYPES.size());
                int components = 1 + i / 3 * 2;
                messages.part(i, links, components, type);
                operands[i] = HostStorage.zeros(type, wishes.elements() * components);
                for (int e = 0; e < own; e++) {
                    for (int c = 0; c < components; c++) {
                        operands[i].set(at(i, e, c, components, wishes.elements()),
                                communicator.rank() * 1000 + e + 100_000 * c);
                    }
                }
            }
            try (Exchange exchange = messages.open(ExchangeMemory.host(false))) {
                for (int i = 0; i < operands.length; i++) {
                    int components = 1 + i / 3 * 2;
                    boolean rows = i % 2 == 0;
                    exchange.bind(i, operands[i], rows ? components : 1, rows ? 1 : wishes.elements());
                }
                exchange.start();
                exchange.finish();
                for (int i = 0; i < operands.length; i++) {
                    int components = 1 + i / 3 * 2;
                    for (int copy = 0; copy < wishes.owners().length; copy++) {
                        for (int c = 0; c < components; c++) {
                            assertEquals(wishes.expected(copy, c),
                                    operands[i].get(at(i, own + copy, c, components, wishes.elements())));
                        }
                    }
                }
                assertEquals(1, exchange.count());
                assertEquals(links.neighbours(communicator.rank()), exchange.sends());
            }
            return null;
        });
    }

    /** Even operands have the components of an element side by side, odd ones a component of all elements. */
    private static int at(int operand, int element, int component, int components, int elements) {
        return operand % 2 == 0 ? element * components + component : component * elements + element;
    }

    @Test
    void bringsWholeNumbersInThePlaceOfDoubles() {
        ThreadRanks.run(3, communicator -> {
            Wishes wishes = Wishes.of(communicator, "longs", 30, false);
            ExchangePattern links = wishes.links(communicator);
            long[] values = new long[wishes.elements()];
            Arrays.setAll(values, e -> Long.MIN_VALUE + 1 + communicator.rank() * 1000L + e);
            try (Exchange exchange =
                    Exchange.of(communicator, 0).part(0, links, 1, ScalarType.F64).open(ExchangeMemory.host(false))) {
                exchange.bind(0, values);
                exchange.start();
                exchange.finish();
            }
            for (int copy = 0; copy < wishes.owners().length; copy++) {
                assertEquals(Long.MIN_VALUE + 1 + wishes.expected(copy, 0), values[30 + copy]);
            }
            return null;
        });
    }

    /** Own contributions first, then by rank: 1e16 + 1 − 1e16 is another sum in another order. */
    @ParameterizedTest
    @EnumSource
    void addsInTheOrderOfRanks(Precision precision) {
        ThreadRanks.run(4, communicator -> {
            int rank = communicator.rank();
            // All others have a copy of the element of rank 0.
            ExchangePattern links =
                    ExchangePattern.asked(communicator, new int[rank == 0 ? 0 : 1], new int[rank == 0 ? 0 : 1],
                            rank == 0 ? new int[0] : new int[]{1});
            double great = precision == Precision.F64 ? 1e16 : 1e8;
            double[] shares = {1, great, -great, 3};
            HostVector vector = HostVector.of(precision, 2, i -> i == (rank == 0 ? 0 : 1) ? shares[rank] : 0);
            HostVector result = HostVector.zeros(precision, 2);
            try (SumExchange sums = SumExchange.of(communicator, 0, ExchangeMemory.host(false), links, precision, 1)) {
                sums.start(HostStorage.on(vector));
                sums.finish(vector, result);
                assertEquals(rank == 0 ? 3 : 0, result.get(0));
                sums.start(HostStorage.on(vector));
                sums.finish(vector);
                assertEquals(rank == 0 ? 3 : 0, vector.get(0));
            }
            return null;
        });
    }

    @Test
    void refusesWhatIsMissing() {
        assertThrows(IllegalArgumentException.class, () -> ExchangePattern.of(new int[2][0], new int[1][0]));
        ThreadRanks.run(1, communicator -> {
            assertThrows(IllegalArgumentException.class,
                    () -> ExchangePattern.asked(communicator, new int[1], new int[2], new int[1]));
            try (Exchange exchange =
                    Exchange.of(communicator, 0).part(0, ExchangePattern.of(new int[1][0], new int[1][0]), 1,
                            ScalarType.INT).open(ExchangeMemory.host(false))) {
                assertTrue(exchange.isEmpty());
                assertThrows(IllegalStateException.class, exchange::pack);
                assertThrows(IllegalStateException.class, exchange::unpack);
            }
            return null;
        });
        ThreadRanks.run(2, communicator -> {
            int[][] places = {{0}, {0}};
            try (Exchange exchange =
                    Exchange.of(communicator, 0).part(0, ExchangePattern.of(places, places), 1, ScalarType.F64)
                            .open(ExchangeMemory.host(false))) {
                assertThrows(IllegalStateException.class, exchange::start);
            }
            assertArrayEquals(places[0], ExchangePattern.of(places, places).inOrder(1).receives(0));
            return null;
        });
    }

    @Test
    void allocatesNothing() {
        ThreadRanks.run(2, communicator -> {
            Wishes wishes = Wishes.of(communicator, "allocates", 50, false);
            HostVector vector = HostVector.zeros(Precision.F64, wishes.elements());
            try (Exchange exchange = Exchange.of(communicator, 0)
                    .part(0, wishes.links(communicator), 1, ScalarType.F64).timed().open(ExchangeMemory.host(false))) {
                Runnable call = () -> {
                    exchange.bind(0, vector);
                    exchange.start();
                    exchange.finish();
                };
                for (int i = 0; i < CALLS; i++) {
                    call.run();
                }
                com.sun.management.ThreadMXBean threads =
                        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < CALLS; i++) {
                    call.run();
                }
                assertTrue(threads.getCurrentThreadAllocatedBytes() - before < SLACK);
            }
            return null;
        });
    }
}
