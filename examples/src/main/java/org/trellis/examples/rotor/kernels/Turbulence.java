package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Write;

/**
 * The model of P. R. Spalart and S. R. Allmaras ("A one-equation turbulence model for aerodynamic flows", AIAA
 * 92-0439),
 * without trip, in the form that conserves {@code ρν̃}; and flows that are made up, with the sources that they need.
 */
public final class Turbulence {
    /** The least vorticity that counts, as a share of the flow's. */
    private static final double LEAST_VORTICITY = 0.3;
    private static final double MOST_RATIO = 10;

    private Turbulence() {}

    /** The vorticity of the model. */
    @KernelFunction
    static double vorticity(double[] w, double[] g, double laminar, double distance) {
        double wx = g[10] - g[8];
        double wy = g[5] - g[9];
        double wz = g[6] - g[4];
        double own = Math.sqrt(wx * wx + wy * wy + wz * wz + Gas.MIN_DIVISOR);
        double chi = w[0] * w[5] / laminar;
        double cube = chi * chi * chi;
        double fv1 = cube / (cube + Gas.CV1 * Gas.CV1 * Gas.CV1);
        double fv2 = 1 - chi / (1 + chi * fv1);
        double scale = Gas.KAPPA * Gas.KAPPA * distance * distance;
        return Math.max(LEAST_VORTICITY * own, own + w[5] * fv2 / scale);
    }

    /** How fast walls destroy turbulence, over the square of ν̃ over the distance. */
    @KernelFunction
    static double wall(double nu, double vorticity, double distance) {
        double scale = Gas.KAPPA * Gas.KAPPA * distance * distance;
        double r = Math.min(nu / (vorticity * scale), MOST_RATIO);
        double square = r * r;
        double g = r + Gas.CW2 * (square * square * square - r);
        double cube = g * g * g;
        double third = Gas.CW3 * Gas.CW3 * Gas.CW3;
        return Gas.CW1 * g * Math.cbrt(Math.sqrt((1 + third * third) / (cube * cube + third * third)));
    }

    /** What is produced, less what is destroyed, and what gradients give, in a unit of volume. */
    static double source(double[] w, double[] g, double laminar, double distance) {
        double vorticity = vorticity(w, g, laminar, distance);
        return source(w, g, laminar, distance, vorticity, wall(w[5], vorticity, distance));
    }

    /** The same from what a kernel has already: a root is not cheap enough to be taken twice. */
    @KernelFunction
    static double source(double[] w, double[] g, double laminar, double distance, double vorticity, double fw) {
        double over = w[5] / distance;
        double square = g[15] * g[15] + g[16] * g[16] + g[17] * g[17];
        double product = g[0] * g[15] + g[1] * g[16] + g[2] * g[17];
        return w[0] * (Gas.CB1 * vorticity * w[5] - fw * over * over + Gas.CB2 / Gas.SIGMA * square)
                - (laminar / w[0] + w[5]) / Gas.SIGMA * product;
    }

    /**
     * Adds the model's sources, and says how much faster a point-implicit step has to be damped.
     *
     * @param distance from the nearest wall; on walls nothing is added, since they are held
     */
    @MeshKernel
    static void sources(@Read(6) double[] w, @Read(18) double[] g, @Read(2) double[] mu, @Read double[] distance,
            @Read double[] volume, @Increment(6) double[] d, @Write double[] damping) {
        double off = distance[0] > 0 ? 1 : 0;
        double away = distance[0] > 0 ? distance[0] : 1;
        double vorticity = vorticity(w, g, mu[0], away);
        double fw = wall(w[5], vorticity, away);
        d[5] -= off * volume[0] * source(w, g, mu[0], away, vorticity, fw);
        damping[0] = off * volume[0] * 2 * fw * Math.abs(w[5]) / (away * away);
    }

    /** Adds given sources. */
    @MeshKernel
    static void give(@Read(6) double[] source, @Read double[] volume, @Increment(6) double[] r) {
        for (int k = 0; k < 6; k++) {
            r[k] -= volume[0] * source[k];
        }
    }
}
