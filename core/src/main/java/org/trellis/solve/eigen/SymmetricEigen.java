package org.trellis.solve.eigen;

/**
 * All eigenvalues and eigenvectors of a small dense symmetric matrix: Householder reduction to tridiagonal form, and
 * the implicit QR iteration with Wilkinson's shift (G. Golub, C. Van Loan, Matrix Computations, section 8.3). Errors
 * are rounding of the norm, also those of eigenvalues that are far smaller.
 */
public final class SymmetricEigen {
    private static final double ROUNDING = 0x1p-53;
    /** Steps for an eigenvalue, of which two or three are usual, before the iteration is given up. */
    private static final int MOST_STEPS = 100;

    private final int n;
    private final double[] diagonal;
    /** Elements beside the diagonal. */
    private final double[] beside;
    /** Eigenvectors, one a row. */
    private final double[][] rows;

    /**
     * Computes them. Costs some five times the cube of the size.
     *
     * @param a a symmetric matrix; overwritten
     * @throws ArithmeticException if an element is not finite
     */
    public SymmetricEigen(double[][] a) {
        n = a.length;
        diagonal = new double[n];
        beside = new double[n];
        rows = Decomposition.identity(n);
        for (int k = 0; k + 2 < n; k++) {
            reduce(a, k);
        }
        for (int i = 0; i < n; i++) {
            diagonal[i] = a[i][i];
            beside[i] = i + 1 < n ? a[i + 1][i] : 0;
        }
        iterate();
    }

    /**
     * Returns an eigenvalue.
     *
     * @param k which, in no particular order
     * @return eigenvalue k
     */
    public double value(int k) {
        return diagonal[k];
    }

    /**
     * Returns an element of an eigenvector of length 1.
     *
     * @param i which element
     * @param k which eigenvector
     * @return element i of eigenvector k
     */
    public double vector(int i, int k) {
        return rows[k][i];
    }

    /** Annihilates a column below the element beside the diagonal, and its row, by a reflection. */
    private void reduce(double[][] a, int k) {
        double[] v = new double[n];
        double largest = 0;
        for (int i = k + 1; i < n; i++) {
            largest = Math.max(largest, Math.abs(a[i][k]));
        }
        if (largest == 0) {
            return;
        }
        double square = 0;
        for (int i = k + 1; i < n; i++) {
            v[i] = a[i][k] / largest;
            square += v[i] * v[i];
        }
        double length = Math.copySign(Math.sqrt(square), v[k + 1]);
        double half = square + v[k + 1] * length; // half of the square of the reflection's vector
        v[k + 1] += length;
        reflect(a, v, half, k + 1);
        a[k + 1][k] = -length * largest;
        double[] sums = new double[n];
        for (int j = k + 1; j < n; j++) {
            add(v[j] / half, rows[j], sums);
        }
        for (int j = k + 1; j < n; j++) {
            add(-v[j], sums, rows[j]);
        }
    }

    private static void add(double factor, double[] x, double[] y) {
        for (int i = 0; i < y.length; i++) {
            y[i] += factor * x[i];
        }
    }

    /** Computes {@code H A H} of the rows and columns from one on, with {@code H = I − v vᵀ / half}. */
    private void reflect(double[][] a, double[] v, double half, int from) {
        double[] p = new double[n];
        double product = 0;
        for (int i = from; i < n; i++) {
            double sum = 0;
            for (int j = from; j < n; j++) {
                sum += a[i][j] * v[j];
            }
            p[i] = sum / half;
            product += p[i] * v[i];
        }
        double factor = product / (2 * half);
        for (int i = from; i < n; i++) {
            p[i] -= factor * v[i];
        }
        for (int i = from; i < n; i++) {
            for (int j = from; j < n; j++) {
                a[i][j] -= v[i] * p[j] + p[i] * v[j];
            }
        }
    }

    private void iterate() {
        int high = n - 1;
        int steps = 0;
        while (high > 0) {
            int low = high;
            while (low > 0 && !isNegligible(low - 1)) {
                low--;
            }
            if (low > 0) {
                beside[low - 1] = 0;
            }
            if (low == high) {
                high--;
                steps = 0;
                continue;
            }
            steps++;
            if (steps > MOST_STEPS) {
                throw new ArithmeticException("the QR iteration of a symmetric matrix of " + n
                        + " rows did not converge in " + MOST_STEPS
                        + " steps for an eigenvalue, the element beside it is "
                        + beside[high - 1] + ", expected finite numbers");
            }
            step(low, high);
        }
    }

    private boolean isNegligible(int i) {
        return Math.abs(beside[i]) <= ROUNDING * (Math.abs(diagonal[i]) + Math.abs(diagonal[i + 1]));
    }

    /** One step on the rows from one to another. */
    private void step(int low, int high) {
        double half = (diagonal[high - 1] - diagonal[high]) / 2;
        double corner = beside[high - 1];
        double shift = diagonal[high]
                - corner * (corner / (half + Math.copySign(Math.hypot(half, corner), half)));
        double x = diagonal[low] - shift;
        double z = beside[low];
        for (int k = low; k < high; k++) {
            double length = Math.hypot(x, z);
            double c = length > 0 ? x / length : 1;
            double s = length > 0 ? z / length : 0;
            if (k > low) {
                beside[k - 1] = length;
            }
            double upper = diagonal[k];
            double lower = diagonal[k + 1];
            double middle = beside[k];
            diagonal[k] = c * c * upper + 2 * c * s * middle + s * s * lower;
            diagonal[k + 1] = s * s * upper - 2 * c * s * middle + c * c * lower;
            beside[k] = c * s * (lower - upper) + (c * c - s * s) * middle;
            if (k + 1 < high) {
                z = s * beside[k + 1];
                beside[k + 1] *= c;
                x = beside[k];
            }
            rotate(rows[k], rows[k + 1], c, s);
        }
    }

    private static void rotate(double[] first, double[] second, double c, double s) {
        for (int i = 0; i < first.length; i++) {
            double x = first[i];
            double y = second[i];
            first[i] = c * x + s * y;
            second[i] = c * y - s * x;
        }
    }
}
