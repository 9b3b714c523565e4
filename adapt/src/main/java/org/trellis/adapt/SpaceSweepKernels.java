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
 *
 * <p>{@code shape} says what a vertex slides along: twice the kind of a surface (none, sphere, cylinder, plane) and its
 * seven numbers (centre or point, axis or normal, radius); two surfaces meet in a ridge.
 */
final class SpaceSweepKernels {
    /** Numbers of directions of a vertex. */
    static final int DIRECTIONS = 9;
    /** Numbers of a shape, and of one of its surfaces. */
    static final int SHAPE = 16;
    static final int SURFACE = 8;

    private static final double SPACE_FACTOR = 1832.8207768355312;
    private static final double SIXTH = 1.0 / 6;
    private static final double HUGE_QUALITY = 1e30;
    private static final double HALF = 0.5;
    private static final double NO_QUALITY = 1e29;
    private static final double ACTIVE = 0.03;
    private static final int WORST = 8;
    /** Sets of one, two and three, or trials; five, because loops of four runs are unrolled. */
    private static final int SIZES = 5;
    private static final double SUFFICIENT_GAIN = 0.9;
    private static final int HALVINGS = 7;
    private static final double SHORTEST = 1.0 / 1024;
    private static final double TOLERANCE = 1e-9;
    private static final double ROUND = 1.5;
    private static final double FLAT = 2.5;
    private static final int RIDGE_STEPS = 30;
    private static final double PARALLEL = 1e-12;

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
    static double triple(double[] p, double[] q, double[] r) {
        return (p[1] * q[2] - p[2] * q[1]) * r[0] + (p[2] * q[0] - p[0] * q[2]) * r[1]
                + (p[0] * q[1] - p[1] * q[0]) * r[2];
    }

    /** What the rounding of a determinant is relative to: the same with all terms positive. */
    @KernelFunction
    static double permanent(double[] p, double[] q, double[] r) {
        return (Math.abs(p[1] * q[2]) + Math.abs(p[2] * q[1])) * Math.abs(r[0])
                + (Math.abs(p[2] * q[0]) + Math.abs(p[0] * q[2])) * Math.abs(r[1])
                + (Math.abs(p[0] * q[1]) + Math.abs(p[1] * q[0])) * Math.abs(r[2]);
    }

    /** The lengths of the edges of a tetrahedron, by the vectors from one corner to the others, without those. */
    @KernelFunction
    static double opposite(double[] m, double[] p, double[] q, double[] r) {
        return length(m, q[0] - p[0], q[1] - p[1], q[2] - p[2]) + length(m, r[0] - p[0], r[1] - p[1], r[2] - p[2])
                + length(m, r[0] - q[0], r[1] - q[1], r[2] - q[2]);
    }

    /** The quality of a tetrahedron by the same vectors. */
    @KernelFunction
    static double quality(double[] m, double determinant, double[] p, double[] q, double[] r) {
        return qualityOf(m, determinant, length(m, p[0], p[1], p[2]) + length(m, q[0], q[1], q[2])
                + length(m, r[0], r[1], r[2]) + opposite(m, p, q, r));
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

    /** The quality of tetrahedra by their corners. */
    @MeshKernel
    static void measure(@Read(value = 3, entries = 4) double[][] x, @Read(value = 6, entries = 4) double[][] m,
            @Write double[] q) {
        double[] mean = {0, 0, 0, 0, 0, 0};
        for (int c = 0; c < 6; c++) {
            mean[c] = 0.25 * (m[0][c] + m[1][c] + m[2][c] + m[3][c]);
        }
        double[] p = {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]};
        double[] r = {x[2][0] - x[0][0], x[2][1] - x[0][1], x[2][2] - x[0][2]};
        double[] s = {x[3][0] - x[0][0], x[3][1] - x[0][1], x[3][2] - x[0][2]};
        q[0] = quality(mean, triple(p, r, s), p, r, s);
    }

    /** The nearest point of a sphere, cylinder or plane, and the normal there. */
    @KernelFunction
    static void foot(double kind, double cx, double cy, double cz, double ax, double ay, double az, double radius,
            double[] at, double[] out) {
        double dx = at[0] - cx;
        double dy = at[1] - cy;
        double dz = at[2] - cz;
        double along = kind > ROUND ? (dx * ax + dy * ay + dz * az) / (ax * ax + ay * ay + az * az) : 0;
        double wx = dx - along * ax;
        double wy = dy - along * ay;
        double wz = dz - along * az;
        double size = Math.sqrt(wx * wx + wy * wy + wz * wz);
        boolean flat = kind > FLAT;
        out[3] = flat ? ax : size > 0 ? wx / size : 1;
        out[4] = flat ? ay : size > 0 ? wy / size : 0;
        out[5] = flat ? az : size > 0 ? wz / size : 0;
        out[0] = flat ? cx + wx : cx + along * ax + radius * out[3];
        out[1] = flat ? cy + wy : cy + along * ay + radius * out[4];
        out[2] = flat ? cz + wz : cz + along * az + radius * out[5];
    }

    /** Puts a place onto a shape, if there is one: the nearest point, of a ridge as RidgeShape finds it. */
    @KernelFunction
    static void land(double[] shape, double[] at) {
        double last = HUGE_QUALITY;
        int ended = shape[0] > HALF ? 0 : 1;
        for (int step = 0; step < RIDGE_STEPS; step++) {
            if (ended == 0) {
                double[] one = {0, 0, 0, 0, 0, 0};
                double[] two = {0, 0, 0, 0, 0, 0};
                foot(shape[0], shape[1], shape[2], shape[3], shape[4], shape[5], shape[6], shape[7], at, one);
                if (shape[SURFACE] > HALF) {
                    foot(shape[8], shape[9], shape[10], shape[11], shape[12], shape[13], shape[14], shape[15], at,
                            two);
                    double a = (one[0] - at[0]) * one[3] + (one[1] - at[1]) * one[4] + (one[2] - at[2]) * one[5];
                    double b = (two[0] - at[0]) * two[3] + (two[1] - at[1]) * two[4] + (two[2] - at[2]) * two[5];
                    double dot = one[3] * two[3] + one[4] * two[4] + one[5] * two[5];
                    double determinant = Math.max(PARALLEL, 1 - dot * dot);
                    double size = Math.abs(a) + Math.abs(b);
                    ended = size < last ? 0 : 1;
                    last = size;
                    for (int c = 0; c < 3; c++) {
                        at[c] = ended == 1
                                ? at[c]
                                : at[c] + (a - dot * b) / determinant * one[3 + c]
                                        + (b - dot * a) / determinant * two[3 + c];
                    }
                } else {
                    ended = 1;
                    for (int c = 0; c < 3; c++) {
                        at[c] = one[c];
                    }
                }
            }
        }
    }

    /** Turns the directions of a vertex on a shape to those where it is. */
    @MeshKernel
    static void turn(@Read(3) double[] p, @Read(SHAPE) double[] shape, @ReadWrite(DIRECTIONS) double[] t) {
        if (shape[0] > HALF) {
            double[] at = {p[0], p[1], p[2]};
            double[] n = {0, 0, 0, 0, 0, 0};
            double[] m = {0, 0, 0, 0, 0, 0};
            foot(shape[0], shape[1], shape[2], shape[3], shape[4], shape[5], shape[6], shape[7], at, n);
            foot(shape[8], shape[9], shape[10], shape[11], shape[12], shape[13], shape[14], shape[15], at, m);
            boolean ridge = shape[SURFACE] > HALF;
            double least = Math.min(Math.abs(n[3]), Math.min(Math.abs(n[4]), Math.abs(n[5])));
            boolean first = Math.abs(n[3]) <= least;
            boolean second = !first && Math.abs(n[4]) <= least;
            double ex = ridge ? m[3] : first ? 1 : 0;
            double ey = ridge ? m[4] : second ? 1 : 0;
            double ez = ridge ? m[5] : first || second ? 0 : 1;
            double along = n[3] * ex + n[4] * ey + n[5] * ez;
            double ux = ridge ? n[4] * ez - n[5] * ey : ex - along * n[3];
            double uy = ridge ? n[5] * ex - n[3] * ez : ey - along * n[4];
            double uz = ridge ? n[3] * ey - n[4] * ex : ez - along * n[5];
            double size = Math.sqrt(ux * ux + uy * uy + uz * uz);
            double scale = size > 0 ? 1 / size : 0;
            double other = ridge ? 0 : scale;
            t[0] = scale * ux;
            t[1] = scale * uy;
            t[2] = scale * uz;
            t[3] = other * (n[4] * uz - n[5] * uy);
            t[4] = other * (n[5] * ux - n[3] * uz);
            t[5] = other * (n[3] * uy - n[4] * ux);
        }
    }

    /**
     * The least quality around a place with a metric; very low if one tetrahedron may be flat, very high unless asked
     * for. The rows are the corners of the tetrahedra around the vertex, three for each.
     */
    @KernelFunction
    static double leastAt(double[] at, double[] m, double[][] y, double[][] n, double[] rule) {
        double[] u = {0, 0, 0};
        double[] v = {0, 0, 0};
        double[] um = {0, 0, 0, 0, 0, 0};
        double[] vm = {0, 0, 0, 0, 0, 0};
        double least = HUGE_QUALITY;
        double flat = 1;
        int corner = 0;
        for (int k = 0; k < y.length; k++) {
            double[] r = {y[k][0] - at[0], y[k][1] - at[1], y[k][2] - at[2]};
            if (corner == 2) {
                double determinant = triple(u, v, r);
                flat = Math.min(flat, determinant - rule[SweepKernels.ROUNDING] * permanent(u, v, r));
                if (rule[SweepKernels.SMART] > HALF) {
                    double[] mean = {0, 0, 0, 0, 0, 0};
                    for (int c = 0; c < 6; c++) {
                        mean[c] = 0.25 * (m[c] + um[c] + vm[c] + n[k][c]);
                    }
                    least = Math.min(least, quality(mean, determinant, u, v, r));
                }
            }
            corner = corner == 2 ? 0 : corner + 1;
            for (int c = 0; c < 3; c++) {
                u[c] = v[c];
                v[c] = r[c];
            }
            for (int c = 0; c < 6; c++) {
                um[c] = vm[c];
                vm[c] = n[k][c];
            }
        }
        return flat > 0 ? least : -HUGE_QUALITY;
    }

    /** Tries a whole step and half of it, onto the shape of the vertex; returns 1 in {@code done} if one was made. */
    @KernelFunction
    static void tryStep(double[] p, double[] m, double[][] y, double[][] n, double[] s, double[] t, double[] shape,
            Raster metric, double[] rule, int[] done) {
        boolean moves = t[0] * t[0] + t[1] * t[1] + t[2] * t[2] > HALF;
        double[] from = {p[0], p[1], p[2]};
        double wanted = -HUGE_QUALITY;
        if (rule[SweepKernels.SMART] > HALF) {
            wanted = leastAt(from, m, y, n, rule) + rule[SweepKernels.GAIN];
        }
        double factor = 1;
        for (int trial = 0; trial < SIZES; trial++) {
            if (trial < 2 && done[0] == 0) {
                double[] at = {from[0] + factor * s[0], from[1] + factor * s[1], from[2] + factor * s[2]};
                land(shape, at);
                double[] there = {0, 0, 0, 0, 0, 0};
                find(metric, at[0], at[1], at[2], there);
                if (moves && leastAt(at, there, y, n, rule) > wanted) {
                    for (int c = 0; c < 3; c++) {
                        p[c] = at[c];
                    }
                    for (int c = 0; c < 6; c++) {
                        m[c] = there[c];
                    }
                    done[0] = 1;
                }
                factor *= HALF;
            }
        }
    }

    /** Moves a vertex by a whole step or half of it, if no tetrahedron becomes flat or, if asked for, worse. */
    @MeshKernel
    static void advance(@ReadWrite(3) double[] p, @ReadWrite(6) double[] m,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(3) double[] s,
            @Read(DIRECTIONS) double[] t, @Constant(6) Raster metric, @Constant(SweepKernels.RULES) double[] rule,
            @Sum int[] moved) {
        double[] shape = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        int[] done = {0};
        tryStep(p, m, y, n, s, t, shape, metric, rule, done);
        moved[0] += done[0];
    }

    /** The same on shapes. */
    @MeshKernel
    static void slide(@ReadWrite(3) double[] p, @ReadWrite(6) double[] m,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(3) double[] s,
            @Read(DIRECTIONS) double[] t, @Read(SHAPE) double[] shape, @Constant(6) Raster metric,
            @Constant(SweepKernels.RULES) double[] rule, @Sum int[] moved) {
        int[] done = {0};
        tryStep(p, m, y, n, s, t, shape, metric, rule, done);
        moved[0] += done[0];
    }

    /** The quality of a tetrahedron and its gradient, as {@link SweepKernels#slope}. */
    @KernelFunction
    static void slope(double[] m, double[] p, double[] q, double[] r, double[] t, double[] out) {
        double first = length(m, p[0], p[1], p[2]);
        double second = length(m, q[0], q[1], q[2]);
        double third = length(m, r[0], r[1], r[2]);
        double sum = first + second + third + opposite(m, p, q, r);
        double mean = sum * SIXTH;
        double least = Math.min(mean, 1 / mean);
        double growth = mean < 1 ? 1 : -1 / (mean * mean);
        double byLength = HALF * (2 - 2 * least) * growth / (least * (2 - least)) - 3 / sum;
        double determinant = triple(p, q, r);
        double quality = qualityOf(m, determinant, sum);
        double[] u = {0, 0, 0};
        double[] w = {0, 0, 0};
        for (int c = 0; c < 3; c++) {
            u[c] = p[c] / first + q[c] / second + r[c] / third;
            w[c] = (q[(c + 1) % 3] * r[(c + 2) % 3] - q[(c + 2) % 3] * r[(c + 1) % 3])
                    + (r[(c + 1) % 3] * p[(c + 2) % 3] - r[(c + 2) % 3] * p[(c + 1) % 3])
                    + (p[(c + 1) % 3] * q[(c + 2) % 3] - p[(c + 2) % 3] * q[(c + 1) % 3]);
        }
        double gx = -quality * (w[0] / determinant + byLength * (m[0] * u[0] + m[1] * u[1] + m[2] * u[2]));
        double gy = -quality * (w[1] / determinant + byLength * (m[1] * u[0] + m[3] * u[1] + m[4] * u[2]));
        double gz = -quality * (w[2] / determinant + byLength * (m[2] * u[0] + m[4] * u[1] + m[5] * u[2]));
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

    /** Puts a quality and its gradient among the eight worst, in order; overwrites them. */
    @KernelFunction
    static void insert(double[] one, double[] q, double[] x, double[] y, double[] z) {
        for (int i = 0; i < WORST; i++) {
            boolean before = one[0] < q[i];
            double[] old = {q[i], x[i], y[i], z[i]};
            q[i] = before ? one[0] : q[i];
            x[i] = before ? one[1] : x[i];
            y[i] = before ? one[2] : y[i];
            z[i] = before ? one[3] : z[i];
            for (int c = 0; c < 4; c++) {
                one[c] = before ? old[c] : one[c];
            }
        }
    }

    /** Says whether all gradients have at least as much in the direction of a vector as that itself. */
    @KernelFunction
    static boolean isShortest(double[] q, double[] x, double[] y, double[] z, double u, double v, double w,
            double greatest) {
        double least = HUGE_QUALITY;
        for (int i = 0; i < WORST; i++) {
            least = Math.min(least, q[i] < NO_QUALITY ? x[i] * u + y[i] * v + z[i] * w : HUGE_QUALITY);
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
            greatest = Math.max(greatest, q[i] < NO_QUALITY ? x[i] * x[i] + y[i] * y[i] + z[i] * z[i] : 0);
        }
        int found = 0;
        for (int size = 0; size < SIZES; size++) {
            for (int i = 0; i < WORST; i++) {
                for (int j = 0; j < WORST; j++) {
                    for (int k = 0; k < WORST; k++) {
                        boolean isSet = size == 0 ? j == i && k == i : size == 1 ? j > i && k == j : j > i && k > j;
                        if (size < 3 && found == 0 && isSet && pick(q, k) < NO_QUALITY) {
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
                            boolean isInside = size == 0 || (s > 0 && s + r < 1 && (r > 0 || size == 1));
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
        boolean isLong = found == 1 && out[0] * out[0] + out[1] * out[1] + out[2] * out[2] > TOLERANCE * greatest;
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
            double[] q = {HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY,
                HUGE_QUALITY, HUGE_QUALITY};
            double[] x = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] w = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] z = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] u = {0, 0, 0};
            double[] v = {0, 0, 0};
            double[] um = {0, 0, 0, 0, 0, 0};
            double[] vm = {0, 0, 0, 0, 0, 0};
            int corner = 0;
            for (int k = 0; k < y.length; k++) {
                double[] r = {y[k][0] - p[0], y[k][1] - p[1], y[k][2] - p[2]};
                if (corner == 2) {
                    double[] mean = {0, 0, 0, 0, 0, 0};
                    for (int c = 0; c < 6; c++) {
                        mean[c] = 0.25 * (m[c] + um[c] + vm[c] + n[k][c]);
                    }
                    double[] one = {0, 0, 0, 0};
                    slope(mean, u, v, r, t, one);
                    insert(one, q, x, w, z);
                }
                corner = corner == 2 ? 0 : corner + 1;
                for (int c = 0; c < 3; c++) {
                    u[c] = v[c];
                    v[c] = r[c];
                }
                for (int c = 0; c < 6; c++) {
                    um[c] = vm[c];
                    vm[c] = n[k][c];
                }
            }
            double least = q[0];
            for (int i = 0; i < WORST; i++) {
                q[i] = q[i] <= least * (1 + ACTIVE) ? q[i] : HUGE_QUALITY;
            }
            double[] way = {0, 0, 0};
            shortest(q, x, w, z, way);
            double size = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
            if (size > 0) {
                double growth = HUGE_QUALITY;
                for (int i = 0; i < WORST; i++) {
                    growth = Math.min(growth,
                            q[i] < NO_QUALITY ? (x[i] * way[0] + w[i] * way[1] + z[i] * way[2]) / size : HUGE_QUALITY);
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
            double[] r = {y[k][0] - p[0], y[k][1] - p[1], y[k][2] - p[2]};
            if (corner == 2) {
                double[] mean = {0, 0, 0, 0, 0, 0};
                for (int c = 0; c < 6; c++) {
                    mean[c] = 0.25 * (m[c] + um[c] + vm[c] + n[k][c]);
                }
                double[] one = {0, 0, 0, 0};
                slope(mean, u, v, r, t, one);
                double closing = a[3] - one[1] * a[0] - one[2] * a[1] - one[3] * a[2];
                if (one[0] - a[4] > ACTIVE * a[4] && closing > 0) {
                    step[0] = Math.min(step[0], (one[0] - a[4]) / closing);
                }
            }
            corner = corner == 2 ? 0 : corner + 1;
            for (int c = 0; c < 3; c++) {
                u[c] = v[c];
                v[c] = r[c];
            }
            for (int c = 0; c < 6; c++) {
                um[c] = vm[c];
                vm[c] = n[k][c];
            }
        }
    }

    /** Goes uphill by halves of a first step, onto the shape of the vertex. */
    @KernelFunction
    static void ascend(double[] p, double[] m, double[][] y, double[][] n, double[] t, double[] a, double[] shape,
            Raster metric, double[] rule, int[] done) {
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
                land(shape, at);
                double[] there = {0, 0, 0, 0, 0, 0};
                find(metric, at[0], at[1], at[2], there);
                double reached = leastAt(at, there, y, n, rule);
                ended = done[0];
                if (reached > a[4] + best) {
                    done[0] = 1;
                    best = reached - a[4];
                    for (int c = 0; c < 3; c++) {
                        p[c] = at[c];
                    }
                    for (int c = 0; c < 6; c++) {
                        m[c] = there[c];
                    }
                    ended = best >= SUFFICIENT_GAIN * step * a[3] ? 1 : 0;
                }
                step *= HALF;
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
        double[] shape = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        int[] done = {0};
        if (a[3] > 0) {
            ascend(p, m, y, n, t, a, shape, metric, rule, done);
        }
        awake[0] = done[0];
        moved[0] += done[0];
    }

    /** The same on shapes. */
    @MeshKernel
    static void climbOn(@ReadWrite(3) double[] p, @ReadWrite(6) double[] m,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 6, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(DIRECTIONS) double[] t,
            @Read(5) double[] a, @Read(SHAPE) double[] shape, @Constant(6) Raster metric,
            @Constant(SweepKernels.RULES) double[] rule, @ReadWrite double[] awake, @Sum int[] moved) {
        int[] done = {0};
        if (a[3] > 0) {
            ascend(p, m, y, n, t, a, shape, metric, rule, done);
        }
        awake[0] = done[0];
        moved[0] += done[0];
    }
}
