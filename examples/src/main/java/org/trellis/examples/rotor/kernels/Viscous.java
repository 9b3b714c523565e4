package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** Friction and conduction of heat, laminar and turbulent. Viscosities are the laminar one and the turbulent one. */
public final class Viscous {
    /** How much more than a volume's width squared over the viscosity a time step is limited. */
    private static final double SAFETY = 2;

    private Viscous() {}

    /** The stress times a normal, and what it and heat do to energy, from the gradients on a border. */
    @KernelFunction
    static void stress(double[] w, double[] g, double[] n, double mu, double conduction, double[] f) {
        double divergence = (g[3] + g[7] + g[11]) * (2.0 / 3);
        double xy = g[4] + g[6];
        double xz = g[5] + g[9];
        double yz = g[8] + g[10];
        f[1] = mu * ((2 * g[3] - divergence) * n[0] + xy * n[1] + xz * n[2]);
        f[2] = mu * (xy * n[0] + (2 * g[7] - divergence) * n[1] + yz * n[2]);
        f[3] = mu * (xz * n[0] + yz * n[1] + (2 * g[11] - divergence) * n[2]);
        double heat = (g[12] * n[0] + g[13] * n[1] + g[14] * n[2]) / w[0]
                - (g[0] * n[0] + g[1] * n[1] + g[2] * n[2]) * (w[4] / (w[0] * w[0]));
        f[4] = w[1] * f[1] + w[2] * f[2] + w[3] * f[3] + conduction * Gas.GAMMA * heat;
    }

    /** Conductivity over the specific heat and γ - 1. */
    @KernelFunction
    static double conduction(double laminar, double turbulent) {
        return (laminar / Gas.PRANDTL + turbulent / Gas.PRANDTL_TURBULENT) / Gas.GAMMA_1;
    }

    /**
     * Viscosities of a state: Sutherland's, and that of Spalart and Allmaras.
     *
     * @param law the viscosity at T = 1 and Sutherland's constant over the temperature there; 0 for a constant
     *            viscosity
     */
    @MeshKernel
    static void viscosity(@Read(6) double[] w, @Constant(2) double[] law, @Write(2) double[] mu) {
        double t = Gas.GAMMA * w[4] / w[0];
        double laminar = law[1] > 0 ? law[0] * t * Math.sqrt(t) * (1 + law[1]) / (t + law[1]) : law[0];
        double product = Math.max(0.0, w[0] * w[5]);
        double chi = product / laminar;
        double cube = chi * chi * chi;
        mu[0] = laminar;
        mu[1] = product * (cube / (cube + Gas.CV1 * Gas.CV1 * Gas.CV1));
    }

    /**
     * The flux through the border of an edge: gradients are means of those of the ends, with the component along the
     * edge
     * replaced by the difference of the ends.
     */
    @MeshKernel
    static void friction(@Read(3) double[] x1, @Read(3) double[] x2, @Read(3) double[] n, @Read(6) double[] w1,
            @Read(6) double[] w2, @Read(18) double[] g1, @Read(18) double[] g2, @Read(2) double[] mu1,
            @Read(2) double[] mu2, @Increment(6) double[] d1,
            @Increment(value = 6, repeats = "d1", sign = -1) double[] d2) {
        double[] d = new double[3];
        for (int k = 0; k < 3; k++) {
            d[k] = x2[k] - x1[k];
        }
        double one = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double[] w = new double[6];
        double[] g = new double[18];
        for (int k = 0; k < 6; k++) {
            w[k] = 0.5 * (w1[k] + w2[k]);
            double along = 0;
            for (int i = 0; i < 3; i++) {
                g[3 * k + i] = 0.5 * (g1[3 * k + i] + g2[3 * k + i]);
                along += g[3 * k + i] * d[i];
            }
            double missing = (w2[k] - w1[k] - along) * one;
            for (int i = 0; i < 3; i++) {
                g[3 * k + i] += missing * d[i];
            }
        }
        double laminar = 0.5 * (mu1[0] + mu2[0]);
        double turbulent = 0.5 * (mu1[1] + mu2[1]);
        double[] f = new double[6];
        stress(w, g, n, laminar + turbulent, conduction(laminar, turbulent), f);
        f[0] = 0;
        f[5] = (laminar + w[0] * w[5]) / Gas.SIGMA * (g[15] * n[0] + g[16] * n[1] + g[17] * n[2]);
        for (int k = 0; k < 6; k++) {
            double out = -f[k];
            d1[k] += out;
            d2[k] -= out;
        }
    }

    /** The same from the difference of the ends alone, for coarse levels. */
    @MeshKernel
    static void frictionFirst(@Read(3) double[] x1, @Read(3) double[] x2, @Read(3) double[] n, @Read(6) double[] w1,
            @Read(6) double[] w2, @Read(2) double[] mu1, @Read(2) double[] mu2, @Increment(6) double[] d1,
            @Increment(value = 6, repeats = "d1", sign = -1) double[] d2) {
        double[] d = new double[3];
        for (int k = 0; k < 3; k++) {
            d[k] = x2[k] - x1[k];
        }
        double one = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double[] w = new double[6];
        double[] g = new double[18];
        for (int k = 0; k < 6; k++) {
            w[k] = 0.5 * (w1[k] + w2[k]);
            for (int i = 0; i < 3; i++) {
                g[3 * k + i] = (w2[k] - w1[k]) * one * d[i];
            }
        }
        double laminar = 0.5 * (mu1[0] + mu2[0]);
        double turbulent = 0.5 * (mu1[1] + mu2[1]);
        double[] f = new double[6];
        stress(w, g, n, laminar + turbulent, conduction(laminar, turbulent), f);
        f[0] = 0;
        f[5] = 0;
        for (int k = 0; k < 6; k++) {
            double out = -f[k];
            d1[k] += out;
            d2[k] -= out;
        }
    }

    /** What viscosity adds to the speed of the fastest wave. */
    @MeshKernel
    static void diffusionSpeed(@Read(3) double[] x1, @Read(3) double[] x2, @Read(3) double[] n, @Read(6) double[] w1,
            @Read(6) double[] w2, @Read(2) double[] mu1, @Read(2) double[] mu2, @Increment double[] s1,
            @Increment(repeats = "s1", sign = 1) double[] s2) {
        double dx = x2[0] - x1[0];
        double dy = x2[1] - x1[1];
        double dz = x2[2] - x1[2];
        double distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double mu = (mu1[0] + mu2[0]) / Gas.PRANDTL + (mu1[1] + mu2[1]) / Gas.PRANDTL_TURBULENT;
        double s = SAFETY * 0.5 * Gas.GAMMA * mu / (0.5 * (w1[0] + w2[0])) * area / distance;
        s1[0] += s;
        s2[0] += s;
    }

    /** The friction on a wall, and the sum over it, by the gradients at its nodes. */
    @MeshKernel
    static void wallFriction(@Read(3) double[] n, @Read(6) double[] w, @Read(18) double[] g, @Read(2) double[] mu,
            @Write(3) double[] traction, @Sum(3) double[] force) {
        double[] f = new double[6];
        stress(w, g, n, mu[0] + mu[1], conduction(mu[0], mu[1]), f);
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        // The normal points out of the fluid: what the wall takes is minus the stress on the fluid.
        for (int k = 0; k < 3; k++) {
            traction[k] = -f[k + 1] / area;
            force[k] += -f[k + 1];
        }
    }
}
