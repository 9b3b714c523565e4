package org.trellis.mesh.matrix;

import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Write;

/** An operator on a graph: {@code y_i = d_i x_i + Σ w (x_i − x_j)} over the edges of i. */
public final class ChainKernels {
    private ChainKernels() {}

    /** Computes {@code y = d x}. */
    @MeshKernel
    static void begin(@Read double[] d, @Read double[] x, @Write double[] y) {
        y[0] = d[0] * x[0];
    }

    /** Adds what an edge carries. */
    @MeshKernel
    static void carry(@Read double[] w, @Read double[] x1, @Read double[] x2, @Increment double[] y1,
            @Increment(repeats = "y1", sign = -1) double[] y2) {
        double f = w[0] * (x1[0] - x2[0]);
        y1[0] += f;
        y2[0] -= f;
    }
}
