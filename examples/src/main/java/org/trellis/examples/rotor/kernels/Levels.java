package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Write;

/**
 * Between two levels of a multigrid method that keeps full states on all of them (A. Brandt, "Multi-level adaptive
 * solutions to boundary-value problems", Math. Comp. 31, 1977).
 */
public final class Levels {
    private Levels() {}

    /** Takes the state of the fine node at the same place. */
    @MeshKernel
    static void inject(@Read(6) double[] fine, @Write(6) double[] q, @Write(6) double[] start) {
        for (int k = 0; k < 6; k++) {
            q[k] = fine[k];
            start[k] = fine[k];
        }
    }

    /**
     * Takes the residuals of the fine nodes that a node is a parent of; the transposed of {@link #prolong}.
     *
     * @param part what each of a fine node's parents gets of it
     */
    @MeshKernel
    static void restrict(@Read(value = 1, entries = ArgumentSignature.VARIABLE) double[][] part,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] r, @Write(6) double[] restricted) {
        double[] sum = new double[6];
        for (int k = 0; k < 6; k++) {
            sum[k] = 0;
        }
        for (int c = 0; c < r.length; c++) {
            for (int k = 0; k < 6; k++) {
                sum[k] += part[c][0] * r[c][k];
            }
        }
        for (int k = 0; k < 6; k++) {
            restricted[k] = sum[k];
        }
    }

    /** What the coarse level's residual lacks to be that of the fine one. */
    @MeshKernel
    static void force(@Read(6) double[] restricted, @Read(6) double[] convection, @Read(6) double[] frozen,
            @Write(6) double[] forcing) {
        for (int k = 0; k < 6; k++) {
            forcing[k] = restricted[k] - (convection[k] + frozen[k]);
        }
    }

    /** What a coarse level has changed since the state that it began with. */
    @MeshKernel
    static void change(@Read(6) double[] q, @ReadWrite(6) double[] correction) {
        for (int k = 0; k < 6; k++) {
            correction[k] = q[k] - correction[k];
        }
    }

    /** Adds what the parents have changed, but turbulence. */
    @MeshKernel
    static void prolong(@Read(8) double[] weight, @Read(value = 6, entries = 8) double[][] parents,
            @ReadWrite(6) double[] q) {
        for (int k = 0; k < 5; k++) {
            double sum = 0;
            for (int p = 0; p < 8; p++) {
                sum += weight[p] * parents[p][k];
            }
            q[k] += sum;
        }
    }
}
