package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.memory.HostVector;
import org.trellis.sparse.PreparedRelaxation;
import org.trellis.sparse.PreparedRows;
import org.trellis.sparse.RowKernels;

/** Products and sweeps over consecutive rows on a CUDA device. */
public final class CudaRowKernels implements RowKernels {
    private static final int WARP = 32;

    private final CudaContext context;

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     */
    public CudaRowKernels(CudaContext context) {
        this.context = context;
    }

    @Override
    @MustBeClosed
    public PreparedRows prepare(int[] offsets, int[] columns, HostVector values, int threads) {
        requireThreads(threads);
        return new CudaRows(context, offsets, columns, values, threads);
    }

    @Override
    @MustBeClosed
    public PreparedRelaxation prepareRelaxation(int[] offsets, int[] columns, HostVector values, int[] targets,
            HostVector inverse, int threads) {
        requireThreads(threads);
        return new CudaRelaxation(context, offsets, columns, values, targets, inverse, threads);
    }

    private static void requireThreads(int threads) {
        if (threads < 1 || threads > WARP || Integer.bitCount(threads) != 1) {
            throw new IllegalArgumentException("rows shared by " + threads
                    + " threads, expected a power of two up to " + WARP);
        }
    }
}
