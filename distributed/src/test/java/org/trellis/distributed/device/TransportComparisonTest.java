package org.trellis.distributed.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;

/** The choice among transports of messages, with stand-ins whose times are known, and over threads. */
class TransportComparisonTest {
    private static final List<Integer> SIZES = List.of(8, 65536, 4 << 20);

    /** Takes as long as a network of its latency and bandwidth would. */
    private record Simulated(String name, double latency, double bandwidth) implements MessageTransport {
        @Override
        @MustBeClosed
        public Trip open(Communicator communicator, int tag, int bytes) {
            long nanoseconds = (long) (1e9 * (latency + bytes / bandwidth));
            return new Trip() {
                @Override
                public void run() {
                    for (long end = System.nanoTime() + nanoseconds; System.nanoTime() < end;) {
                        Thread.onSpinWait();
                    }
                }

                @Override
                public void close() {
                    // Nothing is open.
                }
            };
        }
    }

    @Test
    void fastestDependsOnTheSize() {
        MessageTransport quick = new Simulated("quick", 2e-5, 1e9);
        MessageTransport wide = new Simulated("wide", 3e-4, 1e11);
        List<TransportComparison> measured = ThreadRanks.run(2,
                communicator -> TransportComparison.measure(communicator, 100, List.of(wide, quick), SIZES));
        TransportComparison times = measured.getFirst();
        assertEquals(times.lines(), measured.getLast().lines(), "all ranks choose alike");
        assertEquals("quick", times.fastest(8), times::toString);
        assertEquals("quick", times.fastest(500), times::toString);
        assertEquals("wide", times.fastest(4 << 20), times::toString);
        assertEquals("wide", times.fastest(1 << 30), times::toString);
        assertTrue(times.latency("quick") >= 2e-5 && times.latency("wide") >= 3e-4, times::toString);
        assertTrue(times.bandwidth("quick") < times.bandwidth("wide"), times::toString);
        assertTrue(times.toString().contains("taken: 8 B quick"), times::toString);
    }

    @Test
    void channelsOfRanksAreAWay() {
        ThreadRanks.run(3, communicator -> {
            TransportComparison times =
                    TransportComparison.measure(communicator, 7, List.of(new ChannelTransport()), List.of(8, 8192));
            assertEquals("channel", times.fastest(100));
            assertEquals(2, times.times().size());
            return null;
        });
    }

    @Test
    void timesAreKeptAsText() {
        TransportComparison times =
                TransportComparison
                        .parse(List.of("direct 8192 1e-5", "direct 8 5e-6", "staged 8 2e-5", "staged 8192 9e-6"));
        assertEquals(times.lines(), TransportComparison.parse(times.lines()).lines());
        assertEquals("direct", times.fastest(100));
        assertEquals("staged", times.fastest(300));
        assertEquals(5e-6, times.latency("direct"));
        assertEquals(8184 / 5e-6, times.bandwidth("direct"), 1e-3 / 5e-6);
        assertEquals(Double.POSITIVE_INFINITY, times.bandwidth("staged"));
    }

    private static void refused(String part, Runnable work) {
        String message = assertThrows(IllegalArgumentException.class, work::run).getMessage();
        assertTrue(message.contains(part), message);
    }

    @Test
    void whatIsWrongIsRefused() {
        refused("a time of messages is 'direct 8'", () -> TransportComparison.parse(List.of("direct 8")));
        refused("a time of messages is 'direct x 1'", () -> TransportComparison.parse(List.of("direct x 1")));
        refused("takes -1.0 s", () -> TransportComparison.parse(List.of("direct 8 -1")));
        refused("bytes of a message by transport direct is 0", () -> TransportComparison.parse(List.of("direct 0 1")));
        refused("no transport of messages was measured", () -> TransportComparison.parse(List.of()));
        refused("by transport 'other'", () -> TransportComparison.parse(List.of("direct 8 1")).latency("other"));
        refused("bytes of a message", () -> TransportComparison.parse(List.of("direct 8 1")).fastest(0));
        ThreadRanks.run(1, communicator -> {
            refused("on one rank",
                    () -> TransportComparison.measure(communicator, 0, List.of(new ChannelTransport()), SIZES));
            return null;
        });
        ThreadRanks.run(2, communicator -> {
            refused("messages of 12 bytes",
                    () -> TransportComparison.measure(communicator, 0, List.of(new ChannelTransport()),
                            List.of(12)));
            return null;
        });
    }
}
