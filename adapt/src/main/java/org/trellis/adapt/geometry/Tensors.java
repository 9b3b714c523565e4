package org.trellis.adapt.geometry;

import java.util.function.DoubleUnaryOperator;

/**
 * Symmetric tensors of two or three dimensions, packed by rows of the upper triangle: (xx, xy, yy) or (xx, xy, xz, yy,
 * yz, zz). Methods work on arrays that hold many of them, at an offset.
 */
public final class Tensors {
    private static final int SWEEPS = 40;

    private Tensors() {}

    /**
     * Returns how many numbers a tensor has.
     *
     * @param dimension 2 or 3
     * @return 3 or 6
     */
    public static int size(int dimension) {
        return dimension * (dimension + 1) / 2;
    }

    /**
     * Returns where an entry lies in the packed tensor.
     *
     * @param dimension 2 or 3
     * @param i         row
     * @param j         column
     * @return the place, from 0
     */
    public static int index(int dimension, int i, int j) {
        int row = Math.min(i, j);
        return row * dimension - row * (row - 1) / 2 + Math.abs(i - j);
    }

    /**
     * Computes the determinant.
     *
     * @param dimension 2 or 3
     * @param m         tensors
     * @param o         where the tensor starts
     * @return the determinant
     */
    public static double determinant(int dimension, double[] m, int o) {
        if (dimension == 2) {
            return m[o] * m[o + 2] - m[o + 1] * m[o + 1];
        }
        return m[o] * (m[o + 3] * m[o + 5] - m[o + 4] * m[o + 4])
                - m[o + 1] * (m[o + 1] * m[o + 5] - m[o + 4] * m[o + 2])
                + m[o + 2] * (m[o + 1] * m[o + 4] - m[o + 3] * m[o + 2]);
    }

    /**
     * Returns whether a tensor is a metric: whether its numbers are finite and the pivots of elimination positive.
     *
     * @param dimension 2 or 3
     * @param m         tensors
     * @param o         where the tensor starts
     * @return whether all lengths in it are positive, but for rounding
     */
    public static boolean isPositiveDefinite(int dimension, double[] m, int o) {
        for (int i = o; i < o + size(dimension); i++) {
            if (!Double.isFinite(m[i])) {
                return false;
            }
        }
        if (dimension == 2) {
            return m[o] > 0 && m[o + 2] - m[o + 1] / m[o] * m[o + 1] > 0;
        }
        double yy = m[o + 3] - m[o + 1] / m[o] * m[o + 1];
        double yz = m[o + 4] - m[o + 1] / m[o] * m[o + 2];
        double zz = m[o + 5] - m[o + 2] / m[o] * m[o + 2];
        return m[o] > 0 && yy > 0 && zz - yz / yy * yz > 0;
    }

    /**
     * Computes the length of a vector in a metric.
     *
     * @param dimension 2 or 3
     * @param m         tensors
     * @param o         where the tensor starts
     * @param x         the vector's first component
     * @param y         its second
     * @param z         its third, of no effect in two dimensions
     * @return the square root of its product with itself
     */
    public static double length(int dimension, double[] m, int o, double x, double y, double z) {
        if (dimension == 2) {
            return Math.sqrt(m[o] * x * x + 2 * m[o + 1] * x * y + m[o + 2] * y * y);
        }
        return Math.sqrt(m[o] * x * x + m[o + 3] * y * y + m[o + 5] * z * z
                + 2 * (m[o + 1] * x * y + m[o + 2] * x * z + m[o + 4] * y * z));
    }

    /**
     * Computes eigenvalues and eigenvectors by Jacobi's method (G. H. Golub, C. F. Van Loan, "Matrix Computations",
     * section 8.5).
     *
     * @param dimension 2 or 3
     * @param m         tensors
     * @param o         where the tensor starts
     * @param values    gets the eigenvalues, in no order
     * @param vectors   gets the eigenvectors, of unit length: component i of the k-th at {@code i * dimension + k}
     */
    public static void eigen(int dimension, double[] m, int o, double[] values, double[] vectors) {
        double[] a = full(dimension, m, o);
        for (int i = 0; i < dimension; i++) {
            for (int j = 0; j < dimension; j++) {
                vectors[i * dimension + j] = i == j ? 1 : 0;
            }
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            boolean rotated = false;
            for (int p = 0; p < dimension; p++) {
                for (int q = p + 1; q < dimension; q++) {
                    rotated |= rotate(dimension, a, vectors, p, q);
                }
            }
            if (!rotated) {
                break;
            }
        }
        for (int i = 0; i < dimension; i++) {
            values[i] = a[i * dimension + i];
        }
    }

    private static boolean rotate(int n, double[] a, double[] vectors, int p, int q) {
        double off = a[p * n + q];
        if (Math.abs(off) <= Math.ulp(Math.sqrt(Math.abs(a[p * n + p] * a[q * n + q]))) / 4 || off == 0) {
            return false;
        }
        double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
        double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        double c = 1 / Math.sqrt(t * t + 1);
        double s = t * c;
        for (int k = 0; k < n; k++) {
            turn(a, k * n + p, k * n + q, c, s);
        }
        for (int k = 0; k < n; k++) {
            turn(a, p * n + k, q * n + k, c, s);
            turn(vectors, k * n + p, k * n + q, c, s);
        }
        a[p * n + q] = 0;
        a[q * n + p] = 0;
        return true;
    }

    private static void turn(double[] a, int first, int second, double c, double s) {
        double x = a[first];
        double y = a[second];
        a[first] = c * x - s * y;
        a[second] = s * x + c * y;
    }

    private static double[] full(int n, double[] m, int o) {
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i * n + j] = m[o + index(n, i, j)];
            }
        }
        return a;
    }

    /**
     * Applies a function to the eigenvalues and keeps the eigenvectors.
     *
     * @param dimension 2 or 3
     * @param m         tensors; the one at the offset is replaced
     * @param o         where the tensor starts
     * @param function  what becomes of an eigenvalue
     */
    public static void map(int dimension, double[] m, int o, DoubleUnaryOperator function) {
        double[] values = new double[dimension];
        double[] vectors = new double[dimension * dimension];
        eigen(dimension, m, o, values, vectors);
        for (int k = 0; k < dimension; k++) {
            values[k] = function.applyAsDouble(values[k]);
        }
        compose(dimension, values, vectors, m, o);
    }

    /**
     * Makes a tensor of eigenvalues and eigenvectors.
     *
     * @param dimension 2 or 3
     * @param values    the eigenvalues
     * @param vectors   the eigenvectors, as {@link #eigen} gives them
     * @param m         tensors; the one at the offset is replaced
     * @param o         where the tensor starts
     */
    public static void compose(int dimension, double[] values, double[] vectors, double[] m, int o) {
        for (int i = 0; i < dimension; i++) {
            for (int j = i; j < dimension; j++) {
                double sum = 0;
                for (int k = 0; k < dimension; k++) {
                    sum += vectors[i * dimension + k] * values[k] * vectors[j * dimension + k];
                }
                m[o + index(dimension, i, j)] = sum;
            }
        }
    }

    /**
     * Intersects a metric with another: the largest ellipsoid in the intersection of both unit balls whose axes are
     * those
     * that both have in common after simultaneous reduction, so that no edge may be longer than either allows.
     *
     * @param dimension 2 or 3
     * @param m         tensors, positive definite; the one at the offset is replaced
     * @param o         where the tensor starts
     * @param n         other tensors, positive definite
     * @param p         where the other one starts
     */
    public static void intersect(int dimension, double[] m, int o, double[] n, int p) {
        double[] values = new double[dimension];
        double[] vectors = new double[dimension * dimension];
        eigen(dimension, m, o, values, vectors);
        double[] root = new double[size(dimension)];
        double[] inverse = new double[size(dimension)];
        double[] mapped = new double[dimension];
        for (int k = 0; k < dimension; k++) {
            mapped[k] = Math.sqrt(values[k]);
        }
        compose(dimension, mapped, vectors, root, 0);
        for (int k = 0; k < dimension; k++) {
            mapped[k] = 1 / Math.sqrt(values[k]);
        }
        compose(dimension, mapped, vectors, inverse, 0);
        double[] reduced = sandwich(dimension, inverse, n, p);
        map(dimension, reduced, 0, value -> Math.max(1, value));
        System.arraycopy(sandwich(dimension, root, reduced, 0), 0, m, o, size(dimension));
    }

    /**
     * Multiplies a tensor by another from both sides.
     *
     * @param n 2 or 3
     * @param s a symmetric tensor S
     * @param m tensors
     * @param o where the inner one, M, starts
     * @return S M S
     */
    public static double[] sandwich(int n, double[] s, double[] m, int o) {
        double[] outer = full(n, s, 0);
        double[] inner = full(n, m, o);
        double[] result = new double[size(n)];
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    for (int l = 0; l < n; l++) {
                        sum += outer[i * n + k] * inner[k * n + l] * outer[l * n + j];
                    }
                }
                result[index(n, i, j)] = sum;
            }
        }
        return result;
    }
}
