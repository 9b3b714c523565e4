package org.trellis.fem.element;

import java.util.Arrays;
import org.trellis.common.Checks;

/**
 * Points and weights on a reference cell or on the unit interval. The arrays are not copied and not to be changed.
 *
 * @param dimension coordinates of a point
 * @param points    the coordinates of all points
 * @param weights   the weights, whose sum is the measure of the cell
 */
public record Quadrature(int dimension, double[] points, double[] weights) {
    private static final int MOST_POINTS = 64;
    private static final int NEWTON_STEPS = 100;

    /**
     * Checks the lengths.
     *
     * @throws IllegalArgumentException if the numbers of points and weights differ
     */
    public Quadrature {
        Checks.length("number of coordinates of quadrature points", points.length, (long) dimension * weights.length);
    }

    /**
     * Returns the number of points.
     *
     * @return at least 1
     */
    public int size() {
        return weights.length;
    }

    /**
     * Makes the Gauss-Legendre rule on [0, 1], exact up to degree 2n − 1.
     *
     * @param n the number of points, 1 to 64
     * @return points in rising order
     * @throws IllegalArgumentException if the number is out of range
     */
    public static Quadrature gauss(int n) {
        require(n, 1);
        double[] points = new double[n];
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            double x = -Math.cos(Math.PI * (i + 0.75) / (n + 0.5));
            double step = 1;
            for (int k = 0; k < NEWTON_STEPS && Math.abs(step) > Math.ulp(1.0); k++) {
                double[] p = legendre(n, x);
                step = p[0] / p[1];
                x -= step;
            }
            double slope = legendre(n, x)[1];
            points[i] = 0.5 * (1 + x);
            weights[i] = 1 / ((1 - x * x) * slope * slope);
        }
        return new Quadrature(1, points, weights);
    }

    /**
     * Makes the Gauss-Lobatto-Legendre rule on [0, 1], which has both ends among its points and is exact up to degree
     * 2n − 3.
     *
     * @param n the number of points, 2 to 64
     * @return points in rising order
     * @throws IllegalArgumentException if the number is out of range
     */
    public static Quadrature gaussLobatto(int n) {
        require(n, 2);
        int degree = n - 1;
        double[] points = new double[n];
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            double x = -Math.cos(Math.PI * i / degree);
            double step = i == 0 || i == degree ? 0 : 1;
            for (int k = 0; k < NEWTON_STEPS && Math.abs(step) > Math.ulp(1.0); k++) {
                double[] p = legendre(degree, x);
                // (1 - x²) P'' = 2 x P' - n (n + 1) P
                step = p[1] / ((2 * x * p[1] - degree * (degree + 1) * p[0]) / (1 - x * x));
                x -= step;
            }
            double value = legendre(degree, x)[0];
            points[i] = i == 0 ? 0 : i == degree ? 1 : 0.5 * (1 + x);
            weights[i] = 1 / (degree * (degree + 1) * value * value);
        }
        return new Quadrature(1, points, weights);
    }

    private static void require(int n, int least) {
        if (n < least || n > MOST_POINTS) {
            throw new IllegalArgumentException("number of quadrature points is " + n + ", expected " + least + " to "
                    + MOST_POINTS);
        }
    }

    /** The Legendre polynomial and its derivative. */
    private static double[] legendre(int degree, double x) {
        double before = 1;
        double value = x;
        if (degree == 0) {
            return new double[]{1, 0};
        }
        for (int k = 2; k <= degree; k++) {
            double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
            before = value;
            value = next;
        }
        double slope = Math.abs(x) == 1
                ? Math.pow(x, degree + 1) * degree * (degree + 1) / 2
                : degree * (before - x * value) / (1 - x * x);
        return new double[]{value, slope};
    }

    /**
     * Makes a rule on a reference cell with n points in each direction: products of Gauss-Legendre rules, on simplices
     * collapsed (Stroud's conical product, with the weight of the collapse in the integrand). Exact up to degree 2n − 1
     * in each direction of a square or cube, up to 2n − 2 on a triangle and 2n − 3 on a tetrahedron.
     *
     * @param shape the cell
     * @param n     points in each direction
     * @return the rule, the first coordinate running fastest
     * @throws IllegalArgumentException if the number is out of range
     */
    public static Quadrature product(ElementShape shape, int n) {
        Quadrature line = gauss(n);
        int dimension = shape.dimension();
        int count = (int) Math.pow(n, dimension);
        double[] points = new double[dimension * count];
        double[] weights = new double[count];
        for (int q = 0; q < count; q++) {
            int rest = q;
            double weight = 1;
            for (int d = 0; d < dimension; d++) {
                points[dimension * q + d] = line.points()[rest % n];
                weight *= line.weights()[rest % n];
                rest /= n;
            }
            weights[q] = shape.isTensor() ? weight : weight * collapse(points, dimension * q, dimension);
        }
        return new Quadrature(dimension, points, weights);
    }

    /** Moves a point of the cube to the simplex; returns the determinant. */
    private static double collapse(double[] points, int at, int dimension) {
        double determinant = 1;
        double room = 1;
        for (int d = 0; d < dimension; d++) {
            determinant *= room;
            double t = points[at + d];
            points[at + d] = t * room;
            room *= 1 - t;
        }
        return determinant;
    }

    /**
     * Makes a rule on a simplex or tensor cell that is exact for polynomials of a degree: the smallest of those here.
     * Triangles and tetrahedra have the symmetric rules of degree 1 and 2.
     *
     * @param shape  the cell
     * @param degree the degree, at least 0; on squares and cubes in each direction
     * @return the rule
     * @throws IllegalArgumentException if the degree is negative or beyond the rules
     */
    public static Quadrature ofDegree(ElementShape shape, int degree) {
        Checks.notNegative("degree of quadrature", degree);
        if (shape.isTensor()) {
            return product(shape, degree / 2 + 1);
        }
        int dimension = shape.dimension();
        double measure = dimension == 2 ? 0.5 : 1.0 / 6;
        if (degree <= 1) {
            double[] centre = new double[dimension];
            Arrays.fill(centre, 1.0 / (dimension + 1));
            return new Quadrature(dimension, centre, new double[]{measure});
        }
        if (degree == 2) {
            double near = dimension == 2 ? 2.0 / 3 : (5 + 3 * Math.sqrt(5)) / 20;
            double far = dimension == 2 ? 1.0 / 6 : (5 - Math.sqrt(5)) / 20;
            double[] points = new double[dimension * (dimension + 1)];
            Arrays.fill(points, far);
            for (int d = 0; d < dimension; d++) {
                points[dimension * (d + 1) + d] = near;
            }
            double[] weights = new double[dimension + 1];
            Arrays.fill(weights, measure / (dimension + 1));
            return new Quadrature(dimension, points, weights);
        }
        return product(shape, Math.ceilDiv(degree + dimension, 2));
    }
}
