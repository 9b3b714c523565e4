package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.PinnedBuffer;

/** Page-locked memory through which messages come to a device. */
final class PinnedStaging implements AutoCloseable {
    private final CudaContext context;
    private final int bytes;
    private final PinnedBuffer pinned;
    private final CudaEvent copied;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    PinnedStaging(CudaContext context, int bytes) {
        this.context = context;
        this.bytes = bytes;
        this.pinned = context.pinned(bytes);
        this.copied = context.newOrderEvent();
        copied.record();
    }

    /** Takes a message, as soon as the device has the one before, and queues its copy. */
    void copyIn(ByteBuffer message, CudaBuffer target, long offset) {
        copied.synchronize();
        MemorySegment.copy(MemorySegment.ofBuffer(message), 0, pinned.memory(), 0, bytes);
        target.copyFrom(pinned, 0, offset, bytes, context.stream());
        copied.record();
    }

    @Override
    public void close() {
        pinned.close();
        copied.close();
    }
}
