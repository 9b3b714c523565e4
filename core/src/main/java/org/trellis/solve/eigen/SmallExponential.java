package org.trellis.solve.eigen;

import java.util.Arrays;

/**
 * The exponential of a small dense matrix, that of a Krylov space, times the first unit vector: by scaling and squaring
 * with diagonal Padé approximants (G. Golub, C. Van Loan, Matrix Computations, section 9.3.1). A row and a column more
 * give the estimate of the error (Y. Saad, SIAM J. Numer. Anal. 29(1), 1992, section 5).
 */
final class SmallExponential {
    /** Degree of the approximants, whose error is below rounding for a norm of a half. */
    private static final int DEGREE = 7;
    private static final double NORM = 0.5;

    /** The projected matrix, the coupling below it, and a column of zeros. */
    private final double[][] h;
    private final double norm;

    /**
     * Takes the matrix of a space.
     *
     * @param sign what it is multiplied by
     */
    SmallExponential(KrylovDecomposition space, CountedProduct product, double sign) {
        int m = space.filled();
        h = new double[m + 1][m + 1];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                h[i][j] = sign * product.unscaled(space.projected()[i][j]);
            }
        }
        h[m][m - 1] = sign * product.unscaled(space.coupling()[m - 1]);
        norm = norm(h);
    }

    /** Returns a step at which the exponential can be computed and the estimate says something. */
    double longestStep() {
        return norm > 0 ? 4.0 * h.length / norm : Double.POSITIVE_INFINITY;
    }

    /**
     * A column of an exponential.
     *
     * @param elements in the space
     * @param error    an estimate, as a share of the length of what the exponential is applied to
     * @param vectors  of the space
     */
    record Column(double[] elements, double error, int vectors) {
        /** Returns by what a step is multiplied to have a given error, at most or at least by a limit. */
        double factor(double wanted, double limit, double safety) {
            double best = safety * Math.pow(wanted / error, 1.0 / vectors);
            if (limit < 1) {
                return best > limit ? Math.min(best, safety) : limit;
            }
            return error == 0 ? limit : Math.clamp(best, 1 / limit, limit);
        }

        double[][] asColumn(int dimension) {
            double[][] q = new double[dimension][1];
            for (int i = 0; i < Math.min(dimension, elements.length); i++) {
                q[i][0] = elements[i];
            }
            return q;
        }
    }

    /** Returns the first column of {@code e^(step H)}; an error that is no number is infinite. */
    Column at(double step) {
        int m = h.length - 1;
        double[][] f = exponential(step);
        double[] elements = new double[m];
        for (int i = 0; i < m; i++) {
            elements[i] = f[i][0];
        }
        double error = Math.abs(f[m][0]);
        boolean finite = Arrays.stream(elements).allMatch(Double::isFinite) && Double.isFinite(error);
        return new Column(elements, finite ? error : Double.POSITIVE_INFINITY, m);
    }

    private double[][] exponential(double step) {
        int halvings = Math.max(0, Math.getExponent(step * norm / NORM) + 1);
        double[][] a = scaled(Math.scalb(step, -halvings));
        double[][] power = identity();
        double[][] numerator = identity();
        double[][] denominator = identity();
        double c = 1;
        for (int k = 1; k <= DEGREE; k++) {
            c *= (DEGREE - k + 1.0) / (k * (2.0 * DEGREE - k + 1));
            power = product(power, a);
            add(numerator, c, power);
            add(denominator, k % 2 == 0 ? c : -c, power);
        }
        double[][] f = quotient(denominator, numerator);
        for (int k = 0; k < halvings; k++) {
            f = product(f, f);
        }
        return f;
    }

    private double[][] scaled(double factor) {
        double[][] result = new double[h.length][h.length];
        for (int i = 0; i < h.length; i++) {
            for (int j = 0; j < h.length; j++) {
                result[i][j] = factor * h[i][j];
            }
        }
        return result;
    }

    private double[][] identity() {
        double[][] result = new double[h.length][h.length];
        for (int i = 0; i < h.length; i++) {
            result[i][i] = 1;
        }
        return result;
    }

    private static void add(double[][] to, double factor, double[][] a) {
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a.length; j++) {
                to[i][j] += factor * a[i][j];
            }
        }
    }

    private static double[][] product(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                double factor = a[i][k];
                for (int j = 0; factor != 0 && j < n; j++) {
                    c[i][j] += factor * b[k][j];
                }
            }
        }
        return c;
    }

    /** Solves {@code a x = b} by elimination with partial pivoting; the denominators are well-conditioned. */
    private static double[][] quotient(double[][] a, double[][] b) {
        int n = a.length;
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int i = k + 1; i < n; i++) {
                pivot = Math.abs(a[i][k]) > Math.abs(a[pivot][k]) ? i : pivot;
            }
            swap(a, k, pivot);
            swap(b, k, pivot);
            for (int i = k + 1; i < n; i++) {
                double factor = a[i][k] / a[k][k];
                for (int j = k; j < n; j++) {
                    a[i][j] -= factor * a[k][j];
                }
                for (int j = 0; j < n; j++) {
                    b[i][j] -= factor * b[k][j];
                }
            }
        }
        for (int k = n - 1; k >= 0; k--) {
            for (int j = 0; j < n; j++) {
                double sum = b[k][j];
                for (int i = k + 1; i < n; i++) {
                    sum -= a[k][i] * b[i][j];
                }
                b[k][j] = sum / a[k][k];
            }
        }
        return b;
    }

    private static void swap(double[][] a, int i, int k) {
        double[] row = a[i];
        a[i] = a[k];
        a[k] = row;
    }

    private static double norm(double[][] a) {
        double greatest = 0;
        for (int j = 0; j < a.length; j++) {
            double sum = 0;
            for (double[] row : a) {
                sum += Math.abs(row[j]);
            }
            greatest = Math.max(greatest, sum);
        }
        return greatest;
    }
}
