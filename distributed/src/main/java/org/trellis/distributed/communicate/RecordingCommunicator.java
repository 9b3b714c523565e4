package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A communicator that notes on a timeline when its rank waits for messages and combines numbers, and counts what it
 * sends. Code that computes over it finds the timeline by {@link #timeline} and notes the rest. Results are the same.
 */
public final class RecordingCommunicator implements Communicator {
    private final Communicator inner;
    private final RankTimeline timeline;

    /**
     * Records what goes through another communicator.
     *
     * @param inner    what messages really go through; closed with this
     * @param timeline of this rank
     */
    public RecordingCommunicator(Communicator inner, RankTimeline timeline) {
        this.inner = inner;
        this.timeline = timeline;
    }

    @Override
    public RankTimeline timeline() {
        return timeline;
    }

    @Override
    public int rank() {
        return inner.rank();
    }

    @Override
    public int size() {
        return inner.size();
    }

    @Override
    public boolean takesDeviceMemory() {
        return inner.takesDeviceMemory();
    }

    @Override
    public SendChannel sendFrom(int to, int tag, int bytes, long address) {
        return inner.sendFrom(to, tag, bytes, address);
    }

    @Override
    public ReceiveChannel receiveInto(int from, int tag, int bytes, long address) {
        return inner.receiveInto(from, tag, bytes, address);
    }

    @Override
    public Communicator innermost() {
        return inner.innermost();
    }

    @Override
    public String transport() {
        return inner.transport();
    }

    @Override
    public Duration patience() {
        return inner.patience();
    }

    @Override
    public SendChannel sendTo(int to, int tag, int bytes) {
        return new Sender(inner.sendTo(to, tag, bytes), bytes);
    }

    @Override
    public ReceiveChannel receiveFrom(int from, int tag, int bytes) {
        return new Receiver(inner.receiveFrom(from, tag, bytes));
    }

    @Override
    public void allReduce(Reduction reduction, double[] values) {
        long began = timeline.begin();
        inner.allReduce(reduction, values);
        timeline.end(RankPhase.REDUCE, began);
    }

    @Override
    public void allReduce(Reduction reduction, long[] values) {
        long began = timeline.begin();
        inner.allReduce(reduction, values);
        timeline.end(RankPhase.REDUCE, began);
    }

    @Override
    public PendingReduction startSum(double[] values) {
        PendingReduction pending = inner.startSum(values);
        return result -> {
            long began = timeline.begin();
            pending.finish(result);
            timeline.end(RankPhase.REDUCE, began);
        };
    }

    @Override
    public byte[] broadcast(int root, byte[] message) {
        return inner.broadcast(root, message);
    }

    @Override
    public byte[][] gather(int root, byte[] message) {
        return inner.gather(root, message);
    }

    @Override
    public byte[][] exchange(byte[][] messages) {
        return inner.exchange(messages);
    }

    @Override
    public void barrier() {
        inner.barrier();
    }

    @Override
    @SuppressWarnings("MustBeClosed") // returned
    public Communicator split(int colour, int key) {
        return new RecordingCommunicator(inner.split(colour, key), timeline);
    }

    @Override
    public JobFailedException abort(String reason) {
        throw inner.abort(reason);
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public String toString() {
        return inner + ", recorded";
    }

    /** Counts messages, and notes when one has to wait for the one before. */
    private final class Sender implements SendChannel {
        private final SendChannel channel;
        private final int bytes;

        Sender(SendChannel channel, int bytes) {
            this.channel = channel;
            this.bytes = bytes;
        }

        @Override
        public ByteBuffer buffer() {
            return channel.buffer();
        }

        @Override
        public void start() {
            timeline.sent(bytes);
            channel.start();
        }

        @Override
        public void await() {
            long began = timeline.begin();
            channel.await();
            timeline.end(RankPhase.WAIT, began);
        }

        @Override
        public long messages() {
            return channel.messages();
        }
    }

    /** Notes how long messages are waited for. */
    private final class Receiver implements ReceiveChannel {
        private final ReceiveChannel channel;

        Receiver(ReceiveChannel channel) {
            this.channel = channel;
        }

        @Override
        public ByteBuffer buffer() {
            return channel.buffer();
        }

        @Override
        public void start() {
            channel.start();
        }

        @Override
        public void await() {
            long began = timeline.begin();
            channel.await();
            timeline.end(RankPhase.WAIT, began);
        }

        @Override
        public void release() {
            channel.release();
        }
    }
}
