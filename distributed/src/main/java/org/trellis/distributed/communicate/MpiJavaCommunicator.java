package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The communicator of ranks over an {@code mpi} package. Collective operations are made of messages between two ranks,
 * so that waiting has an end, whatever the library does: all send what they call, and their data, to the first rank of
 * the group, which compares the calls, combines in the order of ranks, and answers all. That takes as many messages one
 * after the other as there are ranks; jobs of many ranks are for transport {@code mpi}.
 *
 * <p>A message of the library's is a length of eight bytes, and then the data in another, since a receiver must know
 * how much comes. The tag of a message has the group, whether it is a channel's, and the channel's tag.
 */
final class MpiJavaCommunicator implements Communicator {
    private static final int CONTEXT_BITS = 16;
    private static final int COLLECTIVE = 1 << 15;
    private static final int MOST_CONTEXTS = 1 << 14;

    private final MpiJavaJob job;
    private final List<Integer> members;
    private final int context;
    private final int rank;
    private final Map<String, MpiJavaChannel> channels = new HashMap<>();
    private boolean closed;

    /**
     * Makes a group.
     *
     * @param job     the job
     * @param members world ranks by rank of the group
     * @param context a number that distinguishes the group's messages from those of others with the same members
     */
    MpiJavaCommunicator(MpiJavaJob job, List<Integer> members, int context) {
        this.job = job;
        this.members = List.copyOf(members);
        this.context = context;
        this.rank = members.indexOf(job.dialect().rank());
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return members.size();
    }

    @Override
    public String transport() {
        return "mpiJava (" + job.dialect().label() + ")";
    }

    @Override
    public Duration patience() {
        return job.patience().duration();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the communicator of " + this + " is closed");
        }
    }

    private int tag(int within) {
        return context << CONTEXT_BITS | within;
    }

    @Override
    public SendChannel sendTo(int to, int tag, int bytes) {
        requireOpen();
        CommunicatorChecks.channel(this, to, tag, bytes);
        return open(false, rank, to, tag, bytes);
    }

    @Override
    public ReceiveChannel receiveFrom(int from, int tag, int bytes) {
        requireOpen();
        CommunicatorChecks.channel(this, from, tag, bytes);
        return open(true, from, rank, tag, bytes);
    }

    private MpiJavaChannel open(boolean receives, int from, int to, int tag, int bytes) {
        String name = "channel from rank " + from + " to rank " + to + " with tag " + tag;
        if (channels.containsKey(name)) {
            throw new IllegalStateException("the " + (receives ? "receiver" : "sender") + "'s end of the " + name
                    + " is open already");
        }
        MpiJavaChannel channel =
                new MpiJavaChannel(job, receives, members.get(receives ? from : to), tag(tag), bytes, name);
        channels.put(name, channel);
        return channel;
    }

    /** Combines what all ranks brought; runs on the first rank. */
    private interface Combination {
        /** Returns the answer to each rank. */
        byte[][] combine(byte[][] brought);
    }

    /** Brings the data of all ranks together, and the answers back, if all call the same. */
    private byte[] meet(String call, byte[] own, Combination combination) {
        requireOpen();
        if (rank > 0) {
            byte[] name = call.getBytes(StandardCharsets.UTF_8);
            transfer(ByteBuffer.allocate(Math.addExact(Integer.BYTES + name.length, own.length)).putInt(name.length)
                    .put(name).put(own).array(), 0, call);
            return receive(0, call);
        }
        byte[][] brought = new byte[size()][];
        brought[0] = own;
        for (int r = 1; r < brought.length; r++) {
            ByteBuffer message = ByteBuffer.wrap(receive(r, call));
            byte[] other = new byte[message.getInt()];
            message.get(other);
            String otherCall = new String(other, StandardCharsets.UTF_8);
            if (!otherCall.equals(call)) {
                throw job.fail("ranks called different collective operations: rank 0 " + call + ", rank " + r + " "
                        + otherCall);
            }
            brought[r] = new byte[message.remaining()];
            message.get(brought[r]);
        }
        byte[][] answers = combination.combine(brought);
        for (int r = 1; r < answers.length; r++) {
            transfer(answers[r], r, call);
        }
        return answers[0];
    }

    private void transfer(byte[] data, int to, String call) {
        MpiJavaDialect dialect = job.dialect();
        int world = members.get(to);
        ByteBuffer length = dialect.allocate(Long.BYTES);
        length.putLong(0, data.length);
        Object first = dialect.send(length, Long.BYTES, world, tag(COLLECTIVE));
        Object second = null;
        if (data.length > 0) {
            ByteBuffer message = dialect.allocate(data.length);
            message.put(0, data);
            second = dialect.send(message, data.length, world, tag(COLLECTIVE));
        }
        String what = this + " sending to rank " + to + " in " + call;
        job.await(first, what);
        if (second != null) {
            job.await(second, what);
        }
    }

    private byte[] receive(int from, String call) {
        MpiJavaDialect dialect = job.dialect();
        int world = members.get(from);
        String what = this + " receiving from rank " + from + " in " + call;
        ByteBuffer length = dialect.allocate(Long.BYTES);
        job.await(dialect.receive(length, Long.BYTES, world, tag(COLLECTIVE)), what);
        byte[] data = new byte[(int) length.getLong(0)];
        if (data.length > 0) {
            ByteBuffer message = dialect.allocate(data.length);
            job.await(dialect.receive(message, data.length, world, tag(COLLECTIVE)), what);
            message.get(0, data);
        }
        return data;
    }

    private byte[][] forAll(byte[] answer) {
        byte[][] answers = new byte[size()][];
        Arrays.fill(answers, answer);
        return answers;
    }

    @Override
    public void allReduce(Reduction reduction, double[] values) {
        int bytes = values.length * Double.BYTES;
        ByteBuffer own = ByteBuffer.allocate(bytes);
        own.asDoubleBuffer().put(values);
        byte[] result = meet("all-reduce of doubles by " + reduction + " of " + values.length + " elements",
                own.array(), brought -> {
                    ByteBuffer sum = ByteBuffer.wrap(brought[0].clone());
                    for (int r = 1; r < brought.length; r++) {
                        ByteBuffer other = ByteBuffer.wrap(brought[r]);
                        for (int at = 0; at < bytes; at += Double.BYTES) {
                            sum.putDouble(at, reduction.of(sum.getDouble(at), other.getDouble(at)));
                        }
                    }
                    return forAll(sum.array());
                });
        ByteBuffer.wrap(result).asDoubleBuffer().get(values);
    }

    @Override
    public void allReduce(Reduction reduction, long[] values) {
        int bytes = values.length * Long.BYTES;
        ByteBuffer own = ByteBuffer.allocate(bytes);
        own.asLongBuffer().put(values);
        byte[] result = meet("all-reduce of longs by " + reduction + " of " + values.length + " elements",
                own.array(), brought -> {
                    ByteBuffer sum = ByteBuffer.wrap(brought[0].clone());
                    for (int r = 1; r < brought.length; r++) {
                        ByteBuffer other = ByteBuffer.wrap(brought[r]);
                        for (int at = 0; at < bytes; at += Long.BYTES) {
                            sum.putLong(at, reduction.of(sum.getLong(at), other.getLong(at)));
                        }
                    }
                    return forAll(sum.array());
                });
        ByteBuffer.wrap(result).asLongBuffer().get(values);
    }

    @Override
    public byte[] broadcast(int root, byte[] message) {
        CommunicatorChecks.root(this, root);
        byte[] own = rank == root ? message : new byte[0];
        byte[] result = meet("broadcast from rank " + root, own, brought -> forAll(brought[root]));
        return rank == root ? message : result;
    }

    @Override
    public byte[][] gather(int root, byte[] message) {
        CommunicatorChecks.root(this, root);
        byte[] result = meet("gather to rank " + root, message, brought -> {
            byte[][] answers = forAll(new byte[0]);
            answers[root] = join(brought);
            return answers;
        });
        return rank == root ? part(result) : new byte[0][];
    }

    @Override
    public byte[][] exchange(byte[][] messages) {
        CommunicatorChecks.messages(this, messages);
        byte[] result = meet("exchange", join(messages), brought -> {
            byte[][][] all = new byte[size()][][];
            for (int r = 0; r < all.length; r++) {
                all[r] = part(brought[r]);
            }
            byte[][] answers = new byte[size()][];
            for (int to = 0; to < answers.length; to++) {
                byte[][] forOne = new byte[size()][];
                for (int from = 0; from < forOne.length; from++) {
                    forOne[from] = all[from][to];
                }
                answers[to] = join(forOne);
            }
            return answers;
        });
        return part(result);
    }

    /** Writes several messages behind one another, each with its length. */
    private static byte[] join(byte[][] messages) {
        long total = 0;
        for (byte[] message : messages) {
            total += Integer.BYTES + (message == null ? 0 : message.length);
        }
        ByteBuffer joined = ByteBuffer.allocate(Math.toIntExact(total));
        for (byte[] message : messages) {
            joined.putInt(message == null ? 0 : message.length);
            joined.put(message == null ? new byte[0] : message);
        }
        return joined.array();
    }

    private byte[][] part(byte[] joined) {
        ByteBuffer buffer = ByteBuffer.wrap(joined);
        byte[][] messages = new byte[size()][];
        for (int r = 0; r < messages.length; r++) {
            messages[r] = new byte[buffer.getInt()];
            buffer.get(messages[r]);
        }
        return messages;
    }

    @Override
    public void barrier() {
        meet("barrier", new byte[0], brought -> forAll(new byte[0]));
    }

    @Override
    public Communicator split(int colour, int key) {
        CommunicatorChecks.colour(colour);
        byte[] own = ByteBuffer.allocate(3 * Integer.BYTES).putInt(colour).putInt(key).putInt(job.nextContext())
                .array();
        ByteBuffer all = ByteBuffer.wrap(meet("split", own, brought -> {
            ByteBuffer joined = ByteBuffer.allocate(brought.length * 3 * Integer.BYTES);
            for (byte[] one : brought) {
                joined.put(one);
            }
            return forAll(joined.array());
        }));
        record Asked(int rank, int colour, int key) {}
        List<Asked> asked = new ArrayList<>();
        int next = 0;
        for (int r = 0; r < size(); r++) {
            asked.add(new Asked(r, all.getInt(), all.getInt()));
            next = Math.max(next, all.getInt());
        }
        if (next >= MOST_CONTEXTS) {
            throw job.fail(this + " is to be divided for the " + next + "th time, expected fewer");
        }
        job.useContext(next);
        List<Integer> group = asked.stream().filter(one -> one.colour == colour)
                .sorted(Comparator.comparingInt(Asked::key).thenComparingInt(Asked::rank))
                .map(one -> members.get(one.rank)).toList();
        return new MpiJavaCommunicator(job, group, next);
    }

    @Override
    public JobFailedException abort(String reason) {
        throw job.fail("rank " + rank + " aborted it: " + reason);
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + size() + " (mpiJava)";
    }
}
