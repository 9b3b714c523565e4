package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One end of a channel: a persistent request of MPI on off-heap memory. */
final class MpiChannel implements SendChannel, ReceiveChannel {
    /** Where messages are aligned, as wide as the widest vector registers. */
    private static final int ALIGNMENT = 64;

    private final MpiJob job;
    private final String name;
    private final MemorySegment request;
    private final MemorySegment count;
    /** The message; null if it is on a device. */
    private final ByteBuffer buffer;
    private final int bytes;
    private final MethodHandle start;
    private final MethodHandle size;
    private final long byteType;
    private final boolean receives;
    private State state = State.IDLE;
    private long started;

    /** Where in its cycle a channel is. */
    private enum State {
        IDLE, STARTED, ARRIVED
    }

    /**
     * Opens an end.
     *
     * @param job          the process
     * @param arena        holds the message
     * @param communicator the handle of the communicator
     * @param receives     which end
     * @param route        peer, tag and bytes
     */
    MpiChannel(MpiJob job, Arena arena, long communicator, boolean receives, Route route) {
        this.job = job;
        this.receives = receives;
        this.name = route.name();
        MpiLibrary library = job.library();
        this.request = arena.allocate(Long.BYTES, Long.BYTES);
        this.count = arena.allocate(JAVA_INT);
        this.bytes = route.bytes();
        boolean onHost = route.address() == 0;
        MemorySegment memory = onHost
                ? arena.allocate(route.bytes(), ALIGNMENT)
                : MemorySegment.ofAddress(route.address());
        this.buffer = onHost ? memory.asByteBuffer().order(ByteOrder.nativeOrder()) : null;
        this.start = library.function("MPI_Start");
        this.size = library.function("MPI_Get_count");
        this.byteType = library.constant(MpiAbi.Constant.BYTE);
        job.call(receives ? "MPI_Recv_init" : "MPI_Send_init", memory, route.bytes(),
                library.constant(MpiAbi.Constant.BYTE), route.peer(), route.tag(), communicator, request);
    }

    /**
     * Between whom a channel is.
     *
     * @param peer    the other rank
     * @param tag     the tag
     * @param bytes   the size of a message
     * @param address where the message is on a device; 0 for memory of the host
     * @param name    for messages
     */
    record Route(int peer, int tag, int bytes, long address, String name) {}

    @Override
    public ByteBuffer buffer() {
        if (buffer == null) {
            throw new IllegalStateException("the " + name + " has its messages in the memory of a device, which the "
                    + "host does not see");
        }
        return buffer;
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    @Override
    public void start() {
        if (state != State.IDLE) {
            throw new IllegalStateException("a message of the " + name + " was started before the last was "
                    + (receives ? "released, expected release()" : "awaited, expected await()") + " before start()");
        }
        int code;
        try {
            code = (int) start.invokeExact(request);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
        job.check(code, "MPI_Start");
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
        job.await(request, this);
        state = receives ? State.ARRIVED : State.IDLE;
        if (receives) {
            checkSize();
        }
    }

    /** Called for every message: by its handle, since a call by name would allocate and take as long as a message. */
    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    private void checkSize() {
        int code;
        try {
            code = (int) size.invokeExact(job.status(), byteType, count);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
        job.check(code, "MPI_Get_count");
        if (count.get(JAVA_INT, 0) != bytes) {
            throw job.fail(this + " got " + count.get(JAVA_INT, 0) + " bytes, expected " + bytes);
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

    /** Ends what is under way and gives the request back. */
    void close() {
        if (state == State.STARTED) {
            if (receives) {
                job.call("MPI_Cancel", request);
            }
            job.await(request, this);
        }
        job.call("MPI_Request_free", request);
    }

    @Override
    public String toString() {
        return job + " " + (receives ? "receiving" : "sending") + " message " + started + " of " + bytes
                + " bytes of the " + name;
    }
}
