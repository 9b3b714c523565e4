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
    private static final double EMPTY = 1e29;
    private static final double ACTIVE = 0.03;
    private static final int WORST = 8;
    /** Sets of one, two and three; written as five, because loops of four runs are unrolled. */
    private static final int SIZES = 5;
    private static final double ENOUGH = 0.9;
    private static final int HALVINGS = 7;
    private static final double SHORTEST = 1.0 / 1024;
    private static final double TOLERANCE = 1e-9;

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
        return qualityOf(m, determinant, length(m, px, py, pz) + length(m, qx, qy, qz) + length(m, rx, ry, rz)
                + length(m, qx - px, qy - py, qz - pz) + length(m, rx - px, ry - py, rz - pz)
                + length(m, rx - qx, ry - qy, rz - qz));
    }

    /** The quality of a tetrahedron by its metric, determinant and sum of edge lengths. */
    @KernelFunction
    static double qualityOf(double[] m, double determinant, double sum) {
        double scale = m[0] * (m[3] * m[5] - m[4] * m[4]) - m[1] * (m[1] * m[5] - m[4] * m[2])
                + m[2] * (m[1] * m[4] - m[3] * m[2]);
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

    /** The quality of a tetrahedron and its gradient, as {@link SweepKernels#slope}. */
    @KernelFunction
    static void slope(double[] m, double px, double py, double pz, double qx, double qy, double qz, double rx,
            double ry, double rz, double[] t, double[] out) {
        double first = length(m, px, py, pz);
        double second = length(m, qx, qy, qz);
        double third = length(m, rx, ry, rz);
        double sum = first + second + third + length(m, qx - px, qy - py, qz - pz)
                + length(m, rx - px, ry - py, rz - pz) + length(m, rx - qx, ry - qy, rz - qz);
        double mean = sum * SIXTH;
        double least = Math.min(mean, 1 / mean);
        double growth = mean < 1 ? 1 : -1 / (mean * mean);
        double byLength = HALF * (2 - 2 * least) * growth / (least * (2 - least)) - 3 / sum;
        double determinant = triple(px, py, pz, qx, qy, qz, rx, ry, rz);
        double quality = qualityOf(m, determinant, sum);
        double ux = px / first + qx / second + rx / third;
        double uy = py / first + qy / second + ry / third;
        double uz = pz / first + qz / second + rz / third;
        double wx = (qy * rz - qz * ry) + (ry * pz - rz * py) + (py * qz - pz * qy);
        double wy = (qz * rx - qx * rz) + (rz * px - rx * pz) + (pz * qx - px * qz);
        double wz = (qx * ry - qy * rx) + (rx * py - ry * px) + (px * qy - py * qx);
        double gx = -quality * (wx / determinant + byLength * (m[0] * ux + m[1] * uy + m[2] * uz));
        double gy = -quality * (wy / determinant + byLength * (m[1] * ux + m[3] * uy + m[4] * uz));
        double gz = -quality * (wz / determinant + byLength * (m[2] * ux + m[4] * uy + m[5] * uz));
        double a = gx * t[0] + gy * t[1] + gz * t[2];
        double b = gx * t[3] + gy * t[4] + gz * t[5];
        double c = gx * t[6] + gy * t[7] + gz * t[8];
        out[0] = quality;
        out[1] = a * t[0] + b * t[3] + c * t[6];
        out[2] = a * t[1] + b * t[4] + c * t[7];
        out[3] = a * t[2] + b * t[5] + c * t[8];
    }

    /** One of eight numbers. */
    @KernelFunction
    static double pick(double[] a, int i) {
        return i < 4
                ? i < 2 ? i == 0 ? a[0] : a[1] : i == 2 ? a[2] : a[3]
                : i < 6 ? i == 4 ? a[4] : a[5] : i == 6 ? a[6] : a[7];
    }

    /** Puts a quality and its gradient among the eight worst, in order. */
    @KernelFunction
    static void insert(double[] one, double[] q, double[] x, double[] y, double[] z) {
        double a = one[0];
        double b = one[1];
        double c = one[2];
        double d = one[3];
        for (int i = 0; i < WORST; i++) {
            boolean before = a < q[i];
            double nextA = before ? q[i] : a;
            double nextB = before ? x[i] : b;
            double nextC = before ? y[i] : c;
            double nextD = before ? z[i] : d;
            q[i] = before ? a : q[i];
            x[i] = before ? b : x[i];
            y[i] = before ? c : y[i];
            z[i] = before ? d : z[i];
            a = nextA;
            b = nextB;
            c = nextC;
            d = nextD;
        }
    }

    /** Says whether all gradients have at least as much in the direction of a vector as that itself. */
    @KernelFunction
    static boolean isShortest(double[] q, double[] x, double[] y, double[] z, double u, double v, double w,
            double greatest) {
        double least = HUGE;
        for (int i = 0; i < WORST; i++) {
            least = Math.min(least, q[i] < EMPTY ? x[i] * u + y[i] * v + z[i] * w : HUGE);
        }
        return least >= u * u + v * v + w * w - TOLERANCE * greatest;
    }

    /**
     * The shortest convex combination of some gradients, as {@link ShortestCombination}; zero if there is none. The
     * loops run over sets of one, then two, then three, each in the order of numbers.
     */
    @KernelFunction
    static void shortest(double[] q, double[] x, double[] y, double[] z, double[] out) {
        double greatest = 0;
        for (int i = 0; i < WORST; i++) {
            greatest = Math.max(greatest, q[i] < EMPTY ? x[i] * x[i] + y[i] * y[i] + z[i] * z[i] : 0);
        }
        int found = 0;
        for (int size = 0; size < SIZES; size++) {
            for (int i = 0; i < WORST; i++) {
                for (int j = 0; j < WORST; j++) {
                    for (int k = 0; k < WORST; k++) {
                        boolean isSet = size == 0 ? j == i && k == i : size == 1 ? j > i && k == j : j > i && k > j;
                        if (size < 3 && found == 0 && isSet && pick(q, k) < EMPTY) {
                            double ax = pick(x, i);
                            double ay = pick(y, i);
                            double az = pick(z, i);
                            double px = pick(x, j) - ax;
                            double py = pick(y, j) - ay;
                            double pz = pick(z, j) - az;
                            double qx = pick(x, k) - ax;
                            double qy = pick(y, k) - ay;
                            double qz = pick(z, k) - az;
                            double pp = px * px + py * py + pz * pz;
                            double pq = px * qx + py * qy + pz * qz;
                            double qq = qx * qx + qy * qy + qz * qz;
                            double pa = -px * ax - py * ay - pz * az;
                            double qa = -qx * ax - qy * ay - qz * az;
                            double determinant = size == 2 ? pp * qq - pq * pq : pp;
                            double s = size == 2 ? (pa * qq - qa * pq) / determinant : pa / determinant;
                            double r = (qa * pp - pa * pq) / determinant;
                            s = size == 0 ? 0 : s;
                            r = size == 2 ? r : 0;
                            double u = ax + s * px + r * qx;
                            double v = ay + s * py + r * qy;
                            double w = az + s * pz + r * qz;
                            boolean isInside = size == 0
                                    || (s > 0 && s + r < 1 && (r > 0 || size == 1));
                            if (isInside && isShortest(q, x, y, z, u, v, w, greatest)) {
                                found = 1;
                                out[0] = u;
                                out[1] = v;
                                out[2] = w;
                            }
                        }
                    }
                }
            }
        }
        boolean isLong = found == 1
                && out[0] * out[0] + out[1] * out[1] + out[2] * out[2] > TOLERANCE * greatest;
        for (int c = 0; c < 3; c++) {
            out[c] = isLong ? out[c] : 0;
        }
    }

    /** Finds where a vertex goes uphill, as {@link SweepKernels#aim}: direction, growth and least quality. */
    @MeshKernel
    static void aim(@Read(3) double[] p, @Read(6) double[] m,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(DIRECTIONS) double[] t,
            @Read double[] awake, @Write(5) double[] a) {
        for (int c = 0; c < 5; c++) {
            a[c] = 0;
        }
        if (awake[0] > HALF && t[0] * t[0] + t[1] * t[1] + t[2] * t[2] > HALF) {
            double[] q = {HUGE, HUGE, HUGE, HUGE, HUGE, HUGE, HUGE, HUGE};
            double[] x = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] w = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] z = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] u = {0, 0, 0};
            double[] v = {0, 0, 0};
            double[] um = {0, 0, 0, 0, 0, 0};
            double[] vm = {0, 0, 0, 0, 0, 0};
            int corner = 0;
            for (int k = 0; k < y.length; k++) {
                double rx = y[k][0] - p[0];
                double ry = y[k][1] - p[1];
                double rz = y[k][2] - p[2];
                if (corner == 2) {
                    double[] mean = {0, 0, 0, 0, 0, 0};
                    for (int c = 0; c < 6; c++) {
                        mean[c] = 0.25 * (m[c] + um[c] + vm[c] + n[k][c]);
                    }
                    double[] one = {0, 0, 0, 0};
                    slope(mean, u[0], u[1], u[2], v[0], v[1], v[2], rx, ry, rz, t, one);
                    insert(one, q, x, w, z);
                }
                corner = corner == 2 ? 0 : corner + 1;
                for (int c = 0; c < 3; c++) {
                    u[c] = v[c];
                }
                v[0] = rx;
                v[1] = ry;
                v[2] = rz;
                for (int c = 0; c < 6; c++) {
                    um[c] = vm[c];
                    vm[c] = n[k][c];
                }
            }
            double least = q[0];
            for (int i = 0; i < WORST; i++) {
                q[i] = q[i] <= least * (1 + ACTIVE) ? q[i] : HUGE;
            }
            double[] way = {0, 0, 0};
            shortest(q, x, w, z, way);
            double size = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            if (size > 0) {
                double growth = HUGE;
                for (int i = 0; i < WORST; i++) {
                    growth = Math.min(growth,
                            q[i] < EMPTY ? (x[i] * way[0] + w[i] * way[1] + z[i] * way[2]) / size : HUGE);
                }
                for (int c = 0; c < 3; c++) {
                    a[c] = way[c] / size;
                }
                a[3] = growth;
                a[4] = least;
            }
        }
    }

    /** The first step uphill: where the worst tetrahedron would change by Taylor's formula. */
    @KernelFunction
    static void reach(double[] p, double[] m, double[][] y, double[][] n, double[] t, double[] a, double[] step) {
        double[] u = {0, 0, 0};
        double[] v = {0, 0, 0};
        double[] um = {0, 0, 0, 0, 0, 0};
        double[] vm = {0, 0, 0, 0, 0, 0};
        int corner = 0;
        for (int k = 0; k < y.length; k++) {
            double rx = y[k][0] - p[0];
            double ry = y[k][1] - p[1];
            double rz = y[k][2] - p[2];
            if (corner == 2) {
                double[] mean = {0, 0, 0, 0, 0, 0};
                for (int c = 0; c < 6; c++) {
                    mean[c] = 0.25 * (m[c] + um[c] + vm[c] + n[k][c]);
                }
                double[] one = {0, 0, 0, 0};
                slope(mean, u[0], u[1], u[2], v[0], v[1], v[2], rx, ry, rz, t, one);
                double closing = a[3] - one[1] * a[0] - one[2] * a[1] - one[3] * a[2];
                if (one[0] - a[4] > ACTIVE * a[4] && closing > 0) {
                    step[0] = Math.min(step[0], (one[0] - a[4]) / closing);
                }
            }
            corner = corner == 2 ? 0 : corner + 1;
            for (int c = 0; c < 3; c++) {
                u[c] = v[c];
            }
            v[0] = rx;
            v[1] = ry;
            v[2] = rz;
            for (int c = 0; c < 6; c++) {
                um[c] = vm[c];
                vm[c] = n[k][c];
            }
        }
    }

    /** Goes uphill, as {@link SweepKernels#climb}. */
    @MeshKernel
    static void climb(@ReadWrite(3) double[] p, @ReadWrite(6) double[] m,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(DIRECTIONS) double[] t,
            @Read(5) double[] a, @Constant(6) Raster metric, @Constant(SweepKernels.RULES) double[] rule,
            @ReadWrite double[] awake, @Sum int[] moved) {
        int done = 0;
        if (a[3] > 0) {
            double unit = HALF / length(m, a[0], a[1], a[2]);
            double[] first = {unit};
            reach(p, m, y, n, t, a, first);
            double step = Math.max(first[0], unit * SHORTEST);
            double[] from = {p[0], p[1], p[2]};
            double best = rule[SweepKernels.GAIN];
            int ended = 0;
            for (int halving = 0; halving < HALVINGS; halving++) {
                if (ended == 0) {
                    double[] at = {from[0] + step * a[0], from[1] + step * a[1], from[2] + step * a[2]};
                    double[] there = {0, 0, 0, 0, 0, 0};
                    find(metric, at[0], at[1], at[2], there);
                    double reached = leastAt(at, there, y, n, rule);
                    ended = done;
                    if (reached > a[4] + best) {
                        done = 1;
                        best = reached - a[4];
                        for (int c = 0; c < 3; c++) {
                            p[c] = at[c];
                        }
                        for (int c = 0; c < 6; c++) {
                            m[c] = there[c];
                        }
                        ended = best >= ENOUGH * step * a[3] ? 1 : 0;
                    }
                    step *= HALF;
                }
            }
        }
        awake[0] = done;
        moved[0] += done;
    }
}
