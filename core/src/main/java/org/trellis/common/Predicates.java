package org.trellis.common;

/**
 * The orientation of triangles and tetrahedra, decided exactly. Determinants are computed in double precision first;
 * only if
 * rounding could have changed the sign, all products of coordinates are added up without rounding. The bounds are those
 * of J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", Discrete and
 * Computational Geometry 18, 1997 (tests A of figures 21 and 22). Exact for coordinates whose products neither overflow
 * nor underflow.
 */
public final class Predicates {
    private static final double EPSILON = Math.ulp(1.0) / 2;
    private static final double PLANE_BOUND = (3 + 16 * EPSILON) * EPSILON;
    private static final double SPACE_BOUND = (7 + 56 * EPSILON) * EPSILON;
    private static final int PLANE_TERMS = 12;
    private static final int SPACE_TERMS = 96;

    private Predicates() {}

    /**
     * Returns on which side of a line a point is. Costs about ten operations, some hundreds if the points are almost in
     * line.
     *
     * @param x coordinates of points in the plane, two each
     * @param a a point of the line
     * @param b another
     * @param c the point
     * @return 1 if a, b, c turn anticlockwise, -1 if clockwise, 0 if they are in line
     */
    public static int orientation(double[] x, int a, int b, int c) {
        return orientation(x[2 * a], x[2 * a + 1], x[2 * b], x[2 * b + 1], x[2 * c], x[2 * c + 1]);
    }

    /**
     * Returns on which side of the line from a to b the point c is.
     *
     * @param ax first coordinate of a
     * @param ay second coordinate of a
     * @param bx first coordinate of b
     * @param by second coordinate of b
     * @param cx first coordinate of c
     * @param cy second coordinate of c
     * @return 1 if a, b, c turn anticlockwise, -1 if clockwise, 0 if they are in line
     */
    @SuppressWarnings("ParameterNumber")
    public static int orientation(double ax, double ay, double bx, double by, double cx, double cy) {
        double left = (ax - cx) * (by - cy);
        double right = (ay - cy) * (bx - cx);
        double determinant = left - right;
        if (Math.abs(determinant) > PLANE_BOUND * (Math.abs(left) + Math.abs(right))) {
            return determinant > 0 ? 1 : -1;
        }
        ExactSum sum = new ExactSum(PLANE_TERMS);
        sum.addProduct(ax, by);
        sum.addProduct(-ay, bx);
        sum.addProduct(bx, cy);
        sum.addProduct(-by, cx);
        sum.addProduct(cx, ay);
        sum.addProduct(-cy, ax);
        return sum.sign();
    }

    /**
     * Returns on which side of a plane a point is. Costs about forty operations, some thousands if the points are
     * almost in one plane.
     *
     * @param x coordinates of points in space, three each
     * @param a a point of the plane
     * @param b another
     * @param c a third
     * @param d the point
     * @return 1 if the tetrahedron a, b, c, d has a positive volume, that is if (b - a) x (c - a) points to the side of
     *         d; -1 if negative, 0 if the points are in one plane
     */
    public static int orientation(double[] x, int a, int b, int c, int d) {
        double adx = x[3 * a] - x[3 * d];
        double ady = x[3 * a + 1] - x[3 * d + 1];
        double adz = x[3 * a + 2] - x[3 * d + 2];
        double bdx = x[3 * b] - x[3 * d];
        double bdy = x[3 * b + 1] - x[3 * d + 1];
        double bdz = x[3 * b + 2] - x[3 * d + 2];
        double cdx = x[3 * c] - x[3 * d];
        double cdy = x[3 * c + 1] - x[3 * d + 1];
        double cdz = x[3 * c + 2] - x[3 * d + 2];
        double bc = bdx * cdy - cdx * bdy;
        double ca = cdx * ady - adx * cdy;
        double ab = adx * bdy - bdx * ady;
        double determinant = adz * bc + bdz * ca + cdz * ab;
        double permanent = (Math.abs(bdx * cdy) + Math.abs(cdx * bdy)) * Math.abs(adz)
                + (Math.abs(cdx * ady) + Math.abs(adx * cdy)) * Math.abs(bdz)
                + (Math.abs(adx * bdy) + Math.abs(bdx * ady)) * Math.abs(cdz);
        if (Math.abs(determinant) > SPACE_BOUND * permanent) {
            return determinant < 0 ? 1 : -1;
        }
        return -exactSpace(x, new int[]{a, b, c, d});
    }

    /**
     * Returns whether an element has a positive measure, exactly.
     *
     * @param dimension   2 or 3
     * @param coordinates coordinates of points
     * @param corners     points of elements
     * @param first       where the element's points start
     * @return 1 if it is oriented, -1 if inverted, 0 if flat
     */
    public static int orientation(int dimension, double[] coordinates, int[] corners, int first) {
        return dimension == 2
                ? orientation(coordinates, corners[first], corners[first + 1], corners[first + 2])
                : orientation(coordinates, corners[first], corners[first + 1], corners[first + 2],
                        corners[first + 3]);
    }

    /** The determinant of rows (x, y, z, 1) by its first three columns, for each choice of a row that is left out. */
    private static int exactSpace(double[] x, int[] points) {
        ExactSum sum = new ExactSum(SPACE_TERMS);
        for (int without = 0; without < points.length; without++) {
            int p = points[without == 0 ? 1 : 0];
            int q = points[without <= 1 ? 2 : 1];
            int r = points[without <= 2 ? 3 : 2];
            double sign = without % 2 == 0 ? -1 : 1;
            addDeterminant(sum, x, sign, p, q, r);
        }
        return sum.sign();
    }

    private static void addDeterminant(ExactSum sum, double[] x, double sign, int p, int q, int r) {
        sum.addProduct(sign * x[3 * p], x[3 * q + 1], x[3 * r + 2]);
        sum.addProduct(sign * x[3 * q], x[3 * r + 1], x[3 * p + 2]);
        sum.addProduct(sign * x[3 * r], x[3 * p + 1], x[3 * q + 2]);
        sum.addProduct(-sign * x[3 * r], x[3 * q + 1], x[3 * p + 2]);
        sum.addProduct(-sign * x[3 * q], x[3 * p + 1], x[3 * r + 2]);
        sum.addProduct(-sign * x[3 * p], x[3 * r + 1], x[3 * q + 2]);
    }
}
