package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import org.trellis.common.Checks;

/** Device memory without a type, for indices, offsets and the like. */
public final class CudaBuffer extends CudaChild {
    private final long address;
    private final long bytes;

    CudaBuffer(CudaContext context, long bytes, String name) {
        super(context, name);
        this.bytes = bytes;
        this.address = context.pool().allocate(bytes);
        context.adopt(this);
    }

    /**
     * Returns where the memory is.
     *
     * @return the device address, aligned to 256 bytes
     * @throws IllegalStateException if the buffer is closed
     */
    public long address() {
        requireOpen();
        return address;
    }

    /**
     * Returns the size.
     *
     * @return bytes
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Overwrites the start of the buffer. Returns when the source may be changed again; the copy is in order with
     * other work on the context's stream.
     *
     * @param source host memory, for example {@code MemorySegment.ofArray(array)}, of at most this size
     */
    public void copyFrom(MemorySegment source) {
        copyFrom(source, 0);
    }

    /**
     * Overwrites a part of the buffer. Returns when the source may be changed again.
     *
     * @param source host memory
     * @param offset the first byte to overwrite
     * @throws IndexOutOfBoundsException if the source does not fit
     */
    public void copyFrom(MemorySegment source, long offset) {
        checkRange(offset, source.byteSize());
        context().staging().toDevice(source, address() + offset);
    }

    /**
     * Copies the start of the buffer to host memory and waits for it.
     *
     * @param target host memory, for example {@code MemorySegment.ofArray(array)}, of at most this size
     */
    public void copyTo(MemorySegment target) {
        copyTo(target, 0);
    }

    /**
     * Copies a part of the buffer to host memory and waits for it.
     *
     * @param target host memory
     * @param offset the first byte to copy
     * @throws IndexOutOfBoundsException if there are fewer bytes
     */
    public void copyTo(MemorySegment target, long offset) {
        checkRange(offset, target.byteSize());
        context().staging().toHost(address() + offset, target);
    }

    /**
     * Queues a copy from another buffer of the same context.
     *
     * @param source the source, of the same size
     * @throws IllegalArgumentException if the sizes differ
     */
    public void copyFrom(CudaBuffer source) {
        Checks.length("source bytes", source.bytes, bytes);
        context().makeCurrent();
        context().driver().copyOnDevice(address(), source.address(), bytes, context().stream().handle());
    }

    /**
     * Queues filling the buffer with zeros.
     *
     * @throws IllegalStateException if the buffer is closed
     */
    public void clear() {
        requireOpen();
        if (bytes > 0) {
            context().makeCurrent();
            context().driver().clear(address, bytes, context().stream().handle());
        }
    }

    private void checkRange(long offset, long length) {
        if (offset < 0 || length > bytes - offset) {
            throw new IndexOutOfBoundsException(
                    "copy of " + length + " bytes at offset " + offset + ", expected within "
                            + name());
        }
    }

    @Override
    void releaseNative() {
        context().pool().free(address, bytes);
    }
}
