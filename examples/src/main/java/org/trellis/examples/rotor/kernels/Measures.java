package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Constant;
import org.trellis.kernel.Max;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Sum;

/** The figures of a flow: residuals, errors, forces, flows. Shares are 1/2 for nodes that are there twice. */
public final class Measures {
    private Measures() {}

    /** Sums the squares of what density changes by, volumes being weights, and finds the largest. */
    @MeshKernel
    static void norm(@Read(6) double[] r, @Read double[] volume, @Read double[] share, @Sum double[] square,
            @Max double[] most) {
        double rate = r[0] / volume[0];
        square[0] += share[0] * volume[0] * (rate * rate);
        most[0] = Math.max(most[0], Math.abs(rate));
    }

    /** Sums residuals: what leaves the mesh. */
    @MeshKernel
    static void leaving(@Read(6) double[] r, @Read double[] share, @Sum(6) double[] sum) {
        for (int k = 0; k < 6; k++) {
            sum[k] += share[0] * r[k];
        }
    }

    /** Finds the largest residual in a unit of volume, of each component. */
    @MeshKernel
    static void largest(@Read(6) double[] r, @Read double[] volume, @Max(6) double[] most) {
        for (int k = 0; k < 6; k++) {
            most[k] = Math.max(most[k], Math.abs(r[k] / volume[0]));
        }
    }

    /** Sums the squares of the differences from an exact state. */
    @MeshKernel
    static void error(@Read(6) double[] w, @Read(6) double[] exact, @Read double[] volume, @Read double[] share,
            @Sum(6) double[] square) {
        for (int k = 0; k < 6; k++) {
            double e = w[k] - exact[k];
            square[k] += share[0] * volume[0] * (e * e);
        }
    }

    /** Sums pressure times normal over walls. */
    @MeshKernel
    static void force(@Read(3) double[] n, @Read(6) double[] w, @Sum(3) double[] sum) {
        for (int k = 0; k < 3; k++) {
            sum[k] += w[4] * n[k];
        }
    }

    /** Sums mass, entropy and area of what passes a part of the boundary. */
    @MeshKernel
    static void passing(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w, @Constant double omega,
            @Sum(2) double[] sum) {
        double mass = w[0] * (w[1] * n[0] + w[2] * n[1] + w[3] * n[2] - omega * sweep[0]);
        sum[0] += mass;
        sum[1] += mass * Math.log(Gas.GAMMA * w[4] / Math.pow(w[0], Gas.GAMMA));
    }
}
