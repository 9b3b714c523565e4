package org.trellis.mesh.checkpoint;

import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.Max;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** Kernels of programs that checkpoints are taken of. */
final class WalkKernels {
    private WalkKernels() {}

    @MeshKernel
    static void copyTo(@Read double[] from, @Write double[] to) {
        to[0] = from[0];
    }

    @MeshKernel
    static void slope(@Read double[] one, @Read double[] other, @Write double[] difference) {
        difference[0] = 0.25 * (one[0] - other[0]);
    }

    @MeshKernel
    static void spread(@Read double[] flow, @Increment double[] one, @Increment double[] other) {
        one[0] -= flow[0];
        other[0] += flow[0];
    }

    @MeshKernel
    static void step(@Read double[] before, @ReadWrite double[] gain, @Write double[] now, @Constant double factor,
            @Sum double[] change, @Max double[] most) {
        now[0] = before[0] + factor * gain[0];
        change[0] += gain[0] * gain[0];
        most[0] = Math.max(most[0], gain[0]);
        gain[0] *= 0.5;
    }

    @MeshKernel
    static void number(@Read double[] value, @ReadWrite int[] counted) {
        if (value[0] > 0.5) {
            counted[0] += 1;
        }
    }

    @MeshKernel
    static void give(@Read double[] value, @Write double[] target) {
        target[0] = value[0] * 0.5;
    }
}
