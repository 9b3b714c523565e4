package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Write;

/**
 * Gradients of states at nodes, by least squares or by the integral over the border of a volume, and V.
 * Venkatakrishnan's
 * limiter ("Convergence to steady state solutions of the Euler equations on unstructured grids with limiters", J.
 * Comput.
 * Phys. 118, 1995).
 */
public final class Gradients {
    private Gradients() {}

    /** The moments of the distances to the neighbours: xx, xy, xz, yy, yz, zz, each over the square of the distance. */
    @MeshKernel
    static void moments(@Read(3) double[] x1, @Read(3) double[] x2, @Increment(6) double[] m1,
            @Increment(value = 6, repeats = "m1", sign = 1) double[] m2) {
        double[] d = new double[3];
        for (int k = 0; k < 3; k++) {
            d[k] = x2[k] - x1[k];
        }
        double weight = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double[] m = new double[6];
        m[0] = weight * d[0] * d[0];
        m[1] = weight * d[0] * d[1];
        m[2] = weight * d[0] * d[2];
        m[3] = weight * d[1] * d[1];
        m[4] = weight * d[1] * d[2];
        m[5] = weight * d[2] * d[2];
        for (int k = 0; k < 6; k++) {
            double f = m[k];
            m1[k] += f;
            m2[k] += f;
        }
    }

    /** The inverse of a symmetric matrix. */
    @MeshKernel
    static void invert(@ReadWrite(6) double[] m) {
        double a = m[3] * m[5] - m[4] * m[4];
        double b = m[2] * m[4] - m[1] * m[5];
        double c = m[1] * m[4] - m[2] * m[3];
        double one = 1 / (m[0] * a + m[1] * b + m[2] * c);
        double d = m[0] * m[5] - m[2] * m[2];
        double e = m[1] * m[2] - m[0] * m[4];
        double f = m[0] * m[3] - m[1] * m[1];
        m[0] = a * one;
        m[1] = b * one;
        m[2] = c * one;
        m[3] = d * one;
        m[4] = e * one;
        m[5] = f * one;
    }

    /** Differences along an edge, for least squares. */
    @MeshKernel
    static void slopes(@Read(3) double[] x1, @Read(3) double[] x2, @Read(6) double[] w1, @Read(6) double[] w2,
            @Increment(18) double[] g1, @Increment(value = 18, repeats = "g1", sign = 1) double[] g2) {
        double[] d = new double[3];
        for (int k = 0; k < 3; k++) {
            d[k] = x2[k] - x1[k];
        }
        double weight = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 6; k++) {
            double step = weight * (w2[k] - w1[k]);
            for (int i = 0; i < 3; i++) {
                double f = step * d[i];
                g1[3 * k + i] += f;
                g2[3 * k + i] += f;
            }
        }
    }

    /** Solves for the gradient. */
    @MeshKernel
    static void solve(@Read(6) double[] inverse, @ReadWrite(18) double[] g) {
        for (int k = 0; k < 6; k++) {
            double x = g[3 * k];
            double y = g[3 * k + 1];
            double z = g[3 * k + 2];
            g[3 * k] = inverse[0] * x + inverse[1] * y + inverse[2] * z;
            g[3 * k + 1] = inverse[1] * x + inverse[3] * y + inverse[4] * z;
            g[3 * k + 2] = inverse[2] * x + inverse[4] * y + inverse[5] * z;
        }
    }

    /** The state on the border between two volumes times its normal. */
    @MeshKernel
    static void border(@Read(3) double[] n, @Read(6) double[] w1, @Read(6) double[] w2, @Increment(18) double[] g1,
            @Increment(value = 18, repeats = "g1", sign = -1) double[] g2) {
        for (int k = 0; k < 6; k++) {
            double mean = 0.5 * (w1[k] + w2[k]);
            for (int i = 0; i < 3; i++) {
                double f = mean * n[i];
                g1[3 * k + i] += f;
                g2[3 * k + i] -= f;
            }
        }
    }

    /** The same on the boundary. */
    @MeshKernel
    static void close(@Read(3) double[] n, @Read(6) double[] w, @Increment(18) double[] g) {
        for (int k = 0; k < 6; k++) {
            for (int i = 0; i < 3; i++) {
                g[3 * k + i] += w[k] * n[i];
            }
        }
    }

    /** Divides by the volume. */
    @MeshKernel
    static void divide(@Read double[] volume, @ReadWrite(18) double[] g) {
        double one = 1 / volume[0];
        for (int k = 0; k < 18; k++) {
            g[k] *= one;
        }
    }

    /**
     * How much of each component's gradient leads to no new extremes half-way to the neighbours.
     *
     * @param threshold the cube of Venkatakrishnan's K
     */
    @MeshKernel
    static void limit(@Read(3) double[] x, @Read(6) double[] w, @Read(18) double[] g, @Read double[] volume,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] around,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] states, @Constant double threshold,
            @Write(6) double[] phi) {
        double[] least = new double[6];
        double[] most = new double[6];
        double[] share = new double[6];
        for (int c = 0; c < 6; c++) {
            least[c] = 0;
            most[c] = 0;
            share[c] = 1;
        }
        for (int k = 0; k < states.length; k++) {
            for (int c = 0; c < 6; c++) {
                least[c] = Math.min(least[c], states[k][c] - w[c]);
                most[c] = Math.max(most[c], states[k][c] - w[c]);
            }
        }
        double small = threshold * volume[0];
        for (int k = 0; k < around.length; k++) {
            double dx = 0.5 * (around[k][0] - x[0]);
            double dy = 0.5 * (around[k][1] - x[1]);
            double dz = 0.5 * (around[k][2] - x[2]);
            for (int c = 0; c < 6; c++) {
                double step = g[3 * c] * dx + g[3 * c + 1] * dy + g[3 * c + 2] * dz;
                double room = step > 0 ? most[c] : least[c];
                double over = room * room + 2 * step * room + small;
                double under = room * room + 2 * step * step + step * room + small;
                share[c] = Math.min(share[c], (over + Gas.MIN_DIVISOR) / (under + Gas.MIN_DIVISOR));
            }
        }
        for (int c = 0; c < 6; c++) {
            phi[c] = share[c];
        }
    }

    /** No limit. */
    @MeshKernel
    static void unlimited(@Write(6) double[] phi) {
        for (int c = 0; c < 6; c++) {
            phi[c] = 1;
        }
    }
}
