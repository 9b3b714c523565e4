package org.trellis.fem;

import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Write;

/** Kernels of vectors. */
final class FormUpdates {
    private FormUpdates() {}

    /** Clears a vector. */
    @MeshKernel
    static void clear(@Write double[] y) {
        y[0] = 0;
    }
}
