package org.trellis.solve.direct;

import java.util.Arrays;

/** A singular value decomposition by rotations of columns from one side: slow, short and exact enough to test by. */
final class DenseSvd {
    private static final int SWEEPS = 60;

    /** Rows are columns of the matrix, or its rows if it is wide: orthogonal to each other at last. */
    private final double[][] u;
    /** What rotations made of the identity. */
    private final double[][] v;
    private final boolean wide;

    DenseSvd(double[][] a, int columns) {
        wide = a.length < columns;
        u = wide ? Arrays.stream(a).map(double[]::clone).toArray(double[][]::new) : transpose(a, columns);
        v = new double[u.length][u.length];
        for (int j = 0; j < v.length; j++) {
            v[j][j] = 1;
        }
        boolean rotated = true;
        for (int sweep = 0; sweep < SWEEPS && rotated; sweep++) {
            rotated = false;
            for (int p = 0; p < u.length; p++) {
                for (int q = p + 1; q < u.length; q++) {
                    rotated |= rotate(p, q);
                }
            }
        }
    }

    private static double[][] transpose(double[][] a, int columns) {
        double[][] result = new double[columns][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < columns; j++) {
                result[j][i] = a[i][j];
            }
        }
        return result;
    }

    private boolean rotate(int p, int q) {
        double alpha = dot(u[p], u[p]);
        double beta = dot(u[q], u[q]);
        double gamma = dot(u[p], u[q]);
        if (Math.abs(gamma) <= 1e-16 * Math.sqrt(alpha * beta)) {
            return false;
        }
        double zeta = (beta - alpha) / (2 * gamma);
        double t = Math.copySign(1, zeta) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        double c = 1 / Math.sqrt(1 + t * t);
        turn(u[p], u[q], c, c * t);
        turn(v[p], v[q], c, c * t);
        return true;
    }

    private static void turn(double[] a, double[] b, double c, double s) {
        for (int i = 0; i < a.length; i++) {
            double old = a[i];
            a[i] = c * old - s * b[i];
            b[i] = s * old + c * b[i];
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private double greatest() {
        return Arrays.stream(u).mapToDouble(row -> Math.sqrt(dot(row, row))).max().orElse(0);
    }

    int rank() {
        double limit = 1e-10 * greatest();
        return (int) Arrays.stream(u).filter(row -> Math.sqrt(dot(row, row)) > limit).count();
    }

    /** The least singular value that is not zero, over the greatest. */
    double reciprocalCondition() {
        double limit = 1e-10 * greatest();
        return Arrays.stream(u).mapToDouble(row -> Math.sqrt(dot(row, row))).filter(norm -> norm > limit).min()
                .orElse(1) / (limit == 0 ? 1 : greatest());
    }

    /** The pseudo-inverse times a vector. */
    double[] solve(double[] b, int columns) {
        double limit = 1e-10 * greatest();
        double[] x = new double[columns];
        for (int k = 0; k < u.length; k++) {
            double square = dot(u[k], u[k]);
            if (Math.sqrt(square) <= limit) {
                continue;
            }
            double[] left = wide ? v[k] : u[k];
            double[] right = wide ? u[k] : v[k];
            double factor = dot(left, b) / square;
            for (int j = 0; j < columns; j++) {
                x[j] += factor * right[j];
            }
        }
        return x;
    }
}
