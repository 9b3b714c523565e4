package org.trellis.adapt;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.Constant;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Raster;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Write;

/**
 * The steps of vertices of tetrahedra as kernels of the mesh runtime; what becomes of them is for
 * {@link SpaceSweepKernels}, which says what directions and rule are.
 */
final class SpaceStepKernels {
    private static final double OFFSET = 1.01;
    private static final double HALF = 0.5;

    private SpaceStepKernels() {}

    /** u M v of two vectors and a tensor. */
    @KernelFunction
    static double product(double[] m, double ux, double uy, double uz, double vx, double vy, double vz) {
        return ux * (m[0] * vx + m[1] * vy + m[2] * vz) + uy * (m[1] * vx + m[3] * vy + m[4] * vz)
                + uz * (m[2] * vx + m[4] * vy + m[5] * vz);
    }

    /** What makes a row dominant. */
    @KernelFunction
    static double dominance(double diagonal, double other, double another, double dominant) {
        return dominant > HALF ? Math.max(diagonal, OFFSET * (Math.abs(other) + Math.abs(another))) : 0;
    }

    /** The metric at a place. */
    @KernelFunction
    static void find(Raster metric, double x, double y, double z, double[] m) {
        m[0] = metric.linear(0, x, y, z);
        m[1] = metric.linear(1, x, y, z);
        m[2] = metric.linear(2, x, y, z);
        m[3] = metric.linear(3, x, y, z);
        m[4] = metric.linear(4, x, y, z);
        m[5] = metric.linear(5, x, y, z);
    }

    /** The metric where a vertex is. */
    @MeshKernel
    static void sample(@Read(3) double[] p, @Constant(6) Raster metric, @Write(6) double[] m) {
        find(metric, p[0], p[1], p[2], m);
    }

    /** Adds up the metrics of the edges of a vertex, and what they pull with: six and three numbers. */
    @KernelFunction
    static void addUp(double[] p, double[] m, double[][] y, double[][] n, Raster metric, double[] rule, double[] sum,
            double[] g) {
        for (int k = 0; k < y.length; k++) {
            double dx = y[k][0] - p[0];
            double dy = y[k][1] - p[1];
            double dz = y[k][2] - p[2];
            double[] w = {1, 0, 0, 1, 0, 1};
            if (rule[SweepKernels.PLAIN] < HALF) {
                if (rule[SweepKernels.MIDDLE] > HALF) {
                    double x = p[0] + HALF * dx;
                    double z = p[1] + HALF * dy;
                    double h = p[2] + HALF * dz;
                    find(metric, x, z, h, w);
                } else {
                    for (int c = 0; c < 6; c++) {
                        w[c] = HALF * (m[c] + n[k][c]);
                    }
                }
            }
            for (int c = 0; c < 6; c++) {
                sum[c] += w[c];
            }
            g[0] += w[0] * dx + w[1] * dy + w[2] * dz;
            g[1] += w[1] * dx + w[3] * dy + w[4] * dz;
            g[2] += w[2] * dx + w[4] * dy + w[5] * dz;
        }
    }

    /** The step of a vertex: (A + D) s = w g in its own directions, by elimination. */
    @MeshKernel
    static void pull(@Read(3) double[] p, @Read(6) double[] m,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n,
            @Read(SpaceSweepKernels.DIRECTIONS) double[] t,
            @Constant(6) Raster metric, @Constant(SweepKernels.RULES) double[] rule, @Write(3) double[] s) {
        double[] sum = {0, 0, 0, 0, 0, 0};
        double[] g = {0, 0, 0};
        addUp(p, m, y, n, metric, rule, sum, g);
        double a00 = product(sum, t[0], t[1], t[2], t[0], t[1], t[2]);
        double a01 = product(sum, t[0], t[1], t[2], t[3], t[4], t[5]);
        double a02 = product(sum, t[0], t[1], t[2], t[6], t[7], t[8]);
        double a11 = product(sum, t[3], t[4], t[5], t[3], t[4], t[5]);
        double a12 = product(sum, t[3], t[4], t[5], t[6], t[7], t[8]);
        double a22 = product(sum, t[6], t[7], t[8], t[6], t[7], t[8]);
        double d0 = a00 + dominance(a00, a01, a02, rule[SweepKernels.DOMINANT]);
        double d1 = a11 + dominance(a11, a01, a12, rule[SweepKernels.DOMINANT]);
        double d2 = a22 + dominance(a22, a02, a12, rule[SweepKernels.DOMINANT]);
        d0 = d0 > 0 ? d0 : 1;
        d1 = d1 > 0 ? d1 : 1;
        d2 = d2 > 0 ? d2 : 1;
        double b0 = rule[SweepKernels.SHARE] * (t[0] * g[0] + t[1] * g[1] + t[2] * g[2]);
        double b1 = rule[SweepKernels.SHARE] * (t[3] * g[0] + t[4] * g[1] + t[5] * g[2]) - a01 / d0 * b0;
        double b2 = rule[SweepKernels.SHARE] * (t[6] * g[0] + t[7] * g[1] + t[8] * g[2]) - a02 / d0 * b0;
        double e1 = d1 - a01 / d0 * a01;
        double e12 = a12 - a01 / d0 * a02;
        double e2 = d2 - a02 / d0 * a02 - e12 / e1 * e12;
        double s2 = (b2 - e12 / e1 * b1) / e2;
        double s1 = (b1 - e12 * s2) / e1;
        double s0 = (b0 - a01 * s1 - a02 * s2) / d0;
        s[0] = s0 * t[0] + s1 * t[3] + s2 * t[6];
        s[1] = s0 * t[1] + s1 * t[4] + s2 * t[7];
        s[2] = s0 * t[2] + s1 * t[5] + s2 * t[8];
    }

    /** Makes a step, whatever becomes of the tetrahedra. */
    @MeshKernel
    static void move(@ReadWrite(3) double[] p, @Write(6) double[] m, @Read(3) double[] s, @Constant(6) Raster metric) {
        p[0] += s[0];
        p[1] += s[1];
        p[2] += s[2];
        find(metric, p[0], p[1], p[2], m);
    }
}
