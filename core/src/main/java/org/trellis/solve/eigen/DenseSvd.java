package org.trellis.solve.eigen;

import java.util.Arrays;

/**
 * The singular value decomposition {@code A = P Σ Qᵀ} of a small dense square matrix by one-sided Jacobi rotations (M.
 * R. Hestenes, J. Soc. Indust. Appl. Math. 6, 1958; G. Golub, C. Van Loan, Matrix Computations, section 8.6).
 */
final class DenseSvd {
    private static final int MOST_SWEEPS = 60;
    private static final double ROUNDING = 0x1p-52;
    /** Of the square of a column: what may be left of it by a rotation before it is summed up again. */
    private static final double LEFT_OVER = 0.25;

    private final int n;
    /** Columns of P Σ, then of P, as rows. */
    private final double[][] left;
    /** Columns of Q as rows. */
    private final double[][] right;
    /** Squares of columns, then singular values. */
    private final double[] values;

    /** Computes it. Costs some twenty times the cube of the size. */
    DenseSvd(double[][] a) {
        n = a.length;
        left = new double[n][n];
        right = new double[n][n];
        values = new double[n];
        for (int i = 0; i < n; i++) {
            right[i][i] = 1;
            for (int j = 0; j < n; j++) {
                left[j][i] = a[i][j];
            }
        }
        for (int sweep = 0; sweep < MOST_SWEEPS && sweep(); sweep++) {
            // Converges quadratically near the end.
        }
        double largest = 0;
        for (int k = 0; k < n; k++) {
            values[k] = Math.sqrt(dot(left[k], left[k]));
            largest = Math.max(largest, values[k]);
        }
        complete(largest);
    }

    double value(int k) {
        return values[k];
    }

    double left(int i, int k) {
        return left[k][i];
    }

    double right(int i, int k) {
        return right[k][i];
    }

    private boolean sweep() {
        boolean any = false;
        for (int k = 0; k < n; k++) {
            values[k] = dot(left[k], left[k]);
        }
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                double pp = values[p];
                double qq = values[q];
                double pq = dot(left[p], left[q]);
                if (Math.abs(pq) > ROUNDING * Math.sqrt(pp * qq)) {
                    any = true;
                    double theta = (qq - pp) / (2 * pq);
                    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(1, theta));
                    double cosine = 1 / Math.hypot(1, t);
                    rotate(left[p], left[q], cosine, t * cosine);
                    rotate(right[p], right[q], cosine, t * cosine);
                    values[p] = square(left[p], pp, pp - t * pq);
                    values[q] = square(left[q], qq, qq + t * pq);
                }
            }
        }
        return any;
    }

    /** Returns the square of a column after a rotation. */
    private static double square(double[] column, double before, double now) {
        return now > LEFT_OVER * before ? now : dot(column, column);
    }

    private static void rotate(double[] x, double[] y, double cosine, double sine) {
        for (int i = 0; i < x.length; i++) {
            double first = x[i];
            x[i] = cosine * first - sine * y[i];
            y[i] = sine * first + cosine * y[i];
        }
    }

    /** Gives left vectors their length, and makes those of vanishing singular values orthogonal to the others. */
    private void complete(double largest) {
        boolean[] known = new boolean[n];
        for (int k = 0; k < n; k++) {
            known[k] = values[k] > n * ROUNDING * largest;
            if (known[k]) {
                for (int i = 0; i < n; i++) {
                    left[k][i] /= values[k];
                }
            }
        }
        for (int k = 0; k < n; k++) {
            for (int unit = 0; unit < n && !known[k]; unit++) {
                Arrays.fill(left[k], 0);
                left[k][unit] = 1;
                for (int pass = 0; pass < 2; pass++) {
                    for (int j = 0; j < n; j++) {
                        double product = known[j] ? dot(left[k], left[j]) : 0;
                        for (int i = 0; i < n; i++) {
                            left[k][i] -= product * left[j][i];
                        }
                    }
                }
                double length = Math.sqrt(dot(left[k], left[k]));
                if (length > 0.5 / Math.sqrt(n)) {
                    for (int i = 0; i < n; i++) {
                        left[k][i] /= length;
                    }
                    known[k] = true;
                }
            }
        }
    }

    /** Four sums, so that none waits for the one before. */
    private static double dot(double[] x, double[] y) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        int i = 0;
        for (; i + 3 < x.length; i += 4) {
            s0 += x[i] * y[i];
            s1 += x[i + 1] * y[i + 1];
            s2 += x[i + 2] * y[i + 2];
            s3 += x[i + 3] * y[i + 3];
        }
        for (; i < x.length; i++) {
            s0 += x[i] * y[i];
        }
        return s0 + s1 + (s2 + s3);
    }
}
