package org.trellis.cuda;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.DeviceBatch;
import org.trellis.backend.DeviceBatches;
import org.trellis.cuda.runtime.CudaBatch;
import org.trellis.cuda.runtime.CudaContext;

/** Batches of a context whose driver has graphs. */
final class CudaBatches implements DeviceBatches {
    private final CudaContext context;

    CudaBatches(CudaContext context) {
        this.context = context;
    }

    @Override
    @MustBeClosed
    public DeviceBatch batch() {
        return new CudaBatch(context);
    }
}
