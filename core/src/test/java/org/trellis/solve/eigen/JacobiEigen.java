package org.trellis.solve.eigen;

/**
 * All eigenvalues and eigenvectors of a small dense symmetric matrix by the cyclic method of Jacobi (G. Golub, C. Van
 * Loan, Matrix Computations, section 8.5). Slow for large matrices, simple, and as exact as can be for small ones.
 */
final class JacobiEigen {
    private static final int MOST_SWEEPS = 60;

    private final double[][] a;
    private final double[][] vectors;

    /**
     * Computes them. Costs some ten times the cube of the size.
     *
     * @param a a symmetric matrix; overwritten
     */
    JacobiEigen(double[][] a) {
        this.a = a;
        this.vectors = new double[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            vectors[i][i] = 1;
        }
        for (int sweep = 0; sweep < MOST_SWEEPS && sweep(); sweep++) {
            // Each sweep halves the number of wrong digits at least.
        }
    }

    /**
     * Returns an eigenvalue.
     *
     * @param k which, in no particular order
     * @return eigenvalue k
     */
    double value(int k) {
        return a[k][k];
    }

    /**
     * Returns an element of an eigenvector of length 1.
     *
     * @param i which element
     * @param k which eigenvector
     * @return element i of eigenvector k
     */
    double vector(int i, int k) {
        return vectors[i][k];
    }

    /** Annihilates each element once; returns whether there was one that mattered. */
    private boolean sweep() {
        boolean any = false;
        for (int p = 0; p < a.length; p++) {
            for (int q = p + 1; q < a.length; q++) {
                double product = Math.abs(a[p][p]) + Math.abs(a[q][q]);
                if (Math.abs(a[p][q]) > 0x1p-56 * product) {
                    rotate(p, q);
                    any = true;
                }
            }
        }
        return any;
    }

    private void rotate(int p, int q) {
        double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.hypot(1, theta));
        double c = 1 / Math.hypot(1, t);
        double s = t * c;
        for (int i = 0; i < a.length; i++) {
            double left = a[i][p];
            double right = a[i][q];
            a[i][p] = c * left - s * right;
            a[i][q] = s * left + c * right;
        }
        for (int i = 0; i < a.length; i++) {
            double left = a[p][i];
            double right = a[q][i];
            a[p][i] = c * left - s * right;
            a[q][i] = s * left + c * right;
            double first = vectors[i][p];
            double second = vectors[i][q];
            vectors[i][p] = c * first - s * second;
            vectors[i][q] = s * first + c * second;
        }
        a[p][q] = 0;
        a[q][p] = 0;
    }
}
