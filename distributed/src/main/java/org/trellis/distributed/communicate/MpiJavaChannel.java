package org.trellis.distributed.communicate;

import java.nio.ByteBuffer;

/** One end of a channel over an {@code mpi} package. The library allocates what it needs for each message. */
final class MpiJavaChannel implements SendChannel, ReceiveChannel {
    /** What a channel does at the moment. */
    private enum State {
        IDLE, STARTED, ARRIVED
    }

    private final MpiJavaJob job;
    private final ByteBuffer buffer;
    private final boolean receives;
    private final int peer;
    private final int tag;
    private final String name;
    private State state = State.IDLE;
    private Object request;
    private long started;

    MpiJavaChannel(MpiJavaJob job, boolean receives, int peer, int tag, int bytes, String name) {
        this.job = job;
        this.receives = receives;
        this.peer = peer;
        this.tag = tag;
        this.name = name;
        this.buffer = job.dialect().allocate(bytes);
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void start() {
        if (state != State.IDLE) {
            throw new IllegalStateException("a message of the " + name + " was started before the last was "
                    + (receives ? "released, expected release()" : "awaited, expected await()") + " before start()");
        }
        int bytes = buffer.capacity();
        request = receives
                ? job.dialect().receive(buffer, bytes, peer, tag)
                : job.dialect().send(buffer, bytes, peer, tag);
        state = State.STARTED;
        started++;
    }

    @Override
    public void await() {
        if (state == State.IDLE && receives) {
            throw new IllegalStateException("a message of the " + name
                    + " was awaited before it was started, expected start() before await()");
        }
        if (state != State.STARTED) {
            return;
        }
        int count = job.await(request, this);
        request = null;
        state = receives ? State.ARRIVED : State.IDLE;
        if (receives && count != buffer.capacity()) {
            throw job.fail(this + " got " + count + " bytes, expected " + buffer.capacity());
        }
    }

    @Override
    public void release() {
        if (state != State.ARRIVED) {
            throw new IllegalStateException("a message of the " + name
                    + " was released before it was awaited, expected await() before release()");
        }
        state = State.IDLE;
    }

    @Override
    public long messages() {
        return started;
    }

    @Override
    public String toString() {
        return "rank " + job.dialect().rank() + (receives ? " receiving" : " sending") + " message " + started + " of "
                + buffer.capacity() + " bytes of the " + name;
    }
}
