package org.trellis.fem;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Write;

/** Kernels of vectors. */
final class FormUpdates {
    private FormUpdates() {}

    /** Clears a vector. */
    @MeshKernel
    static void clear(@Write double[] y) {
        y[0] = 0;
    }

    /** Forward, the rows of one colour, by themselves. */
    @MeshKernel
    static void sweepForward(@Read double[] d, @Read double[] base, @Read double[] sum, @Write double[] y) {
        y[0] = d[0] * (base[0] - sum[0]);
    }

    /** Backward, the rows of one colour, by themselves. */
    @MeshKernel
    static void sweepBackward(@Read double[] d, @Read double[] base, @Read double[] sum, @Write double[] z) {
        z[0] = base[0] - d[0] * sum[0];
    }

    /** Forward, the rows of one colour: {@code y = d (r − t)}, where t is the product of the y of earlier colours. */
    @MeshKernel
    static void forward(@GlobalRead double[] now, @Read double[] colour, @Read double[] d, @Read double[] r,
            @Read double[] t, @ReadWrite double[] y) {
        y[0] = colour[0] == now[0] ? d[0] * (r[0] - t[0]) : y[0];
    }

    /** Backward, the rows of one colour: {@code z = y − d t}, where t is the product of the z of later colours. */
    @MeshKernel
    static void backward(@GlobalRead double[] now, @Read double[] colour, @Read double[] d, @Read double[] y,
            @Read double[] t, @ReadWrite double[] z) {
        z[0] = colour[0] == now[0] ? y[0] - d[0] * t[0] : z[0];
    }
}
