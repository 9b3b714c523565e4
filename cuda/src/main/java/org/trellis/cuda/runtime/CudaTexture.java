package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import org.trellis.cuda.driver.NativeHandle;

/** A picture of four floats for each point that the device interpolates in hardware. */
public final class CudaTexture extends CudaChild {
    private static final int CHANNELS = 4;
    private static final long ALIGNMENT = 512;

    private final CudaBuffer memory;
    private final NativeHandle handle;

    /**
     * Copies values to the device.
     *
     * @param context where it lives; it is closed with the context at the latest
     * @param values  four values for each point, columns running fastest
     * @param columns points of a row
     * @param rows    rows
     * @throws org.trellis.common.DeviceException if the driver refuses, for want of memory for example
     */
    @SuppressWarnings("MustBeClosed") // closed with this, or here if there is no texture
    public CudaTexture(CudaContext context, float[] values, int columns, int rows) {
        super(context, "texture of " + context.name());
        long bytes = (long) columns * CHANNELS * Float.BYTES;
        long pitch = Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
        memory = context.buffer(pitch * rows + ALIGNMENT);
        boolean done = false;
        try {
            long first = Math.ceilDiv(memory.address(), ALIGNMENT) * ALIGNMENT;
            MemorySegment source = MemorySegment.ofArray(values);
            for (int row = 0; row < rows; row++) {
                memory.copyFrom(source.asSlice(row * bytes, bytes), first - memory.address() + row * pitch);
            }
            handle = context.driver().createTexture(first, columns, rows, pitch);
            done = true;
        } finally {
            if (!done) {
                memory.close();
            }
        }
        context.adopt(this);
    }

    /**
     * Returns what kernels take.
     *
     * @return the texture object
     * @throws IllegalStateException if the texture is closed
     */
    public long object() {
        requireOpen();
        return handle.address();
    }

    @Override
    void releaseNative() {
        // Kernels that are kept back may use it.
        context().interrupt();
        context().driver().destroyTexture(handle);
        memory.close();
    }
}
