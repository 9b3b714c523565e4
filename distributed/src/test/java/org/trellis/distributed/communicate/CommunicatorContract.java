package org.trellis.distributed.communicate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What every transport does; each check runs on all ranks of any number. */
final class CommunicatorContract {
    private static final Map<String, Consumer<Communicator>> CHECKS = checks();

    private CommunicatorContract() {}

    private static Map<String, Consumer<Communicator>> checks() {
        Map<String, Consumer<Communicator>> checks = new LinkedHashMap<>();
        checks.put("identity", CommunicatorContract::identity);
        checks.put("channels carry messages in order", CommunicatorContract::channels);
        checks.put("channels of several tags do not mix", CommunicatorContract::tags);
        checks.put("channels refuse wrong calls", CommunicatorContract::wrongCalls);
        checks.put("long messages", CommunicatorContract::longMessages);
        checks.put("sums", CommunicatorContract::sums);
        checks.put("minima and maxima", CommunicatorContract::extremes);
        checks.put("long reductions", CommunicatorContract::longReductions);
        checks.put("sums have the same bits everywhere", CommunicatorContract::sameBits);
        checks.put("sums that are waited for later", CommunicatorContract::laterSums);
        checks.put("broadcast", CommunicatorContract::broadcast);
        checks.put("gather", CommunicatorContract::gather);
        checks.put("exchange", CommunicatorContract::exchange);
        checks.put("barrier", CommunicatorContract::barrier);
        checks.put("split", CommunicatorContract::split);
        checks.put("many collectives in a row", CommunicatorContract::manyCollectives);
        return checks;
    }

    static Iterable<String> names() {
        return CHECKS.keySet();
    }

    static void check(String name, Communicator communicator) {
        CHECKS.get(name).accept(communicator);
    }

    private static void identity(Communicator communicator) {
        assertTrue(communicator.size() >= 1);
        assertTrue(communicator.rank() >= 0 && communicator.rank() < communicator.size());
        assertTrue(communicator.patience().isPositive());
        long[] ranks = communicator.gatherNumbers(communicator.rank());
        for (int rank = 0; rank < ranks.length; rank++) {
            assertEquals(rank, ranks[rank]);
        }
    }

    /** Around a ring; with one rank there is no other to talk to. */
    private static void channels(Communicator communicator) {
        int size = communicator.size();
        if (size == 1) {
            return;
        }
        int next = (communicator.rank() + 1) % size;
        int previous = (communicator.rank() + size - 1) % size;
        SendChannel out = communicator.sendTo(next, 1, 3 * Long.BYTES);
        ReceiveChannel in = communicator.receiveFrom(previous, 1, 3 * Long.BYTES);
        assertSame(out.buffer(), out.buffer());
        for (int message = 0; message < 50; message++) {
            in.start();
            out.await();
            out.buffer().putLong(0, communicator.rank()).putLong(8, message).putLong(16, -message);
            out.start();
            in.await();
            assertEquals(previous, in.buffer().getLong(0));
            assertEquals(message, in.buffer().getLong(8));
            assertEquals(-message, in.buffer().getLong(16));
            in.release();
        }
        out.await();
        assertEquals(50, out.messages());
    }

    private static void tags(Communicator communicator) {
        int size = communicator.size();
        int rank = communicator.rank();
        SendChannel[][] out = new SendChannel[size][2];
        ReceiveChannel[][] in = new ReceiveChannel[size][2];
        for (int peer = 0; peer < size; peer++) {
            for (int tag = 0; tag < 2 && peer != rank; tag++) {
                in[peer][tag] = communicator.receiveFrom(peer, 7 + tag, 4 + 4 * tag);
                in[peer][tag].start();
            }
        }
        for (int tag = 1; tag >= 0; tag--) {
            for (int peer = 0; peer < size; peer++) {
                if (peer != rank) {
                    out[peer][tag] = communicator.sendTo(peer, 7 + tag, 4 + 4 * tag);
                    out[peer][tag].buffer().putInt(4 * tag, 100 * rank + 10 * peer + tag);
                    out[peer][tag].start();
                }
            }
        }
        for (int peer = 0; peer < size; peer++) {
            for (int tag = 0; tag < 2 && peer != rank; tag++) {
                in[peer][tag].await();
                assertEquals(100 * peer + 10 * rank + tag, in[peer][tag].buffer().getInt(4 * tag));
                in[peer][tag].release();
                out[peer][tag].await();
            }
        }
    }

    private static void wrongCalls(Communicator communicator) {
        int size = communicator.size();
        assertThrows(IllegalArgumentException.class, () -> communicator.sendTo(size, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> communicator.receiveFrom(-1, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> communicator.sendTo(communicator.rank(), 0, 8));
        assertThrows(IllegalArgumentException.class, () -> communicator.broadcast(size, new byte[1]));
        assertThrows(IllegalArgumentException.class, () -> communicator.exchange(new byte[size + 1][]));
        assertThrows(IllegalArgumentException.class, () -> communicator.split(-1, 0));
        if (size == 1) {
            return;
        }
        int next = (communicator.rank() + 1) % size;
        int previous = (communicator.rank() + size - 1) % size;
        assertThrows(IllegalArgumentException.class, () -> communicator.sendTo(next, -1, 8));
        assertThrows(IllegalArgumentException.class, () -> communicator.sendTo(next, 40_000, 8));
        assertThrows(IllegalArgumentException.class, () -> communicator.sendTo(next, 0, 0));
        SendChannel out = communicator.sendTo(next, 20, 8);
        ReceiveChannel in = communicator.receiveFrom(previous, 20, 8);
        assertThrows(IllegalStateException.class, () -> communicator.sendTo(next, 20, 8));
        assertThrows(IllegalStateException.class, () -> communicator.receiveFrom(previous, 20, 8));
        assertThrows(IllegalStateException.class, in::await);
        assertThrows(IllegalStateException.class, in::release);
        in.start();
        assertThrows(IllegalStateException.class, in::start);
        out.start();
        assertThrows(IllegalStateException.class, out::start);
        in.await();
        assertThrows(IllegalStateException.class, in::start);
        in.release();
        out.await();
    }

    private static void longMessages(Communicator communicator) {
        int size = communicator.size();
        if (size == 1) {
            return;
        }
        int bytes = 3_000_000;
        int next = (communicator.rank() + 1) % size;
        int previous = (communicator.rank() + size - 1) % size;
        SendChannel out = communicator.sendTo(next, 3, bytes);
        ReceiveChannel in = communicator.receiveFrom(previous, 3, bytes);
        byte[] expected = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            out.buffer().put(i, (byte) (i * 31 + communicator.rank()));
            expected[i] = (byte) (i * 31 + previous);
        }
        in.start();
        out.start();
        in.await();
        byte[] received = new byte[bytes];
        in.buffer().get(0, received);
        in.release();
        out.await();
        assertArrayEquals(expected, received);
    }

    private static void sums(Communicator communicator) {
        int size = communicator.size();
        for (int length : new int[]{0, 1, 5, 6, 7, 300}) {
            double[] values = new double[length];
            Arrays.setAll(values, i -> communicator.rank() + 0.5 * i);
            communicator.allReduce(Reduction.SUM, values);
            for (int i = 0; i < length; i++) {
                assertEquals(size * (size - 1) / 2.0 + 0.5 * i * size, values[i]);
            }
        }
    }

    /** Whatever else a rank does between, sums are those of all, with the bits of sums that are waited for at once. */
    private static void laterSums(Communicator communicator) {
        int size = communicator.size();
        for (int turn = 0; turn < 20; turn++) {
            // More than travel with an agreement of ranks, every other time.
            double[] values = new double[turn % 2 == 0 ? 3 : 9];
            for (int i = 0; i < values.length; i++) {
                values[i] = 1 / (1.0 + communicator.rank() + 10 * i + turn);
            }
            double[] expected = values.clone();
            communicator.allReduce(Reduction.SUM, expected);
            PendingReduction pending = communicator.startSum(values);
            double own = values[0];
            values[0] = Double.NaN;
            assertEquals(1 / (1.0 + communicator.rank() + turn), own);
            double[] sums = new double[values.length];
            pending.finish(sums);
            assertArrayEquals(expected, sums, size == 1 ? 0 : 1e-15 * size);
        }
    }

    private static void extremes(Communicator communicator) {
        double[] values = {communicator.rank(), -communicator.rank()};
        communicator.allReduce(Reduction.MAX, values);
        assertArrayEquals(new double[]{communicator.size() - 1, 0}, values);
        double[] others = {communicator.rank(), -communicator.rank()};
        communicator.allReduce(Reduction.MIN, others);
        assertArrayEquals(new double[]{0, 1 - communicator.size()}, others);
    }

    private static void longReductions(Communicator communicator) {
        long huge = 1L << 55;
        int size = communicator.size();
        assertEquals(size * huge + size * (size - 1L) / 2, communicator.sum(huge + communicator.rank()));
        assertEquals(huge + size - 1, communicator.greatest(huge + communicator.rank()));
        long[] values = {huge - communicator.rank(), communicator.rank()};
        communicator.allReduce(Reduction.MIN, values);
        assertArrayEquals(new long[]{huge - size + 1, 0}, values);
    }

    private static void sameBits(Communicator communicator) {
        double[] first = {Math.pow(1.37, communicator.rank()) * 1e-3};
        double[] second = first.clone();
        communicator.allReduce(Reduction.SUM, first);
        communicator.allReduce(Reduction.SUM, second);
        assertEquals(first[0], second[0]);
        long[] bits = communicator.gatherNumbers(Double.doubleToRawLongBits(first[0]));
        for (long other : bits) {
            assertEquals(bits[0], other);
        }
    }

    private static void broadcast(Communicator communicator) {
        for (int root = 0; root < communicator.size(); root++) {
            byte[] sent = ("from " + root).getBytes(StandardCharsets.UTF_8);
            byte[] given = communicator.rank() == root ? sent.clone() : null;
            assertArrayEquals(sent, communicator.broadcast(root, given));
        }
        byte[] nothing = communicator.broadcast(0, communicator.rank() == 0 ? new byte[0] : null);
        assertEquals(0, nothing.length);
    }

    private static void gather(Communicator communicator) {
        int root = communicator.size() - 1;
        byte[] own = new byte[3 * communicator.rank()];
        Arrays.fill(own, (byte) communicator.rank());
        byte[][] all = communicator.gather(root, own);
        assertEquals(communicator.rank() == root ? communicator.size() : 0, all.length);
        for (int rank = 0; rank < all.length; rank++) {
            byte[] expected = new byte[3 * rank];
            Arrays.fill(expected, (byte) rank);
            assertArrayEquals(expected, all[rank]);
        }
    }

    private static void exchange(Communicator communicator) {
        int size = communicator.size();
        int rank = communicator.rank();
        byte[][] messages = new byte[size][];
        for (int to = 0; to < size; to++) {
            messages[to] = (rank + to) % 3 == 0 ? null : new byte[rank + 2 * to];
            if (messages[to] != null) {
                Arrays.fill(messages[to], (byte) (10 * rank + to));
            }
        }
        byte[][] received = communicator.exchange(messages);
        for (int from = 0; from < size; from++) {
            byte[] expected = new byte[(rank + from) % 3 == 0 ? 0 : from + 2 * rank];
            Arrays.fill(expected, (byte) (10 * from + rank));
            assertArrayEquals(expected, received[from]);
        }
    }

    private static void barrier(Communicator communicator) {
        for (int i = 0; i < 20; i++) {
            communicator.barrier();
        }
    }

    /** Even and odd ranks apart, the last first. */
    private static void split(Communicator communicator) {
        int rank = communicator.rank();
        try (Communicator half = communicator.split(rank % 2, -rank)) {
            int expected = (communicator.size() + 1 - rank % 2) / 2;
            assertEquals(expected, half.size());
            assertEquals(expected - 1 - rank / 2, half.rank());
            assertEquals(half.size(), half.sum(1));
            long[] ranks = half.gatherNumbers(rank);
            for (int i = 1; i < ranks.length; i++) {
                assertEquals(ranks[i - 1] - 2, ranks[i]);
            }
            channels(half);
        }
        assertEquals(communicator.size(), communicator.sum(1));
    }

    private static void manyCollectives(Communicator communicator) {
        int size = communicator.size();
        double[] values = new double[2];
        for (int i = 0; i < 300; i++) {
            values[0] = i;
            values[1] = communicator.rank();
            communicator.allReduce(i % 2 == 0 ? Reduction.SUM : Reduction.MAX, values);
            assertEquals(i % 2 == 0 ? (double) size * i : i, values[0]);
            if (i % 50 == 0) {
                communicator.barrier();
                communicator.broadcast(i % size, new byte[i]);
            }
        }
    }
}
