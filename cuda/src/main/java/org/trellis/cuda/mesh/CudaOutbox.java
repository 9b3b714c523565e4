package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.CudaStream;
import org.trellis.cuda.runtime.NcclCommunicator;
import org.trellis.cuda.runtime.PinnedBuffer;

/**
 * Where a message that is sent is packed: in the memory of its receiver, or in this device's, from where it is copied
 * there or to the host.
 */
final class CudaOutbox implements AutoCloseable {
    private final CudaContext context;
    private final int bytes;
    private CudaInbox target;
    /** The rank that a library carries the message to, or −1. */
    private int peer = -1;
    private boolean exposed;
    private boolean written;
    private boolean flagged;
    private CudaBuffer memory;
    private PinnedBuffer pinned;
    private CudaStream stream;
    private CudaEvent packed;
    private CudaEvent copied;

    CudaOutbox(CudaContext context, int bytes) {
        this.context = context;
        this.bytes = bytes;
    }

    /** Sends to the memory of a receiver of this process from now on; by a copy, if requested. */
    void connect(CudaInbox inbox, boolean copied) {
        target = inbox;
        // Reached even by copies: they take the short transport between devices then.
        written = context.reach(inbox.context()) && !copied;
        flagged = written && inbox.context().device().number() != context.device().number();
    }

    /** Leaves the message to a library that carries it to a rank. */
    void carryTo(int rank) {
        peer = rank;
    }

    /** Leaves the message to a library of the host, which finds it in memory that stays. */
    @SuppressWarnings("MustBeClosed") // closed with this
    long expose() {
        exposed = true;
        memory = context.buffer(bytes);
        return memory.address();
    }

    boolean isExposed() {
        return exposed;
    }

    /** Queues the message with others that a library carries, after it was packed. */
    void carry(NcclCommunicator communicator, CudaStream carrying) {
        if (peer >= 0) {
            communicator.send(memory.address(), bytes, peer, carrying);
        }
    }

    /** Says whether the packing kernel informs the receiver's, which is on another device and may wait for it. */
    boolean isFlagged() {
        return flagged;
    }

    boolean isConnected() {
        return target != null;
    }

    CudaInbox target() {
        return target;
    }

    /** Says where the message is packed; makes the memory if it is this device's. */
    @SuppressWarnings("MustBeClosed") // closed with this
    HaloChunks.Place place() {
        if (written) {
            return new HaloChunks.Place(target.messages(), CudaHalo.turnBytes(bytes), flagged ? target.flag() : 0);
        }
        if (memory == null) {
            memory = context.buffer(bytes);
        }
        if (target == null && peer < 0 && !exposed && pinned == null) {
            pinned = context.pinned(bytes);
            stream = context.newStream();
            packed = context.newOrderEvent();
            copied = context.newOrderEvent();
        }
        return new HaloChunks.Place(memory.address(), 0, 0);
    }

    /** Queues what has to be done after packing in a turn. */
    void send(int turn) {
        if (written || peer >= 0 || exposed) {
            return;
        }
        if (target != null) {
            context.copyTo(target.messages() + turn * CudaHalo.turnBytes(bytes), target.context(), memory.address(),
                    bytes);
            return;
        }
        // On a stream of its own, so that what is queued next need not wait for the copy.
        packed.record();
        stream.await(packed);
        memory.copyTo(pinned, 0, 0, bytes, stream);
        copied.record(stream);
    }

    /** Waits for the message and copies it. */
    void copyOut(ByteBuffer message) {
        copied.synchronize();
        MemorySegment.copy(pinned.memory(), 0, MemorySegment.ofBuffer(message), 0, bytes);
    }

    String transport() {
        if (peer >= 0) {
            return "by NCCL";
        }
        if (exposed) {
            return "from the device's memory by the host's library";
        }
        if (target == null) {
            return "through the host";
        }
        return written
                ? "written by kernels into the neighbour's memory"
                        + (flagged ? " with flags" : " in the order of events")
                : "copied from device to device";
    }

    @Override
    public void close() {
        if (stream != null && context.isOpen()) {
            stream.synchronize();
            stream.close();
            packed.close();
            copied.close();
        }
        if (pinned != null) {
            pinned.close();
        }
        if (memory != null) {
            memory.close();
        }
    }
}
