package org.trellis.adapt.geometry;

import java.util.Arrays;
import java.util.Comparator;
import org.trellis.common.Checks;

/**
 * A smooth surface near triangles in space, made from their corners and the normals there. A point of a triangle is
 * moved half of the way to the mean, by its weights, of its projections onto the tangent planes at the corners, which
 * is where a surface of constant curvature is but for terms of fourth order (T. Boubekeur, M. Alexa, "Phong
 * Tessellation", ACM Trans. Graph. 27, 2008, take three quarters, for pictures). The surface goes through the corners
 * and has no gaps between triangles. The nearest point is that of the nearest point of a triangle, so it is on the
 * surface, but may be beside the foot of the perpendicular by terms of third order. Finding it visits few more
 * triangles than the logarithm of their number.
 */
public final class SmoothSurface implements SurfaceShape {
    private static final double SHARE = 0.5;
    private static final int LEAF = 4;

    private final double[] points;
    /** The corners of triangles, in the order of the tree: each node has a range of them, its children the halves. */
    private final int[] triangles;
    private final double[] normals;
    /** For each node the least and greatest coordinates of its triangles; children of n are 2n and 2n + 1. */
    private final double[] boxes;

    /**
     * Makes the surface. Takes time proportional to the number of triangles and the square of its logarithm.
     *
     * @param points    coordinates of points, three each; copied
     * @param triangles three points for each triangle, all in the same orientation; copied
     * @throws IllegalArgumentException if there are no triangles, or one has not three points
     * @throws IndexOutOfBoundsException if a corner is no point
     */
    public SmoothSurface(double[] points, int[] triangles) {
        Checks.positive("number of triangles", triangles.length / 3);
        Checks.length("remainder of the number of corners by 3", triangles.length % 3, 0);
        this.points = points.clone();
        this.triangles = triangles.clone();
        normals = normals(points, triangles);
        boxes = new double[6 * 2 * Integer.highestOneBit(2 * Math.ceilDiv(triangles.length / 3, LEAF))];
        build(1, 0, triangles.length / 3);
    }

    /** Orders the triangles of a node along its longest side and halves them. */
    private void build(int node, int from, int to) {
        int longest = box(node, from, to);
        if (to - from > LEAF) {
            Integer[] order = new Integer[to - from];
            Arrays.setAll(order, i -> from + i);
            Arrays.sort(order, Comparator.comparingDouble(t -> centre(t, longest)));
            int[] sorted = new int[3 * order.length];
            for (int i = 0; i < order.length; i++) {
                System.arraycopy(triangles, 3 * order[i], sorted, 3 * i, 3);
            }
            System.arraycopy(sorted, 0, triangles, 3 * from, sorted.length);
            build(2 * node, from, (from + to) >>> 1);
            build(2 * node + 1, (from + to) >>> 1, to);
        }
    }

    private double centre(int triangle, int axis) {
        double sum = 0;
        for (int c = 0; c < 3; c++) {
            sum += points[3 * triangles[3 * triangle + c] + axis];
        }
        return sum;
    }

    /** Writes the box of a node; returns its longest axis. */
    private int box(int node, int from, int to) {
        int longest = 0;
        for (int k = 0; k < 3; k++) {
            double low = Double.POSITIVE_INFINITY;
            double high = Double.NEGATIVE_INFINITY;
            for (int i = 3 * from; i < 3 * to; i++) {
                low = Math.min(low, points[3 * triangles[i] + k]);
                high = Math.max(high, points[3 * triangles[i] + k]);
            }
            boxes[6 * node + k] = low;
            boxes[6 * node + 3 + k] = high;
            if (high - low > boxes[6 * node + 3 + longest] - boxes[6 * node + longest]) {
                longest = k;
            }
        }
        return longest;
    }

    /** The mean of the normals of the triangles around each point, by their angles there. */
    private static double[] normals(double[] points, int[] triangles) {
        double[] normals = new double[points.length];
        int[] corners = new int[3];
        for (int t = 0; t < triangles.length; t += 3) {
            for (int c = 0; c < 3; c++) {
                Checks.index("corner " + c + " of triangle " + t / 3, triangles[t + c], points.length / 3);
                corners[c] = triangles[t + c];
            }
            double[] normal = PatchFinder.normal(3, points, corners);
            unit(normal, 0);
            for (int c = 0; c < 3; c++) {
                double angle = angle(points, corners[c], corners[(c + 1) % 3], corners[(c + 2) % 3]);
                for (int k = 0; k < 3; k++) {
                    normals[3 * corners[c] + k] += angle * normal[k];
                }
            }
        }
        for (int o = 0; o < normals.length; o += 3) {
            unit(normals, o);
        }
        return normals;
    }

    private static void unit(double[] v, int o) {
        double length = Math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2]);
        for (int k = 0; k < 3 && length > 0; k++) {
            v[o + k] /= length;
        }
    }

    private static double angle(double[] x, int at, int p, int q) {
        double dot = 0;
        double first = 0;
        double second = 0;
        for (int k = 0; k < 3; k++) {
            double u = x[3 * p + k] - x[3 * at + k];
            double v = x[3 * q + k] - x[3 * at + k];
            dot += u * v;
            first += u * u;
            second += v * v;
        }
        return Math.acos(Math.clamp(dot / Math.sqrt(first * second), -1, 1));
    }

    /** The nearest triangle so far, the square of its distance, and the weights of its corners at its nearest point. */
    private static final class Nearest {
        private double square = Double.POSITIVE_INFINITY;
        private int triangle;
        private final double[] weights = new double[3];
        private final double[] trial = new double[3];
    }

    private Nearest locate(double[] x, int o) {
        Nearest nearest = new Nearest();
        search(1, 0, triangles.length / 3, x, o, nearest);
        return nearest;
    }

    private void search(int node, int from, int to, double[] x, int o, Nearest nearest) {
        if (to - from <= LEAF) {
            for (int t = from; t < to; t++) {
                double square = square(t, x, o, nearest.trial);
                if (square < nearest.square) {
                    nearest.square = square;
                    nearest.triangle = t;
                    System.arraycopy(nearest.trial, 0, nearest.weights, 0, 3);
                }
            }
            return;
        }
        int middle = (from + to) >>> 1;
        double first = toBox(2 * node, x, o);
        double second = toBox(2 * node + 1, x, o);
        if (first <= second && first < nearest.square) {
            search(2 * node, from, middle, x, o, nearest);
        }
        if (second < nearest.square) {
            search(2 * node + 1, middle, to, x, o, nearest);
        }
        if (first > second && first < nearest.square) {
            search(2 * node, from, middle, x, o, nearest);
        }
    }

    /** The square of the distance of a point from a node's box. */
    private double toBox(int node, double[] x, int o) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double beyond = Math.max(0, Math.max(boxes[6 * node + k] - x[o + k], x[o + k] - boxes[6 * node + 3 + k]));
            square += beyond * beyond;
        }
        return square;
    }

    /** The square of the distance of a point from a triangle, and the weights of its corners at the nearest point. */
    private double square(int triangle, double[] x, int o, double[] weights) {
        int a = 3 * triangles[3 * triangle];
        int b = 3 * triangles[3 * triangle + 1];
        int c = 3 * triangles[3 * triangle + 2];
        double pp = 0;
        double pq = 0;
        double qq = 0;
        double pd = 0;
        double qd = 0;
        for (int k = 0; k < 3; k++) {
            double p = points[b + k] - points[a + k];
            double q = points[c + k] - points[a + k];
            double d = x[o + k] - points[a + k];
            pp += p * p;
            pq += p * q;
            qq += q * q;
            pd += p * d;
            qd += q * d;
        }
        double determinant = pp * qq - pq * pq;
        double second = (pd * qq - qd * pq) / determinant;
        double third = (qd * pp - pd * pq) / determinant;
        if (second >= 0 && third >= 0 && second + third <= 1) {
            return keep(triangle, x, o, weights, new double[]{1 - second - third, second, third});
        }
        double least = Double.POSITIVE_INFINITY;
        double[] side = new double[3];
        for (int k = 0; k < 3; k++) {
            Arrays.fill(side, 0);
            double along = along(points, 3 * triangles[3 * triangle + k], 3 * triangles[3 * triangle + (k + 1) % 3], x,
                    o);
            side[k] = 1 - along;
            side[(k + 1) % 3] = along;
            double here = distance(triangle, x, o, side);
            if (here < least) {
                least = keep(triangle, x, o, weights, side);
            }
        }
        return least;
    }

    private double keep(int triangle, double[] x, int o, double[] weights, double[] found) {
        System.arraycopy(found, 0, weights, 0, 3);
        return distance(triangle, x, o, found);
    }

    private double distance(int triangle, double[] x, int o, double[] weights) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double difference = flat(triangle, weights, k) - x[o + k];
            square += difference * difference;
        }
        return square;
    }

    private double flat(int triangle, double[] weights, int k) {
        double sum = 0;
        for (int c = 0; c < 3; c++) {
            sum += weights[c] * points[3 * triangles[3 * triangle + c] + k];
        }
        return sum;
    }

    /** Where on a side, from 0 to 1, the nearest point is. */
    private static double along(double[] points, int from, int to, double[] x, int o) {
        double dot = 0;
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double side = points[to + k] - points[from + k];
            dot += side * (x[o + k] - points[from + k]);
            square += side * side;
        }
        return Math.clamp(dot / square, 0, 1);
    }

    @Override
    public void nearest(double[] x, int o, double[] point) {
        Nearest found = locate(x, o);
        double[] foot = new double[3];
        for (int k = 0; k < 3; k++) {
            foot[k] = flat(found.triangle, found.weights, k);
        }
        double[] at = foot.clone();
        for (int c = 0; c < 3; c++) {
            int corner = 3 * triangles[3 * found.triangle + c];
            double above = 0;
            for (int k = 0; k < 3; k++) {
                above += (foot[k] - points[corner + k]) * normals[corner + k];
            }
            for (int k = 0; k < 3; k++) {
                at[k] -= SHARE * found.weights[c] * above * normals[corner + k];
            }
        }
        System.arraycopy(at, 0, point, 0, 3);
    }

    @Override
    public void normal(double[] x, int o, double[] normal) {
        Nearest found = locate(x, o);
        Arrays.fill(normal, 0, 3, 0);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                normal[k] += found.weights[c] * normals[3 * triangles[3 * found.triangle + c] + k];
            }
        }
        unit(normal, 0);
    }

    @Override
    public boolean hasEdge() {
        return true;
    }

    @Override
    public String toString() {
        return "smooth surface near " + triangles.length / 3 + " triangles";
    }
}
