package org.trellis.adapt.geometry;

/**
 * The quality of triangles and tetrahedra in a metric: the functional of Y. Vasilevskii and K. Lipnikov ("An adaptive
 * algorithm for quasioptimal mesh generation", Comput. Math. Math. Phys. 39, 1999), which is 1 for equilateral
 * simplices
 * of unit edges and falls to 0 for flat, long or short ones. The metric of an element is the mean of its corners'.
 */
public final class SimplexQuality {
    private static final double PLANE_FACTOR = 12 * Math.sqrt(3);
    private static final double SPACE_FACTOR = 1296 * Math.sqrt(2);
    private static final int PLANE_EDGES = 3;
    private static final int SPACE_EDGES = 6;

    private SimplexQuality() {}

    /**
     * The penalty for a size other than one.
     *
     * @param x the mean length of edges, at least 0
     * @return 1 for length 1, falling to 0 for long and short
     */
    public static double sizeFactor(double x) {
        double least = Math.min(x, 1 / x);
        double base = least * (2 - least);
        return base * base * base;
    }

    /**
     * Computes the quality of an element.
     *
     * @param dimension   2 or 3
     * @param coordinates coordinates of points
     * @param metric      a tensor for each point, packed as in {@link Tensors}
     * @param corners     points of elements, one after another
     * @param first       where the element's points start
     * @return at most 1; not positive for an element that is inverted or flat
     */
    public static double of(int dimension, double[] coordinates, double[] metric, int[] corners, int first) {
        return dimension == 2
                ? plane(coordinates, metric, corners[first], corners[first + 1], corners[first + 2])
                : space(coordinates, metric, corners[first], corners[first + 1], corners[first + 2],
                        corners[first + 3]);
    }

    private static double plane(double[] x, double[] m, int a, int b, int c) {
        double xx = (m[3 * a] + m[3 * b] + m[3 * c]) / 3;
        double xy = (m[3 * a + 1] + m[3 * b + 1] + m[3 * c + 1]) / 3;
        double yy = (m[3 * a + 2] + m[3 * b + 2] + m[3 * c + 2]) / 3;
        double px = x[2 * b] - x[2 * a];
        double py = x[2 * b + 1] - x[2 * a + 1];
        double qx = x[2 * c] - x[2 * a];
        double qy = x[2 * c + 1] - x[2 * a + 1];
        double rx = qx - px;
        double ry = qy - py;
        double area = 0.5 * (px * qy - py * qx) * Math.sqrt(xx * yy - xy * xy);
        double sum = Math.sqrt(xx * px * px + 2 * xy * px * py + yy * py * py)
                + Math.sqrt(xx * qx * qx + 2 * xy * qx * qy + yy * qy * qy)
                + Math.sqrt(xx * rx * rx + 2 * xy * rx * ry + yy * ry * ry);
        return PLANE_FACTOR * area / (sum * sum) * sizeFactor(sum / PLANE_EDGES);
    }

    private static double space(double[] x, double[] m, int a, int b, int c, int d) {
        double[] mean = new double[6];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = (m[6 * a + i] + m[6 * b + i] + m[6 * c + i] + m[6 * d + i]) / 4;
        }
        double sum = edge(x, mean, a, b) + edge(x, mean, a, c) + edge(x, mean, a, d) + edge(x, mean, b, c)
                + edge(x, mean, b, d) + edge(x, mean, c, d);
        double volume = volume(x, a, b, c, d) * Math.sqrt(Tensors.determinant(3, mean, 0));
        return SPACE_FACTOR * volume / (sum * sum * sum) * sizeFactor(sum / SPACE_EDGES);
    }

    private static double edge(double[] x, double[] m, int a, int b) {
        return Tensors.length(3, m, 0, x[3 * b] - x[3 * a], x[3 * b + 1] - x[3 * a + 1], x[3 * b + 2] - x[3 * a + 2]);
    }

    /**
     * Computes area or volume of an element, in the plane or in space themselves.
     *
     * @param dimension   2 or 3
     * @param coordinates coordinates of points
     * @param corners     points of elements
     * @param first       where the element's points start
     * @return positive if the element is oriented, but for rounding
     */
    public static double measure(int dimension, double[] coordinates, int[] corners, int first) {
        return dimension == 2
                ? area(coordinates, corners[first], corners[first + 1], corners[first + 2])
                : volume(coordinates, corners[first], corners[first + 1], corners[first + 2], corners[first + 3]);
    }

    private static double area(double[] x, int a, int b, int c) {
        return 0.5 * ((x[2 * b] - x[2 * a]) * (x[2 * c + 1] - x[2 * a + 1])
                - (x[2 * b + 1] - x[2 * a + 1]) * (x[2 * c] - x[2 * a]));
    }

    private static double volume(double[] x, int a, int b, int c, int d) {
        double px = x[3 * b] - x[3 * a];
        double py = x[3 * b + 1] - x[3 * a + 1];
        double pz = x[3 * b + 2] - x[3 * a + 2];
        double qx = x[3 * c] - x[3 * a];
        double qy = x[3 * c + 1] - x[3 * a + 1];
        double qz = x[3 * c + 2] - x[3 * a + 2];
        double rx = x[3 * d] - x[3 * a];
        double ry = x[3 * d + 1] - x[3 * a + 1];
        double rz = x[3 * d + 2] - x[3 * a + 2];
        return ((py * qz - pz * qy) * rx + (pz * qx - px * qz) * ry + (px * qy - py * qx) * rz) / 6;
    }

    /**
     * Computes the length of an edge, in the mean of its ends' metrics.
     *
     * @param dimension   2 or 3
     * @param coordinates coordinates of points
     * @param metric      a tensor for each point
     * @param a           a point
     * @param b           another
     * @return the length, not negative
     */
    public static double edgeLength(int dimension, double[] coordinates, double[] metric, int a, int b) {
        int o = dimension * a;
        int p = dimension * b;
        double x = coordinates[p] - coordinates[o];
        double y = coordinates[p + 1] - coordinates[o + 1];
        double z = dimension == 2 ? 0 : coordinates[p + 2] - coordinates[o + 2];
        int size = Tensors.size(dimension);
        double first = Tensors.length(dimension, metric, size * a, x, y, z);
        double second = Tensors.length(dimension, metric, size * b, x, y, z);
        return Math.sqrt((first * first + second * second) / 2);
    }
}
