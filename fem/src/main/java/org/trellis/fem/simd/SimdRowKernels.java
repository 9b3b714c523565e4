package org.trellis.fem.simd;

import org.trellis.fem.integrate.DoubleRowKernels;
import org.trellis.fem.integrate.FloatRowKernels;
import org.trellis.fem.integrate.RowKernels;

/** Inner loops of integrals over elements by vectors, loaded when they are first asked for. */
final class SimdRowKernels implements RowKernels {
    @Override
    public DoubleRowKernels doubles() {
        return new DoubleVectorRows();
    }

    @Override
    public FloatRowKernels floats() {
        return new FloatVectorRows();
    }
}
