package org.trellis.distributed.communicate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.distributed.communicate.RankGroup.Call;
import org.trellis.distributed.communicate.RankGroup.Operation;

/** The communicator of ranks that are threads of one process. */
final class ThreadCommunicator implements Communicator {
    private final RankGroup group;
    private final int rank;
    private long calls;
    private boolean closed;
    private boolean reducing;

    ThreadCommunicator(RankGroup group, int rank) {
        this.group = group;
        this.rank = rank;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return group.size();
    }

    @Override
    public String transport() {
        return "threads";
    }

    @Override
    public Duration patience() {
        return group.job().patience().duration();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the communicator of " + this + " is closed");
        }
    }

    private void requireFree() {
        requireOpen();
        if (reducing) {
            throw new IllegalStateException("a collective call of " + this + " while a reduction is under way, "
                    + "expected finish() first");
        }
    }

    @Override
    public SendChannel sendTo(int to, int tag, int bytes) {
        requireOpen();
        CommunicatorChecks.channel(this, to, tag, bytes);
        return channel(rank, to, tag, bytes).sender(bytes, group.member(to));
    }

    @Override
    public ReceiveChannel receiveFrom(int from, int tag, int bytes) {
        requireOpen();
        CommunicatorChecks.channel(this, from, tag, bytes);
        return channel(from, rank, tag, bytes).receiver(bytes, group.member(from));
    }

    private ThreadChannel channel(int from, int to, int tag, int bytes) {
        group.job().requireRunning();
        return group.job().channel(new ThreadJob.Route(group, group.member(from), group.member(to), tag), bytes);
    }

    @Override
    public void allReduce(Reduction reduction, double[] values) {
        requireFree();
        group.prepare(rank, ++calls, values);
        reduce(group.meet(rank, calls, Operation.REDUCE_DOUBLES, reduction, values.length), reduction, values);
    }

    @Override
    public PendingReduction startSum(double[] values) {
        requireFree();
        group.prepare(rank, ++calls, values);
        group.post(rank, calls, Operation.REDUCE_DOUBLES, Reduction.SUM, values.length);
        reducing = true;
        return this::finishSum;
    }

    private void finishSum(double[] values) {
        if (!reducing) {
            throw new IllegalStateException("a reduction of " + this + " was finished twice, expected once");
        }
        reducing = false;
        reduce(group.await(rank, calls), Reduction.SUM, values);
    }

    private static void reduce(Call[] all, Reduction reduction, double[] values) {
        System.arraycopy(all[0].doubles(), 0, values, 0, values.length);
        for (int r = 1; r < all.length; r++) {
            double[] other = all[r].doubles();
            for (int i = 0; i < values.length; i++) {
                values[i] = reduction.of(values[i], other[i]);
            }
        }
    }

    @Override
    public void allReduce(Reduction reduction, long[] values) {
        requireFree();
        group.prepare(rank, ++calls, values);
        Call[] all = group.meet(rank, calls, Operation.REDUCE_LONGS, reduction, values.length);
        System.arraycopy(all[0].longs(), 0, values, 0, values.length);
        for (int r = 1; r < all.length; r++) {
            long[] other = all[r].longs();
            for (int i = 0; i < values.length; i++) {
                values[i] = reduction.of(values[i], other[i]);
            }
        }
    }

    @Override
    public byte[] broadcast(int root, byte[] message) {
        requireFree();
        CommunicatorChecks.root(this, root);
        group.prepare(rank, ++calls, rank == root ? message.clone() : new byte[0]);
        Call[] all = group.meet(rank, calls, Operation.BROADCAST, root, 0);
        return rank == root ? message : all[root].messages()[0].clone();
    }

    @Override
    public byte[][] gather(int root, byte[] message) {
        requireFree();
        CommunicatorChecks.root(this, root);
        group.prepare(rank, ++calls, message.clone());
        Call[] all = group.meet(rank, calls, Operation.GATHER, root, 0);
        byte[][] received = new byte[rank == root ? all.length : 0][];
        for (int r = 0; r < received.length; r++) {
            received[r] = all[r].messages()[0];
        }
        return received;
    }

    @Override
    public byte[][] exchange(byte[][] messages) {
        requireFree();
        CommunicatorChecks.messages(this, messages);
        byte[][] copies = new byte[messages.length][];
        for (int r = 0; r < copies.length; r++) {
            copies[r] = messages[r] == null ? new byte[0] : messages[r].clone();
        }
        group.prepare(rank, ++calls, copies);
        Call[] all = group.meet(rank, calls, Operation.EXCHANGE, Operation.EXCHANGE, 0);
        byte[][] received = new byte[all.length][];
        for (int r = 0; r < received.length; r++) {
            received[r] = all[r].messages()[rank];
        }
        return received;
    }

    @Override
    public void barrier() {
        requireFree();
        group.meet(rank, ++calls, Operation.BARRIER, Operation.BARRIER, 0);
    }

    @Override
    public Communicator split(int colour, int key) {
        requireFree();
        CommunicatorChecks.colour(colour);
        group.prepare(rank, ++calls, new long[]{colour, key});
        Call[] all = group.meet(rank, calls, Operation.SPLIT, Operation.SPLIT, 0);
        List<Integer> ranks = new ArrayList<>();
        for (int r = 0; r < all.length; r++) {
            if (all[r].longs()[0] == colour) {
                ranks.add(r);
            }
        }
        ranks.sort(Comparator.comparingLong(r -> all[r].longs()[1]));
        List<Integer> members = ranks.stream().map(group::member).toList();
        return new ThreadCommunicator(group.job().division(group, calls, colour, members), ranks.indexOf(rank));
    }

    /** Makes what all ranks of the group see. Called by all. */
    PublishedValues bulletin(int owner) {
        requireFree();
        group.meet(rank, ++calls, Operation.BULLETIN, owner, 0);
        int[] members = IntStream.range(0, size()).map(group::member).toArray();
        return group.job().bulletin(group, calls, members, owner);
    }

    @Override
    public JobFailedException abort(String reason) {
        throw group.job().fail("rank " + group.member(rank) + " aborted it: " + reason, null);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + size() + " (threads)";
    }
}
