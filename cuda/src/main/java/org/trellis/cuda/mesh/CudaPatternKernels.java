package org.trellis.cuda.mesh;

import org.trellis.cuda.runtime.CudaContext;
import org.trellis.mesh.device.PatternArrays;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.mesh.device.PatternTables;

/** Patterns made on a CUDA device, by steps that are compiled when the first is made. The result is on the host. */
final class CudaPatternKernels implements PatternKernels {
    private final CudaContext context;
    private final DeviceArrays arrays;

    CudaPatternKernels(CudaContext context, DeviceArrays arrays) {
        this.context = context;
        this.arrays = arrays;
    }

    @Override
    public PatternArrays build(PatternTables tables) {
        context.makeCurrent();
        try (CudaPattern pattern = new CudaPattern(context, arrays, tables)) {
            return pattern.build();
        }
    }
}
