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
 * Smoothing of plane meshes as kernels of the mesh runtime, for metrics in a raster. The three methods with one step
 * solve (A + D) s = w g with A the sum of the metrics at the middles of the edges and g the sum of M (y - p) (Rokos
 * 2010, section 2.1.8): the mean of the neighbours has M = I and no D, that in the metric no D and, where moves are
 * tried first, the mean of the ends' metrics for M, Pain's has D and w = 1/2.
 *
 * <p>{@code rule} is the method: whether the metric is the identity, whether there is D, w, whether the worst element
 * has to become better, by how much, how large the rounding of an orientation may be for each unit, and whether the
 * metric of an edge is that at its middle.
 */
final class SweepKernels {
    static final int PLAIN = 0;
    static final int DOMINANT = 1;
    static final int SHARE = 2;
    static final int SMART = 3;
    static final int GAIN = 4;
    static final int ROUNDING = 5;
    static final int MIDDLE = 6;
    static final int RULES = 7;
    /** Centre and radius of the circle that a vertex is on, or zeros. */
    static final int CIRCLE = 3;

    private static final double OFFSET = 1.01;
    private static final double PLANE_FACTOR = 20.784609690826528;
    private static final double THIRD = 1.0 / 3;
    /** Whole steps and halves. */
    private static final int TRIALS = 2;
    private static final double HUGE_QUALITY = 1e30;
    private static final double HALF = 0.5;
    /** Above all qualities. */
    private static final double NO_QUALITY = 1e29;
    /** How near to the worst an element is active, and how many of these count. */
    private static final double ACTIVE = 0.03;
    private static final int WORST = 8;
    /** The share of a promised gain that is enough, and how often steps are halved for it. */
    private static final double SUFFICIENT_GAIN = 0.9;
    private static final int HALVINGS = 7;
    private static final double SHORTEST = 1.0 / 1024;
    private static final double TOLERANCE = 1e-9;

    private SweepKernels() {}

    /** What makes a row dominant. */
    @KernelFunction
    static double dominance(double diagonal, double other, double dominant) {
        return dominant > 0.5 ? Math.max(diagonal, OFFSET * Math.abs(other)) : 0;
    }

    /** The quality of a triangle in a metric times three; the metric is the sum of the corners' three. */
    @KernelFunction
    static double quality(double px, double py, double qx, double qy, double sumXx, double sumXy, double sumYy) {
        double xx = sumXx * THIRD;
        double xy = sumXy * THIRD;
        double yy = sumYy * THIRD;
        double rx = qx - px;
        double ry = qy - py;
        double area = 0.5 * (px * qy - py * qx) * Math.sqrt(Math.max(0, xx * yy - xy * xy));
        double sum = Math.sqrt(xx * px * px + 2 * xy * px * py + yy * py * py)
                + Math.sqrt(xx * qx * qx + 2 * xy * qx * qy + yy * qy * qy)
                + Math.sqrt(xx * rx * rx + 2 * xy * rx * ry + yy * ry * ry);
        double mean = sum * THIRD;
        double least = Math.min(mean, 1 / mean);
        double base = least * (2 - least);
        return PLANE_FACTOR * area / (sum * sum) * (base * base * base);
    }

    /** How far a triangle is from being flat or inverted, beyond what rounding may have added; above 0 it is right. */
    @KernelFunction
    static double orientation(double px, double py, double qx, double qy, double rounding) {
        double first = px * qy;
        double second = py * qx;
        return first - second - rounding * (Math.abs(first) + Math.abs(second));
    }

    /** Moves a vertex inside, whatever becomes of its triangles. */
    @MeshKernel
    static void move(@ReadWrite(2) double[] p,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y, @Constant(3) Raster metric,
            @Constant(RULES) double[] rule) {
        double px = p[0];
        double py = p[1];
        double axx = 0;
        double axy = 0;
        double ayy = 0;
        double gx = 0;
        double gy = 0;
        for (int k = 0; k < y.length; k++) {
            double dx = y[k][0] - px;
            double dy = y[k][1] - py;
            double x = px + 0.5 * dx;
            double z = py + 0.5 * dy;
            double xx = 1;
            double xy = 0;
            double yy = 1;
            if (rule[PLAIN] < 0.5) {
                xx = metric.linear(0, x, z);
                xy = metric.linear(1, x, z);
                yy = metric.linear(2, x, z);
            }
            axx += xx;
            axy += xy;
            ayy += yy;
            gx += xx * dx + xy * dy;
            gy += xy * dx + yy * dy;
        }
        axx += dominance(axx, axy, rule[DOMINANT]);
        ayy += dominance(ayy, axy, rule[DOMINANT]);
        double scale = rule[SHARE] / (axx * ayy - axy * axy);
        p[0] += scale * (ayy * gx - axy * gy);
        p[1] += scale * (axx * gy - axy * gx);
    }

    /** Moves a vertex along its line, whatever becomes of its triangles; corners have no direction, and stay. */
    @MeshKernel
    static void slide(@ReadWrite(2) double[] p,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y, @Read(2) double[] t,
            @Constant(3) Raster metric, @Constant(RULES) double[] rule) {
        double a = 0;
        double g = 0;
        for (int k = 0; k < y.length; k++) {
            double dx = y[k][0] - p[0];
            double dy = y[k][1] - p[1];
            double x = p[0] + 0.5 * dx;
            double z = p[1] + 0.5 * dy;
            double xx = 1;
            double xy = 0;
            double yy = 1;
            if (rule[PLAIN] < 0.5) {
                xx = metric.linear(0, x, z);
                xy = metric.linear(1, x, z);
                yy = metric.linear(2, x, z);
            }
            a += t[0] * (xx * t[0] + xy * t[1]) + t[1] * (xy * t[0] + yy * t[1]);
            g += t[0] * (xx * dx + xy * dy) + t[1] * (xy * dx + yy * dy);
        }
        a += rule[DOMINANT] > 0.5 ? a : 0;
        double step = a > 0 ? rule[SHARE] * g / a : 0;
        p[0] += step * t[0];
        p[1] += step * t[1];
    }

    /** The metric where a vertex is. */
    @MeshKernel
    static void sample(@Read(2) double[] p, @Constant(3) Raster metric, @Write(3) double[] m) {
        m[0] = metric.linear(0, p[0], p[1]);
        m[1] = metric.linear(1, p[0], p[1]);
        m[2] = metric.linear(2, p[0], p[1]);
    }

    /** The quality of triangles by their corners. */
    @MeshKernel
    static void measure(@Read(value = 2, entries = 3) double[][] x, @Read(value = 3, entries = 3) double[][] m,
            @Write double[] q) {
        q[0] = quality(x[1][0] - x[0][0], x[1][1] - x[0][1], x[2][0] - x[0][0], x[2][1] - x[0][1],
                m[0][0] + m[1][0] + m[2][0], m[0][1] + m[1][1] + m[2][1], m[0][2] + m[1][2] + m[2][2]);
    }

    /**
     * Adds up what moves a vertex: three numbers of A, two of g, and the least quality around. The rows and {@code t}
     * are those of {@link #advance}.
     */
    @KernelFunction
    static void pull(double[] p, double[] m, double[][] y, double[][] n, double[] t, Raster metric, double[] rule,
            double[] sums) {
        double[] last = {0, 0, 0, 0, 0};
        for (int k = 0; k < y.length; k++) {
            double dx = y[k][0] - p[0];
            double dy = y[k][1] - p[1];
            if (k > 0) {
                sums[5] = Math.min(sums[5], quality(last[0], last[1], dx, dy, m[0] + last[2] + n[k][0],
                        m[1] + last[3] + n[k][1], m[2] + last[4] + n[k][2]));
            }
            double[] now = {dx, dy, n[k][0], n[k][1], n[k][2]};
            for (int c = 0; c < 5; c++) {
                last[c] = now[c];
            }
            if (k > 0 || t[3] > 0.5) {
                double x = p[0] + 0.5 * dx;
                double z = p[1] + 0.5 * dy;
                double xx = 1;
                double xy = 0;
                double yy = 1;
                if (rule[PLAIN] < 0.5) {
                    if (rule[MIDDLE] > 0.5) {
                        xx = metric.linear(0, x, z);
                        xy = metric.linear(1, x, z);
                        yy = metric.linear(2, x, z);
                    } else {
                        xx = 0.5 * (m[0] + n[k][0]);
                        xy = 0.5 * (m[1] + n[k][1]);
                        yy = 0.5 * (m[2] + n[k][2]);
                    }
                }
                sums[0] += xx;
                sums[1] += xy;
                sums[2] += yy;
                sums[3] += xx * dx + xy * dy;
                sums[4] += xy * dx + yy * dy;
            }
        }
    }

    /** The least quality around a place with a metric; very low if one may be flat, very high unless asked for. */
    @KernelFunction
    static double leastAt(double x, double z, double[] m, double[][] y, double[][] n, double[] rule) {
        double[] last = {0, 0, 0, 0, 0};
        double least = HUGE_QUALITY;
        double flat = 1;
        for (int k = 0; k < y.length; k++) {
            double dx = y[k][0] - x;
            double dy = y[k][1] - z;
            if (k > 0) {
                flat = Math.min(flat, orientation(last[0], last[1], dx, dy, rule[ROUNDING]));
                if (rule[SMART] > 0.5) {
                    least = Math.min(least, quality(last[0], last[1], dx, dy, m[0] + last[2] + n[k][0],
                            m[1] + last[3] + n[k][1], m[2] + last[4] + n[k][2]));
                }
            }
            double[] now = {dx, dy, n[k][0], n[k][1], n[k][2]};
            for (int c = 0; c < 5; c++) {
                last[c] = now[c];
            }
        }
        return flat > 0 ? least : -HUGE_QUALITY;
    }

    /**
     * Moves a vertex, with its metric, a whole step or half of it, if no triangle becomes flat and, if asked for, the
     * worst becomes better. The rows are the neighbours around the vertex in turn: two that follow each other
     * make a triangle with it, and the first comes again at the end if they go all around. {@code t} is the direction
     * that the vertex has, of length one, and then whether it is free, and whether the neighbours do not go all around.
     */
    @MeshKernel
    static void advance(@ReadWrite(2) double[] p, @ReadWrite(3) double[] m,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(4) double[] t,
            @Constant(3) Raster metric, @Constant(RULES) double[] rule, @Sum int[] moved) {
        double[] circle = {0, 0, 0};
        int[] done = {0};
        tryStep(p, m, y, n, t, circle, metric, rule, done);
        moved[0] += done[0];
    }

    /** The same on circles; a vertex on none has the radius 0. */
    @MeshKernel
    static void advanceOn(@ReadWrite(2) double[] p, @ReadWrite(3) double[] m,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(4) double[] t,
            @Read(CIRCLE) double[] circle, @Constant(3) Raster metric, @Constant(RULES) double[] rule,
            @Sum int[] moved) {
        int[] done = {0};
        tryStep(p, m, y, n, t, circle, metric, rule, done);
        moved[0] += done[0];
    }

    /** Turns the direction of a vertex on a circle to that where it is. */
    @MeshKernel
    static void turn(@Read(2) double[] p, @Read(CIRCLE) double[] circle, @ReadWrite(4) double[] t) {
        if (circle[2] > 0) {
            double dx = p[0] - circle[0];
            double dy = p[1] - circle[1];
            double size = Math.sqrt(dx * dx + dy * dy);
            t[0] = size > 0 ? -dy / size : 0;
            t[1] = size > 0 ? dx / size : 1;
        }
    }

    /** Puts a place onto a circle, if there is one. */
    @KernelFunction
    static void land(double[] circle, double[] at) {
        double dx = at[0] - circle[0];
        double dy = at[1] - circle[1];
        double size = Math.sqrt(dx * dx + dy * dy);
        boolean none = circle[2] <= 0;
        at[0] = none ? at[0] : circle[0] + (size > 0 ? circle[2] * dx / size : circle[2]);
        at[1] = none ? at[1] : circle[1] + (size > 0 ? circle[2] * dy / size : 0);
    }

    /** Finds the step of a vertex and tries it, onto its circle. */
    @KernelFunction
    static void tryStep(double[] p, double[] m, double[][] y, double[][] n, double[] t, double[] circle,
            Raster metric, double[] rule, int[] done) {
        double[] sums = {0, 0, 0, 0, 0, HUGE_QUALITY};
        pull(p, m, y, n, t, metric, rule, sums);
        double along = t[0] * (sums[0] * t[0] + sums[1] * t[1]) + t[1] * (sums[1] * t[0] + sums[2] * t[1]);
        boolean moves = t[2] > HALF || along > 0;
        double slide = along > 0
                ? rule[SHARE] * (t[0] * sums[3] + t[1] * sums[4]) / (rule[DOMINANT] > HALF ? 2 * along : along)
                : 0;
        double axx = sums[0] + dominance(sums[0], sums[1], rule[DOMINANT]);
        double ayy = sums[2] + dominance(sums[2], sums[1], rule[DOMINANT]);
        double scale = rule[SHARE] / (axx * ayy - sums[1] * sums[1]);
        double sx = t[2] > HALF ? scale * (ayy * sums[3] - sums[1] * sums[4]) : slide * t[0];
        double sy = t[2] > HALF ? scale * (axx * sums[4] - sums[1] * sums[3]) : slide * t[1];
        double wanted = rule[SMART] > HALF ? sums[5] + rule[GAIN] : -HUGE_QUALITY;
        double[] from = {p[0], p[1]};
        double factor = 1;
        for (int trial = 0; trial < TRIALS; trial++) {
            if (done[0] == 0) {
                double[] at = {from[0] + factor * sx, from[1] + factor * sy};
                land(circle, at);
                double[] there = {metric.linear(0, at[0], at[1]), metric.linear(1, at[0], at[1]),
                    metric.linear(2, at[0], at[1])};
                if (moves && leastAt(at[0], at[1], there, y, n, rule) > wanted) {
                    p[0] = at[0];
                    p[1] = at[1];
                    m[0] = there[0];
                    m[1] = there[1];
                    m[2] = there[2];
                    done[0] = 1;
                }
                factor *= HALF;
            }
        }
    }

    /** All vertices may go uphill. */
    @MeshKernel
    static void wake(@Write double[] awake) {
        awake[0] = 1;
    }

    /**
     * The quality of a triangle and its gradient by the corner that the vectors lead from, the metric held; see
     * {@link QualityGradient}. What leads out of the line of a bound vertex is taken away.
     */
    @KernelFunction
    static void slope(double px, double py, double qx, double qy, double sumXx, double sumXy, double sumYy,
            double[] t, double[] out) {
        double xx = sumXx * THIRD;
        double xy = sumXy * THIRD;
        double yy = sumYy * THIRD;
        double first = Math.sqrt(xx * px * px + 2 * xy * px * py + yy * py * py);
        double second = Math.sqrt(xx * qx * qx + 2 * xy * qx * qy + yy * qy * qy);
        double rx = qx - px;
        double ry = qy - py;
        double sum = first + second + Math.sqrt(xx * rx * rx + 2 * xy * rx * ry + yy * ry * ry);
        double mean = sum * THIRD;
        double least = Math.min(mean, 1 / mean);
        double growth = mean < 1 ? 1 : -1 / (mean * mean);
        double byLength = (2 - 2 * least) * growth / (least * (2 - least)) - 2 / sum;
        double area = px * qy - py * qx;
        double quality = quality(px, py, qx, qy, sumXx, sumXy, sumYy);
        double gx = quality * ((py - qy) / area
                - byLength * ((xx * px + xy * py) / first + (xx * qx + xy * qy) / second));
        double gy = quality * ((qx - px) / area
                - byLength * ((xy * px + yy * py) / first + (xy * qx + yy * qy) / second));
        double along = gx * t[0] + gy * t[1];
        out[0] = quality;
        out[1] = t[2] > HALF ? gx : along * t[0];
        out[2] = t[2] > HALF ? gy : along * t[1];
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
    static void insert(double[] one, double[] q, double[] x, double[] y) {
        for (int i = 0; i < WORST; i++) {
            boolean before = one[0] < q[i];
            double[] old = {q[i], x[i], y[i]};
            q[i] = before ? one[0] : q[i];
            x[i] = before ? one[1] : x[i];
            y[i] = before ? one[2] : y[i];
            for (int c = 0; c < 3; c++) {
                one[c] = before ? old[c] : one[c];
            }
        }
    }

    /** Says whether all gradients have at least as much in the direction of a vector as that itself. */
    @KernelFunction
    static boolean isShortest(double[] q, double[] x, double[] y, double u, double v, double greatest) {
        double least = HUGE_QUALITY;
        for (int i = 0; i < WORST; i++) {
            least = Math.min(least, q[i] < NO_QUALITY ? x[i] * u + y[i] * v : HUGE_QUALITY);
        }
        return least >= u * u + v * v - TOLERANCE * greatest;
    }

    /** The shortest convex combination of some gradients, as {@link ShortestCombination}; zero if there is none. */
    @KernelFunction
    static void shortest(double[] q, double[] x, double[] y, double[] out) {
        double greatest = 0;
        for (int i = 0; i < WORST; i++) {
            greatest = Math.max(greatest, q[i] < NO_QUALITY ? x[i] * x[i] + y[i] * y[i] : 0);
        }
        int found = 0;
        for (int i = 0; i < WORST; i++) {
            if (found == 0 && pick(q, i) < NO_QUALITY) {
                double u = pick(x, i);
                double v = pick(y, i);
                if (isShortest(q, x, y, u, v, greatest)) {
                    found = 1;
                    out[0] = u;
                    out[1] = v;
                }
            }
        }
        for (int i = 0; i < WORST; i++) {
            for (int j = 0; j < WORST; j++) {
                if (found == 0 && j > i && pick(q, j) < NO_QUALITY) {
                    double ax = pick(x, i);
                    double ay = pick(y, i);
                    double bx = pick(x, j);
                    double by = pick(y, j);
                    double aa = ax * ax + ay * ay;
                    double ab = ax * bx + ay * by;
                    double share = (aa - ab) / (aa - 2 * ab + bx * bx + by * by);
                    double u = ax + share * (bx - ax);
                    double v = ay + share * (by - ay);
                    if (share > 0 && share < 1 && isShortest(q, x, y, u, v, greatest)) {
                        found = 1;
                        out[0] = u;
                        out[1] = v;
                    }
                }
            }
        }
        boolean isLong = found == 1 && out[0] * out[0] + out[1] * out[1] > TOLERANCE * greatest;
        out[0] = isLong ? out[0] : 0;
        out[1] = isLong ? out[1] : 0;
    }

    /**
     * Finds where a vertex goes uphill on the quality of the worst triangle around it, as {@link AscentStep}: writes
     * the direction, the least growth of a worst one for each unit of it, and the least quality. The rows are those of
     * {@link #advance}.
     */
    @MeshKernel
    static void aim(@Read(2) double[] p, @Read(3) double[] m,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(4) double[] t,
            @Read double[] awake, @Write(4) double[] a) {
        a[0] = 0;
        a[1] = 0;
        a[2] = 0;
        a[3] = 0;
        boolean moves = t[2] > HALF || t[0] * t[0] + t[1] * t[1] > HALF;
        if (awake[0] > HALF && moves) {
            double[] worstQ = {HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY, HUGE_QUALITY,
                HUGE_QUALITY, HUGE_QUALITY};
            double[] worstX = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] worstY = {0, 0, 0, 0, 0, 0, 0, 0};
            double[] last = {0, 0, 0, 0, 0};
            for (int k = 0; k < y.length; k++) {
                double dx = y[k][0] - p[0];
                double dy = y[k][1] - p[1];
                if (k > 0) {
                    double[] one = {0, 0, 0};
                    slope(last[0], last[1], dx, dy, m[0] + last[2] + n[k][0], m[1] + last[3] + n[k][1],
                            m[2] + last[4] + n[k][2], t, one);
                    insert(one, worstQ, worstX, worstY);
                }
                double[] now = {dx, dy, n[k][0], n[k][1], n[k][2]};
                for (int c = 0; c < 5; c++) {
                    last[c] = now[c];
                }
            }
            double least = worstQ[0];
            for (int i = 0; i < WORST; i++) {
                worstQ[i] = worstQ[i] <= least * (1 + ACTIVE) ? worstQ[i] : HUGE_QUALITY;
            }
            double[] way = {0, 0};
            shortest(worstQ, worstX, worstY, way);
            double size = Math.sqrt(way[0] * way[0] + way[1] * way[1]);
            if (size > 0) {
                double growth = HUGE_QUALITY;
                for (int i = 0; i < WORST; i++) {
                    growth = Math.min(growth,
                            worstQ[i] < NO_QUALITY ? (worstX[i] * way[0] + worstY[i] * way[1]) / size : HUGE_QUALITY);
                }
                a[0] = way[0] / size;
                a[1] = way[1] / size;
                a[2] = growth;
                a[3] = least;
            }
        }
    }

    /** The first step uphill: where the worst triangle would change by Taylor's formula. */
    @KernelFunction
    static void reach(double[] p, double[] m, double[][] y, double[][] n, double[] t, double[] a, double[] step) {
        double[] last = {0, 0, 0, 0, 0};
        for (int k = 0; k < y.length; k++) {
            double dx = y[k][0] - p[0];
            double dy = y[k][1] - p[1];
            if (k > 0) {
                double[] one = {0, 0, 0};
                slope(last[0], last[1], dx, dy, m[0] + last[2] + n[k][0], m[1] + last[3] + n[k][1],
                        m[2] + last[4] + n[k][2], t, one);
                double closing = a[2] - one[1] * a[0] - one[2] * a[1];
                if (one[0] - a[3] > ACTIVE * a[3] && closing > 0) {
                    step[0] = Math.min(step[0], (one[0] - a[3]) / closing);
                }
            }
            double[] now = {dx, dy, n[k][0], n[k][1], n[k][2]};
            for (int c = 0; c < 5; c++) {
                last[c] = now[c];
            }
        }
    }

    /** Goes uphill by halves of a first step, onto the circle of the vertex. */
    @KernelFunction
    static void ascend(double[] p, double[] m, double[][] y, double[][] n, double[] t, double[] a, double[] circle,
            Raster metric, double[] rule, int[] done) {
        double unit = HALF / Math.sqrt(a[0] * (m[0] * a[0] + m[1] * a[1]) + a[1] * (m[1] * a[0] + m[2] * a[1]));
        double[] first = {unit};
        reach(p, m, y, n, t, a, first);
        double step = Math.max(first[0], unit * SHORTEST);
        double[] from = {p[0], p[1]};
        double best = rule[GAIN];
        int ended = 0;
        for (int halving = 0; halving < HALVINGS; halving++) {
            if (ended == 0) {
                double[] at = {from[0] + step * a[0], from[1] + step * a[1]};
                land(circle, at);
                double[] there = {metric.linear(0, at[0], at[1]), metric.linear(1, at[0], at[1]),
                    metric.linear(2, at[0], at[1])};
                double reached = leastAt(at[0], at[1], there, y, n, rule);
                ended = done[0];
                if (reached > a[3] + best) {
                    done[0] = 1;
                    best = reached - a[3];
                    p[0] = at[0];
                    p[1] = at[1];
                    m[0] = there[0];
                    m[1] = there[1];
                    m[2] = there[2];
                    ended = best >= SUFFICIENT_GAIN * step * a[2] ? 1 : 0;
                }
                step *= HALF;
            }
        }
    }

    /**
     * Goes uphill: first to where the worst triangle would change by Taylor's formula, then by halves until the gain is
     * nine tenths of what was promised. Vertices that gain too little sleep for the rest of the sweep.
     */
    @MeshKernel
    static void climb(@ReadWrite(2) double[] p, @ReadWrite(3) double[] m,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(4) double[] t,
            @Read(4) double[] a, @Constant(3) Raster metric, @Constant(RULES) double[] rule,
            @ReadWrite double[] awake, @Sum int[] moved) {
        double[] circle = {0, 0, 0};
        int[] done = {0};
        if (a[2] > 0) {
            ascend(p, m, y, n, t, a, circle, metric, rule, done);
        }
        awake[0] = done[0];
        moved[0] += done[0];
    }

    /** The same on circles. */
    @MeshKernel
    static void climbOn(@ReadWrite(2) double[] p, @ReadWrite(3) double[] m,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y,
            @Read(value = 3, entries = ArgumentSignature.VARIABLE) double[][] n, @Read(4) double[] t,
            @Read(4) double[] a, @Read(CIRCLE) double[] circle, @Constant(3) Raster metric,
            @Constant(RULES) double[] rule, @ReadWrite double[] awake, @Sum int[] moved) {
        int[] done = {0};
        if (a[2] > 0) {
            ascend(p, m, y, n, t, a, circle, metric, rule, done);
        }
        awake[0] = done[0];
        moved[0] += done[0];
    }
}
