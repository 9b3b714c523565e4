package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;

/** Page-locked host memory, which the device reads and writes at the same address, at full speed. */
public final class PinnedBuffer extends CudaChild {
    private final MemorySegment memory;

    PinnedBuffer(CudaContext context, long bytes) {
        super(context, bytes + " page-locked bytes of " + context.name());
        this.memory = context.driver().allocatePinned(Math.max(1, bytes));
        context.adopt(this);
    }

    /**
     * Returns where the memory is, for host and device.
     *
     * @return the address
     * @throws IllegalStateException if the buffer is closed
     */
    public long address() {
        requireOpen();
        return memory.address();
    }

    /**
     * Returns the memory for use by the host.
     *
     * @return the memory; must not be touched once this buffer is closed
     * @throws IllegalStateException if the buffer is closed
     */
    public MemorySegment memory() {
        requireOpen();
        return memory;
    }

    void checkRange(long offset, long length) {
        requireOpen();
        if (offset < 0 || length < 0 || length > memory.byteSize() - offset) {
            throw new IndexOutOfBoundsException(
                    "copy of " + length + " bytes at offset " + offset + ", expected within " + name());
        }
    }

    @Override
    void releaseNative() {
        // Kernels that are kept back may use it.
        context().interrupt();
        context().driver().freePinned(memory);
    }
}
