package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.PreparedReduction;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.PreparedHalo;

/**
 * Messages between CUDA devices. Those of one process that reach each other write into each other's memory, or copy
 * where that cannot be; everything else goes through page-locked memory of the host.
 */
final class CudaHaloKernels implements HaloKernels {
    private final CudaContext context;
    private final CudaGlobals globals;

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     * @param globals the globals of its loops
     */
    CudaHaloKernels(CudaContext context, CudaGlobals globals) {
        this.context = context;
        this.globals = globals;
    }

    @Override
    @MustBeClosed
    public PreparedHalo prepare(List<HaloParcel> sends, List<HaloParcel> receives, int operands) {
        if (operands > MOST_OPERANDS) {
            throw new IllegalArgumentException("an exchange of " + operands + " dats, expected at most "
                    + MOST_OPERANDS + " in one message");
        }
        return new CudaHalo(context, sends, receives);
    }

    @Override
    @MustBeClosed
    public PreparedReduction reduction(int rank, int ranks, int most) {
        return new CudaReduction(context, globals, rank, ranks, most);
    }
}
