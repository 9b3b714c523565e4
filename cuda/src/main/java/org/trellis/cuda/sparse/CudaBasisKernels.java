package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.sparse.BasisKernels;
import org.trellis.sparse.PreparedBasis;

/** Products and combinations of many vectors on a CUDA device. */
public final class CudaBasisKernels implements BasisKernels {
    private final CudaContext context;

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     */
    public CudaBasisKernels(CudaContext context) {
        this.context = context;
    }

    @Override
    @MustBeClosed
    public PreparedBasis prepare(Precision precision) {
        return new CudaBasis(context, precision);
    }
}
