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
        // The pool may have to give memory back that kernels use which are kept back.
        context.interrupt();
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
     * Queues a copy from page-locked host memory and returns at once. The source must not be changed or closed before
     * the stream has passed the copy.
     *
     * @param source       page-locked memory of the same context
     * @param sourceOffset the first byte to copy
     * @param offset       the first byte to overwrite
     * @param length       how many bytes
     * @param stream       a stream of the same context
     * @throws IndexOutOfBoundsException if a range does not fit
     * @throws IllegalStateException     if a buffer is closed
     */
    public void copyFrom(PinnedBuffer source, long sourceOffset, long offset, long length, CudaStream stream) {
        checkRange(offset, length);
        source.checkRange(sourceOffset, length);
        if (length > 0) {
            context().makeCurrent();
            context().driver().copyToDevice(address() + offset, source.address() + sourceOffset, length,
                    stream.handle());
        }
    }

    /**
     * Queues a copy to page-locked host memory and returns at once. The target has the bytes once the stream has passed
     * the copy: an event that is recorded afterwards says when.
     *
     * @param target       page-locked memory of the same context
     * @param targetOffset the first byte to overwrite
     * @param offset       the first byte to copy
     * @param length       how many bytes
     * @param stream       a stream of the same context
     * @throws IndexOutOfBoundsException if a range does not fit
     * @throws IllegalStateException     if a buffer is closed
     */
    public void copyTo(PinnedBuffer target, long targetOffset, long offset, long length, CudaStream stream) {
        checkRange(offset, length);
        target.checkRange(targetOffset, length);
        if (length > 0) {
            context().makeCurrent();
            context().driver().copyToHost(target.address() + targetOffset, address() + offset, length,
                    stream.handle());
        }
    }

    /**
     * Queues a copy from a part of another buffer.
     *
     * @param source       the source, of the same context
     * @param sourceOffset the first byte to copy
     * @param offset       the first byte to overwrite
     * @param length       how many bytes
     * @param stream       a stream of the same context
     * @throws IndexOutOfBoundsException if a range does not fit
     * @throws IllegalStateException     if a buffer is closed
     */
    public void copyFrom(CudaBuffer source, long sourceOffset, long offset, long length, CudaStream stream) {
        checkRange(offset, length);
        source.checkRange(sourceOffset, length);
        if (length > 0) {
            context().makeCurrent();
            context().driver().copyOnDevice(address() + offset, source.address() + sourceOffset, length,
                    stream.handle());
        }
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
        if (offset < 0 || length < 0 || length > bytes - offset) {
            throw new IndexOutOfBoundsException(
                    "copy of " + length + " bytes at offset " + offset + ", expected within "
                            + name());
        }
    }

    @Override
    void releaseNative() {
        // Kernels that are kept back may use it.
        context().interrupt();
        context().pool().free(address, bytes);
    }
}
