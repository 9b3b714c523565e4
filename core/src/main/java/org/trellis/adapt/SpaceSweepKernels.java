package org.trellis.adapt;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.Constant;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Raster;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * Smoothing of meshes of tetrahedra as kernels of the mesh runtime, for metrics in a raster: the methods and the rule
 * of {@link SweepKernels}. A colour takes two loops, since neighbours count once each for the step, and as corners of
 * tetrahedra for what becomes of these.
 *
 * <p>{@code t} are the directions of a vertex, three numbers each, orthogonal and of unit length: three of a free
 * vertex, two of one on a plane, one on a ridge; the others are zero.
 */
final class SpaceSweepKernels {
    /** Numbers of directions of a vertex. */
    static final int DIRECTIONS = 9;

    private static final double OFFSET = 1.01;
    private static final double SPACE_FACTOR = 1832.8207768355312;
    private static final double SIXTH = 1.0 / 6;
    private static final double HUGE = 1e30;
    private static final double HALF = 0.5;

    private SpaceSweepKernels() {}

    /** u M v of two vectors and a tensor. */
    @KernelFunction
    static double product(double[] m, double ux, double uy, double uz, double vx, double vy, double vz) {
        return ux * (m[0] * vx + m[1] * vy + m[2] * vz) + uy * (m[1] * vx + m[3] * vy + m[4] * vz)
                + uz * (m[2] * vx + m[4] * vy + m[5] * vz);
    }

    /** The length of a vector in a metric. */
    @KernelFunction
    static double length(double[] m, double x, double y, double z) {
        return Math.sqrt(product(m, x, y, z, x, y, z));
    }

    /** The determinant of three vectors: six times the volume of the tetrahedron that they span. */
    @KernelFunction
    static double triple(double px, double py, double pz, double qx, double qy, double qz, double rx, double ry,
            double rz) {
        return (py * qz - pz * qy) * rx + (pz * qx - px * qz) * ry + (px * qy - py * qx) * rz;
    }

    /** What the rounding of a determinant is relative to: the same with all terms positive. */
    @KernelFunction
    static double permanent(double px, double py, double pz, double qx, double qy, double qz, double rx, double ry,
            double rz) {
        return (Math.abs(py * qz) + Math.abs(pz * qy)) * Math.abs(rx)
                + (Math.abs(pz * qx) + Math.abs(px * qz)) * Math.abs(ry)
                + (Math.abs(px * qy) + Math.abs(py * qx)) * Math.abs(rz);
    }

    /** The quality of a tetrahedron with its determinant and metric, by the vectors from one corner to the others. */
    @KernelFunction
    static double quality(double[] m, double determinant, double px, double py, double pz, double qx, double qy,
            double qz, double rx, double ry, double rz) {
        double scale = m[0] * (m[3] * m[5] - m[4] * m[4]) - m[1] * (m[1] * m[5] - m[4] * m[2])
                + m[2] * (m[1] * m[4] - m[3] * m[2]);
        double sum = length(m, px, py, pz) + length(m, qx, qy, qz) + length(m, rx, ry, rz)
                + length(m, qx - px, qy - py, qz - pz) + length(m, rx - px, ry - py, rz - pz)
                + length(m, rx - qx, ry - qy, rz - qz);
        double mean = sum * SIXTH;
        double least = Math.min(mean, 1 / mean);
        double base = least * (2 - least);
        return SPACE_FACTOR * SIXTH * determinant * Math.sqrt(Math.max(0, scale)) / (sum * sum * sum)
                * (base * base * base);
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

    /** The quality of tetrahedra by their corners. */
    @MeshKernel
    static void measure(@Read(value = 3, entries = 4) double[][] x, @Read(value = 6, entries = 4) double[][] m,
            @Write double[] q) {
        double[] mean = {0, 0, 0, 0, 0, 0};
        for (int c = 0; c < 6; c++) {
            mean[c] = 0.25 * (m[0][c] + m[1][c] + m[2][c] + m[3][c]);
        }
        double px = x[1][0] - x[0][0];
        double py = x[1][1] - x[0][1];
        double pz = x[1][2] - x[0][2];
        double qx = x[2][0] - x[0][0];
        double qy = x[2][1] - x[0][1];
        double qz = x[2][2] - x[0][2];
        double rx = x[3][0] - x[0][0];
        double ry = x[3][1] - x[0][1];
        double rz = x[3][2] - x[0][2];
        q[0] = quality(mean, triple(px, py, pz, qx, qy, qz, rx, ry, rz), px, py, pz, qx, qy, qz, rx, ry, rz);
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
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(DIRECTIONS) double[] t,
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

    /**
     * The least quality around a place with a metric; very low if one tetrahedron may be flat, very high unless asked
     * for. The rows are the corners of the tetrahedra around the vertex, three for each.
     */
    @KernelFunction
    static double leastAt(double[] at, double[] m, double[][] y, double[][] n, double[] rule) {
        double px = 0;
        double py = 0;
        double pz = 0;
        double qx = 0;
        double qy = 0;
        double qz = 0;
        double[] pm = {0, 0, 0, 0, 0, 0};
        double[] qm = {0, 0, 0, 0, 0, 0};
        double least = HUGE;
        double flat = 1;
        int corner = 0;
        for (int k = 0; k < y.length; k++) {
            double rx = y[k][0] - at[0];
            double ry = y[k][1] - at[1];
            double rz = y[k][2] - at[2];
            if (corner == 2) {
                double determinant = triple(px, py, pz, qx, qy, qz, rx, ry, rz);
                flat = Math.min(flat, determinant
                        - rule[SweepKernels.ROUNDING] * permanent(px, py, pz, qx, qy, qz, rx, ry, rz));
                if (rule[SweepKernels.SMART] > HALF) {
                    double[] mean = {0, 0, 0, 0, 0, 0};
                    for (int c = 0; c < 6; c++) {
                        mean[c] = 0.25 * (m[c] + pm[c] + qm[c] + n[k][c]);
                    }
                    least = Math.min(least,
                            quality(mean, determinant, px, py, pz, qx, qy, qz, rx, ry, rz));
                }
            }
            corner = corner == 2 ? 0 : corner + 1;
            px = qx;
            py = qy;
            pz = qz;
            qx = rx;
            qy = ry;
            qz = rz;
            for (int c = 0; c < 6; c++) {
                pm[c] = qm[c];
                qm[c] = n[k][c];
            }
        }
        return flat > 0 ? least : -HUGE;
    }

    /**
     * Moves a vertex, with its metric, a whole step or half of it, if no tetrahedron becomes flat and, if asked for,
     * the worst becomes better.
     */
    @MeshKernel
    static void advance(@ReadWrite(3) double[] p, @ReadWrite(6) double[] m,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(3) double[] s,
            @Read(DIRECTIONS) double[] t, @Constant(6) Raster metric, @Constant(SweepKernels.RULES) double[] rule,
            @Sum int[] moved) {
        boolean moves = t[0] * t[0] + t[1] * t[1] + t[2] * t[2] > HALF;
        double wanted = -HUGE;
        if (rule[SweepKernels.SMART] > HALF) {
            double[] here = {p[0], p[1], p[2]};
            wanted = leastAt(here, m, y, n, rule) + rule[SweepKernels.GAIN];
        }
        double[] from = {p[0], p[1], p[2]};
        double factor = 1;
        int done = 0;
        for (int trial = 0; trial < 2; trial++) {
            if (done == 0) {
                double[] at = {from[0] + factor * s[0], from[1] + factor * s[1], from[2] + factor * s[2]};
                double[] there = {0, 0, 0, 0, 0, 0};
                find(metric, at[0], at[1], at[2], there);
                if (moves && leastAt(at, there, y, n, rule) > wanted) {
                    for (int c = 0; c < 3; c++) {
                        p[c] = at[c];
                    }
                    for (int c = 0; c < 6; c++) {
                        m[c] = there[c];
                    }
                    done = 1;
                }
                factor *= HALF;
            }
        }
        moved[0] += done;
    }
}
