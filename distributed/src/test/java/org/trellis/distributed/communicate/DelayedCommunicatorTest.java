package org.trellis.distributed.communicate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Late messages are the same messages, and late. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DelayedCommunicatorTest {
    private static final double GIGABYTE = 1e9;

    static Iterable<String> checks() {
        return CommunicatorContract.names();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("checks")
    void contract(String check) {
        ThreadRanks.run(3, communicator -> {
            CommunicatorContract.check(check,
                    new DelayedCommunicator(communicator, Duration.ofNanos(20_000), GIGABYTE));
            return null;
        });
    }

    /** Ten messages there and ten back, one after the other, are twenty latencies; two at once are one. */
    @Test
    void messagesTakeTheirTime() {
        long latency = 2_000_000;
        ThreadRanks.run(2, inner -> {
            Communicator communicator = new DelayedCommunicator(inner, Duration.ofNanos(latency), GIGABYTE);
            int peer = 1 - communicator.rank();
            SendChannel out = communicator.sendTo(peer, 1, 12);
            ReceiveChannel in = communicator.receiveFrom(peer, 1, 12);
            // Before the barrier, which takes a latency more, so that the other one has sent nothing yet.
            long began = System.nanoTime();
            communicator.barrier();
            for (int i = 0; i < 10; i++) {
                in.start();
                out.await();
                out.buffer().putInt(8, i);
                out.start();
                in.await();
                assertEquals(i, in.buffer().getInt(8));
                in.release();
            }
            long took = System.nanoTime() - began;
            assertTrue(took >= 11 * latency, () -> "10 exchanges took " + took + " ns");
            return null;
        });
    }

    /** A sum arrives two messages' time after the last of four ranks has sent its share, however long one computes. */
    @Test
    void sumsTravelWhileARankComputes() {
        long latency = 30_000_000;
        ThreadRanks.run(4, inner -> {
            Communicator communicator = new DelayedCommunicator(inner, Duration.ofNanos(latency), GIGABYTE);
            inner.barrier();
            long began = System.nanoTime();
            PendingReduction pending = communicator.startSum(new double[]{communicator.rank()});
            assertThrows(IllegalStateException.class, () -> communicator.allReduce(Reduction.SUM, new double[1]));
            double[] sum = new double[1];
            pending.finish(sum);
            assertEquals(6, sum[0]);
            assertTrue(System.nanoTime() - began >= 2 * latency, "after two messages");
            assertThrows(IllegalStateException.class, () -> pending.finish(sum));
            return null;
        });
    }

    @Test
    void bandwidthCounts() {
        ThreadRanks.run(2, inner -> {
            Communicator communicator = new DelayedCommunicator(inner, Duration.ZERO, 1e6);
            // Before the barrier, so that nothing has been sent yet.
            long began = System.nanoTime();
            communicator.barrier();
            if (communicator.rank() == 0) {
                communicator.sendTo(1, 1, 20_000).start();
            } else {
                ReceiveChannel in = communicator.receiveFrom(0, 1, 20_000);
                in.start();
                in.await();
                in.release();
                assertTrue(System.nanoTime() - began >= 20_000_000, "20 kB at 1 MB/s");
            }
            communicator.barrier();
            return null;
        });
    }

    @Test
    void nonsenseIsRefused() {
        ThreadRanks.run(1, communicator -> {
            assertThrows(IllegalArgumentException.class,
                    () -> new DelayedCommunicator(communicator, Duration.ofNanos(-1), GIGABYTE));
            assertThrows(IllegalArgumentException.class,
                    () -> new DelayedCommunicator(communicator, Duration.ZERO, 0));
            return null;
        });
    }
}
