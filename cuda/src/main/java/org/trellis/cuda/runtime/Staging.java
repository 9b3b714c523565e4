package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import org.trellis.common.ParallelRanges;
import org.trellis.cuda.driver.CudaDriver;

/**
 * Copies between the Java heap and a device through two page-locked buffers: while the device copies one, the host
 * fills or empties the other, on several threads, since one does not keep up with the bus. The buffers are made by the
 * first copy.
 */
final class Staging {
    static final long CHUNK_BYTES = 8L << 20;
    /** What is worth another thread. */
    private static final long PIECE_BYTES = 1L << 20;
    private static final int BUFFERS = 2;

    private final CudaContext context;
    private final PinnedBuffer[] buffers = new PinnedBuffer[BUFFERS];
    private final CudaEvent[] done = new CudaEvent[BUFFERS];
    private boolean ready;

    Staging(CudaContext context) {
        this.context = context;
    }

    private void prepare() {
        if (!ready) {
            for (int i = 0; i < BUFFERS; i++) {
                buffers[i] = buffers[i] == null ? new PinnedBuffer(context, CHUNK_BYTES) : buffers[i];
                done[i] = done[i] == null ? new CudaEvent(context, false) : done[i];
                done[i].record();
            }
            ready = true;
        }
        context.makeCurrent();
    }

    /** Copies to the device. Returns when the source may be changed again. */
    void toDevice(MemorySegment source, long target) {
        prepare();
        CudaDriver driver = context.driver();
        long bytes = source.byteSize();
        int slot = 0;
        for (long start = 0; start < bytes; start += CHUNK_BYTES) {
            long length = Math.min(CHUNK_BYTES, bytes - start);
            done[slot].synchronize();
            copy(source, start, buffers[slot].memory(), 0, length);
            driver.copyToDevice(target + start, buffers[slot].address(), length, context.stream().handle());
            done[slot].record();
            slot = 1 - slot;
        }
    }

    private static void copy(MemorySegment from, long start, MemorySegment to, long at, long length) {
        ParallelRanges.run((int) Math.ceilDiv(length, PIECE_BYTES), 1, (first, last) -> {
            long begin = first * PIECE_BYTES;
            MemorySegment.copy(from, start + begin, to, at + begin, Math.min(length, last * PIECE_BYTES) - begin);
        });
    }

    /** Copies to the host and waits for it. */
    void toHost(long source, MemorySegment target) {
        prepare();
        long bytes = target.byteSize();
        // The last use of a slot may have been an upload that is still under way.
        done[0].synchronize();
        done[1].synchronize();
        int slot = 0;
        request(source, 0, bytes, slot);
        for (long start = 0; start < bytes; start += CHUNK_BYTES) {
            request(source, start + CHUNK_BYTES, bytes, 1 - slot);
            done[slot].synchronize();
            copy(buffers[slot].memory(), 0, target, start, Math.min(CHUNK_BYTES, bytes - start));
            slot = 1 - slot;
        }
    }

    private void request(long source, long start, long bytes, int slot) {
        if (start < bytes) {
            context.driver().copyToHost(buffers[slot].address(), source + start,
                    Math.min(CHUNK_BYTES, bytes - start), context.stream().handle());
            done[slot].record();
        }
    }
}
