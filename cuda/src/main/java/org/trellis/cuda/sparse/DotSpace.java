package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.KernelLaunch;

/**
 * What the fused kernels of one operator add up dot products in: parts of blocks, split rows and groups of blocks, and
 * counters of blocks that have come, all zero between launches. Launches of one operator follow each other on one
 * stream and share it.
 */
final class DotSpace implements AutoCloseable {
    /** Blocks of a group; the kernels' DOT_GROUP. */
    static final int GROUP = 256;

    private static final int PARTIAL = 6;
    private static final int COUNTERS = 7;

    private final CudaBuffer partials;
    private final CudaBuffer counters;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    DotSpace(CudaContext context, int blocks, int splitRows) {
        int groups = Math.ceilDiv(blocks, GROUP);
        this.partials = context.buffer(((long) blocks + splitRows + groups) * Double.BYTES);
        try {
            this.counters = context.zeros((1L + groups) * Integer.BYTES);
        } catch (RuntimeException e) {
            partials.close();
            throw e;
        }
    }

    void bind(KernelLaunch launch) {
        launch.set(PARTIAL, partials).set(COUNTERS, counters);
    }

    @Override
    public void close() {
        counters.close();
        partials.close();
    }
}
