package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Increment;
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

    /** Gives a node's residual to its parents; the transposed of {@link #prolong}. */
    @MeshKernel
    static void restrict(@Read(8) double[] weight, @Read double[] share, @Read(6) double[] r,
            @Increment(value = 6, entries = 8) double[][] parents) {
        for (int p = 0; p < 8; p++) {
            double part = weight[p] * share[0];
            for (int k = 0; k < 6; k++) {
                parents[p][k] += part * r[k];
            }
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
