package org.trellis.solve.smooth;

import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Write;

/** Sweeps for a diagonal matrix, two of them different enough to show which has run. */
public final class SweepKernels {
    private SweepKernels() {}

    /** Computes {@code x = b / d / 2}. */
    @MeshKernel
    static void half(@Read double[] d, @Read double[] b, @Write double[] x) {
        x[0] = 0.5 * b[0] / d[0];
    }

    /** Computes {@code x = x + (b − d x) / d / 2}. */
    @MeshKernel
    static void forward(@Read double[] d, @Read double[] b, @ReadWrite double[] x) {
        x[0] += 0.5 * (b[0] - d[0] * x[0]) / d[0];
    }

    /** Computes {@code x = x + (b − d x) / d / 4}. */
    @MeshKernel
    static void backward(@Read double[] d, @Read double[] b, @ReadWrite double[] x) {
        x[0] += 0.25 * (b[0] - d[0] * x[0]) / d[0];
    }
}
