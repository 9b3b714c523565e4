package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.RowRanges;

/**
 * Numbers the nodes that begin aggregates in their global order. Blocks of consecutive nodes are with one rank each,
 * which sorts those that are there.
 */
final class RootNumbers {
    private final Communicator communicator;
    private final RowRanges ranges;
    /** What this rank keeps, set by set: nodes in their order, their ranks, and the number of the first. */
    private final List<Set> sets = new ArrayList<>();
    private long count;

    /** The nodes of one set. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Set(long[] nodes, int[] ranks, long first) {}

    RootNumbers(Communicator communicator, long nodes) {
        this.communicator = communicator;
        this.ranges = new RowRanges(nodes, communicator.size());
    }

    /** Numbers further nodes after those that have numbers. Collective. */
    void add(long[] roots) {
        byte[][] received = communicator.exchange(byBlock(roots));
        int size = Arrays.stream(received).mapToInt(message -> message.length / Long.BYTES).sum();
        long ranks = received.length;
        long[] pairs = new long[size];
        int at = 0;
        for (int rank = 0; rank < received.length; rank++) {
            Packet packet = Packet.of(received[rank]);
            while (packet.hasMore()) {
                pairs[at++] = packet.getLong() * ranks + rank;
            }
        }
        Arrays.sort(pairs);
        int[] from = new int[size];
        for (int i = 0; i < size; i++) {
            from[i] = (int) (pairs[i] % ranks);
            pairs[i] /= ranks;
        }
        long[] sizes = communicator.gatherNumbers(size);
        long before = Arrays.stream(sizes, 0, communicator.rank()).sum();
        sets.add(new Set(pairs, from, count + before));
        count += Arrays.stream(sizes).sum();
    }

    private byte[][] byBlock(long[] nodes) {
        Packet[] packets = new Packet[communicator.size()];
        Arrays.setAll(packets, rank -> new Packet());
        for (long node : nodes) {
            packets[ranges.blockOf(node)].put(node);
        }
        byte[][] messages = new byte[packets.length][];
        Arrays.setAll(messages, rank -> packets[rank].toBytes());
        return messages;
    }

    /** Returns how many nodes have numbers, on all ranks. */
    long count() {
        return count;
    }

    /**
     * Finds numbers and ranks. Collective.
     *
     * @param roots nodes that were numbered
     * @return the number and the rank of each, one after the other
     */
    long[] find(long[] roots) {
        byte[][] asked = communicator.exchange(byBlock(roots));
        byte[][] answers = new byte[asked.length][];
        for (int rank = 0; rank < asked.length; rank++) {
            Packet question = Packet.of(asked[rank]);
            Packet answer = new Packet();
            while (question.hasMore()) {
                answer(question.getLong(), answer);
            }
            answers[rank] = answer.toBytes();
        }
        byte[][] answered = communicator.exchange(answers);
        Packet[] readers = new Packet[answered.length];
        Arrays.setAll(readers, rank -> Packet.of(answered[rank]));
        long[] found = new long[2 * roots.length];
        for (int i = 0; i < roots.length; i++) {
            Packet reader = readers[ranges.blockOf(roots[i])];
            found[2 * i] = reader.getLong();
            found[2 * i + 1] = reader.getLong();
        }
        return found;
    }

    private void answer(long node, Packet answer) {
        for (Set set : sets) {
            int place = Arrays.binarySearch(set.nodes(), node);
            if (place >= 0) {
                answer.put(set.first() + place).put((long) set.ranks()[place]);
                return;
            }
        }
        throw new IllegalStateException("node " + node + " began no aggregate, expected one that has a number");
    }
}
