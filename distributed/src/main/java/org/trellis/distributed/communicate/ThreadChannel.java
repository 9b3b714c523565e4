package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/** A channel between two threads: the receiver reads what the sender has written, nothing is copied. */
final class ThreadChannel {
    private final ThreadJob job;
    private final ThreadJob.Route route;
    private final ByteBuffer buffer;
    private final AtomicBoolean sending = new AtomicBoolean();
    private final AtomicBoolean receiving = new AtomicBoolean();
    private volatile long sent;
    private volatile long released;

    ThreadChannel(ThreadJob job, ThreadJob.Route route, int bytes) {
        this.job = job;
        this.route = route;
        this.buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    SendChannel sender(int bytes, int receiver) {
        open(sending, "sender", bytes);
        return new Sender(receiver);
    }

    ReceiveChannel receiver(int bytes, int sender) {
        open(receiving, "receiver", bytes);
        return new Receiver(sender);
    }

    private void open(AtomicBoolean end, String name, int bytes) {
        if (end.getAndSet(true)) {
            throw new IllegalStateException("the " + name + "'s end of the " + this + " is open already");
        }
        if (bytes != buffer.capacity()) {
            throw job.fail("the " + name + " of the " + this + " opened it for messages of " + bytes + " bytes, the "
                    + "other end for " + buffer.capacity(), null);
        }
    }

    @Override
    public String toString() {
        return "channel from rank " + route.from() + " to rank " + route.to() + " with tag " + route.tag();
    }

    /** The end that writes. */
    private final class Sender implements SendChannel {
        private final int peer;
        private final ThreadJob.Progress progress = () -> released;
        private boolean started;

        Sender(int peer) {
            this.peer = peer;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // the sender alone writes it
        @Override
        public void start() {
            job.requireRunning();
            if (started) {
                throw new IllegalStateException("a message of the " + ThreadChannel.this
                        + " was started before the last was awaited, expected await() before start()");
            }
            started = true;
            sent++;
        }

        @Override
        public void await() {
            if (started) {
                job.await(route.from(), peer, progress, sent, this);
                started = false;
            }
        }

        @Override
        public long messages() {
            return sent;
        }

        @Override
        public String toString() {
            return "the sender of message " + sent + " of " + buffer.capacity() + " bytes of the "
                    + ThreadChannel.this;
        }
    }

    /** The end that reads. */
    private final class Receiver implements ReceiveChannel {
        private final int peer;
        private final ThreadJob.Progress progress = () -> sent;
        private long expected;
        private boolean arrived;

        Receiver(int peer) {
            this.peer = peer;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public void start() {
            job.requireRunning();
            if (expected != released) {
                throw new IllegalStateException("a message of the " + ThreadChannel.this
                        + " was started before the last was released, expected release() before start()");
            }
            expected++;
        }

        @Override
        public void await() {
            if (expected == released) {
                throw new IllegalStateException("a message of the " + ThreadChannel.this
                        + " was awaited before it was started, expected start() before await()");
            }
            job.await(route.to(), peer, progress, expected, this);
            arrived = true;
        }

        @Override
        public void release() {
            if (!arrived) {
                throw new IllegalStateException("a message of the " + ThreadChannel.this
                        + " was released before it was awaited, expected await() before release()");
            }
            arrived = false;
            released = expected;
        }

        @Override
        public String toString() {
            return "the receiver of message " + expected + " of " + buffer.capacity() + " bytes of the "
                    + ThreadChannel.this;
        }
    }
}
