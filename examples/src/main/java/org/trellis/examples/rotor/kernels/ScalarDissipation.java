package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Write;

/**
 * The dissipation of A. Jameson, W. Schmidt and E. Turkel ("Numerical solution of the Euler equations by finite volume
 * methods using Runge–Kutta time-stepping schemes", AIAA 81-1259): second differences at shocks, fourth differences
 * elsewhere, times the speed of the fastest wave. The fifth component is {@code ρH}, which keeps enthalpy constant in
 * steady flow.
 */
public final class ScalarDissipation {
    private ScalarDissipation() {}

    /** What is differenced: conserved quantities, with enthalpy for energy. */
    @KernelFunction
    static void quantities(double[] w, double[] h) {
        h[0] = w[0];
        h[1] = w[0] * w[1];
        h[2] = w[0] * w[2];
        h[3] = w[0] * w[3];
        h[4] = Gas.GAMMA / Gas.GAMMA_1 * w[4] + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
        h[5] = w[0] * w[5];
    }

    /** The speed of the fastest wave through a border times its area, of the mean of two states. */
    @KernelFunction
    static double speed(double[] a, double[] b, double[] n, double vg) {
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double un = 0.5 * ((a[1] + b[1]) * n[0] + (a[2] + b[2]) * n[1] + (a[3] + b[3]) * n[2]) - vg;
        double c = Math.sqrt(Gas.GAMMA * (a[4] + b[4]) / (a[0] + b[0]));
        return Math.abs(un) + c * area;
    }

    /** Sums the differences to the neighbours. */
    @MeshKernel
    static void differences(@Read(6) double[] w1, @Read(6) double[] w2, @Increment(6) double[] l1,
            @Increment(value = 6, repeats = "l1", sign = -1) double[] l2) {
        double[] h1 = new double[6];
        double[] h2 = new double[6];
        quantities(w1, h1);
        quantities(w2, h2);
        for (int k = 0; k < 6; k++) {
            double f = h2[k] - h1[k];
            l1[k] += f;
            l2[k] -= f;
        }
    }

    /** Sums differences and sums of the pressure. */
    @MeshKernel
    static void pressures(@Read(6) double[] w1, @Read(6) double[] w2, @Increment(2) double[] s1,
            @Increment(2) double[] s2) {
        s1[0] += w2[4] - w1[4];
        s2[0] += w1[4] - w2[4];
        s1[1] += w1[4] + w2[4];
        s2[1] += w1[4] + w2[4];
    }

    /** How much like a shock the pressure at a node is, 0 to 1. */
    @MeshKernel
    static void sensor(@Read(2) double[] s, @Write double[] shock) {
        shock[0] = Math.abs(s[0]) / s[1];
    }

    /**
     * The dissipation between the ends of an edge.
     *
     * @param factors of second and of fourth differences
     */
    @MeshKernel
    static void scalar(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w1, @Read(6) double[] w2,
            @Read(6) double[] l1, @Read(6) double[] l2, @Read double[] shock1, @Read double[] shock2,
            @Constant(2) double[] factors, @Constant double omega, @Increment(6) double[] d1,
            @Increment(value = 6, repeats = "d1", sign = -1) double[] d2) {
        double lambda = speed(w1, w2, n, omega * sweep[0]);
        double second = factors[0] * Math.min(1.0, Math.max(shock1[0], shock2[0]) * 8);
        double fourth = Math.max(0.0, factors[1] - second);
        double[] h1 = new double[6];
        double[] h2 = new double[6];
        quantities(w1, h1);
        quantities(w2, h2);
        for (int k = 0; k < 6; k++) {
            double f = -lambda * (second * (h2[k] - h1[k]) - fourth * (l2[k] - l1[k]));
            d1[k] += f;
            d2[k] -= f;
        }
    }

    /** Second differences everywhere, for coarse levels. */
    @MeshKernel
    static void scalarFirst(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w1, @Read(6) double[] w2,
            @Constant(2) double[] factors, @Constant double omega, @Increment(6) double[] d1,
            @Increment(value = 6, repeats = "d1", sign = -1) double[] d2) {
        double lambda = speed(w1, w2, n, omega * sweep[0]);
        double[] h1 = new double[6];
        double[] h2 = new double[6];
        quantities(w1, h1);
        quantities(w2, h2);
        for (int k = 0; k < 6; k++) {
            double f = -lambda * factors[0] * (h2[k] - h1[k]);
            d1[k] += f;
            d2[k] -= f;
        }
    }
}
