package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A communicator whose messages arrive late, as they do on a slower network: an emulation for measurements and tests,
 * on machines whose kernel cannot delay packets. A message that was sent at time {@code t} can be read from
 * {@code t + latency + bytes / bandwidth} on, and not before the one sent before it on its channel. Collective
 * operations last {@code ⌈log₂ p⌉} latencies longer. What a real network has beyond that is missing: the time that
 * processors spend on a message, and messages that get into each other's way.
 *
 * <p>Ranks must be threads or processes of one machine, whose clocks agree. Results are the same as without delays.
 */
public final class DelayedCommunicator implements Communicator {
    /** A thread that is put to sleep for less than this would wake up too late. */
    private static final long SHORTEST_SLEEP = 100_000;
    private static final int STAMP = Long.BYTES;

    private final Communicator inner;
    private final long latency;
    private final double secondsPerByte;

    /**
     * Delays what another communicator sends.
     *
     * @param inner          what messages really go through; closed with this
     * @param latency        how long a message of no bytes takes; not negative
     * @param bytesPerSecond bandwidth of a channel, positive; may be infinite
     * @throws IllegalArgumentException if the latency is negative or the bandwidth not positive
     */
    public DelayedCommunicator(Communicator inner, Duration latency, double bytesPerSecond) {
        if (latency.isNegative()) {
            throw new IllegalArgumentException("latency is " + latency + ", expected at least 0");
        }
        if (!(bytesPerSecond > 0)) {
            throw new IllegalArgumentException("bandwidth is " + bytesPerSecond
                    + " bytes a second, expected more than 0");
        }
        this.inner = inner;
        this.latency = latency.toNanos();
        this.secondsPerByte = 1 / bytesPerSecond;
    }

    /** Waits until a time of {@link System#nanoTime}; asleep while it is far, giving way when it is near. */
    @SuppressWarnings("ThreadPriorityCheck") // others have work to do on the same processors
    private static void waitUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            if (left > SHORTEST_SLEEP) {
                LockSupport.parkNanos(left - SHORTEST_SLEEP / 2);
            } else {
                Thread.yield();
            }
        }
    }

    private void delayCollective() {
        waitUntil(System.nanoTime() + rounds() * latency);
    }

    /** Returns how many messages follow one another in a collective operation. */
    private int rounds() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size() - 1);
    }

    private void delayReduction() {
        long began = timeline().begin();
        delayCollective();
        timeline().end(RankPhase.REDUCE, began);
    }

    @Override
    public RankTimeline timeline() {
        return inner.timeline();
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
    public Communicator innermost() {
        return inner.innermost();
    }

    @Override
    public String transport() {
        return inner.transport() + ", messages delayed by " + latency / 1000 + " us";
    }

    @Override
    public Duration patience() {
        return inner.patience();
    }

    private static int withStamp(int bytes) {
        return Math.addExact(Math.ceilDiv(bytes, STAMP) * STAMP, STAMP);
    }

    @Override
    public SendChannel sendTo(int to, int tag, int bytes) {
        CommunicatorChecks.channel(this, to, tag, bytes);
        return new Sender(inner.sendTo(to, tag, withStamp(bytes)), bytes);
    }

    @Override
    public ReceiveChannel receiveFrom(int from, int tag, int bytes) {
        CommunicatorChecks.channel(this, from, tag, bytes);
        return new Receiver(inner.receiveFrom(from, tag, withStamp(bytes)), bytes);
    }

    @Override
    public void allReduce(Reduction reduction, double[] values) {
        inner.allReduce(reduction, values);
        delayReduction();
    }

    @Override
    public void allReduce(Reduction reduction, long[] values) {
        inner.allReduce(reduction, values);
        delayReduction();
    }

    /** What is sent arrives when the latency has passed since the last rank has sent it: they send the time, too. */
    @Override
    public PendingReduction startSum(double[] values) {
        double[] sent = Arrays.copyOf(values, values.length + size());
        sent[values.length + rank()] = System.nanoTime();
        PendingReduction pending = inner.startSum(sent);
        return result -> {
            pending.finish(sent);
            System.arraycopy(sent, 0, result, 0, result.length);
            double last = sent[result.length];
            for (int i = result.length + 1; i < sent.length; i++) {
                last = Math.max(last, sent[i]);
            }
            long began = timeline().begin();
            waitUntil((long) last + rounds() * latency);
            timeline().end(RankPhase.REDUCE, began);
        };
    }

    @Override
    public byte[] broadcast(int root, byte[] message) {
        byte[] result = inner.broadcast(root, message);
        delayCollective();
        return result;
    }

    @Override
    public byte[][] gather(int root, byte[] message) {
        byte[][] result = inner.gather(root, message);
        delayCollective();
        return result;
    }

    @Override
    public byte[][] exchange(byte[][] messages) {
        byte[][] result = inner.exchange(messages);
        delayCollective();
        return result;
    }

    @Override
    public void barrier() {
        inner.barrier();
        delayCollective();
    }

    @Override
    @SuppressWarnings("MustBeClosed") // returned
    public Communicator split(int colour, int key) {
        return new DelayedCommunicator(inner.split(colour, key), Duration.ofNanos(latency), 1 / secondsPerByte);
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
        return inner + ", delayed";
    }

    /** Returns the part of a message that its users see. */
    private static ByteBuffer payload(ByteBuffer message, int bytes) {
        return message.slice(0, bytes).order(ByteOrder.nativeOrder());
    }

    /** Writes the time of sending behind each message. */
    private static final class Sender implements SendChannel {
        private final SendChannel channel;
        private final ByteBuffer payload;
        private final int stampAt;

        Sender(SendChannel channel, int bytes) {
            this.channel = channel;
            this.payload = payload(channel.buffer(), bytes);
            this.stampAt = channel.buffer().capacity() - STAMP;
        }

        @Override
        public ByteBuffer buffer() {
            return payload;
        }

        @Override
        public void start() {
            channel.buffer().putLong(stampAt, System.nanoTime());
            channel.start();
        }

        @Override
        public void await() {
            channel.await();
        }

        @Override
        public long messages() {
            return channel.messages();
        }
    }

    /** Lets a message be read when it would have arrived. */
    private final class Receiver implements ReceiveChannel {
        private final ReceiveChannel channel;
        private final ByteBuffer payload;
        private final int stampAt;
        private final long transfer;
        private long lastArrival = Long.MIN_VALUE;

        Receiver(ReceiveChannel channel, int bytes) {
            this.channel = channel;
            this.payload = payload(channel.buffer(), bytes);
            this.stampAt = channel.buffer().capacity() - STAMP;
            this.transfer = (long) (1e9 * secondsPerByte * bytes);
        }

        @Override
        public ByteBuffer buffer() {
            return payload;
        }

        @Override
        public void start() {
            channel.start();
        }

        @Override
        public void await() {
            channel.await();
            long sent = channel.buffer().getLong(stampAt);
            lastArrival = Math.max(sent + latency, lastArrival) + transfer;
            long began = timeline().begin();
            waitUntil(lastArrival);
            timeline().end(RankPhase.WAIT, began);
        }

        @Override
        public void release() {
            channel.release();
        }
    }
}
