package org.trellis.matrices.generate;

import org.trellis.sparse.CsrMatrix;

/** Dense copies of small matrices for tests. */
final class Dense {
    private Dense() {}

    static double[][] of(CsrMatrix matrix) {
        double[][] dense = new double[matrix.rows()][matrix.columns()];
        matrix.forEachEntry((i, j, value) -> dense[i][j] = value);
        return dense;
    }

    /** Whether the symmetric matrix has a Cholesky factor. */
    static boolean isPositiveDefinite(CsrMatrix matrix) {
        double[][] a = of(matrix);
        for (int j = 0; j < a.length; j++) {
            for (int k = 0; k < j; k++) {
                for (int i = j; i < a.length; i++) {
                    a[i][j] -= a[i][k] * a[j][k];
                }
            }
            if (!(a[j][j] > 0)) {
                return false;
            }
            double root = Math.sqrt(a[j][j]);
            for (int i = j; i < a.length; i++) {
                a[i][j] /= root;
            }
        }
        return true;
    }

    static double[] rowSums(CsrMatrix matrix) {
        double[] sums = new double[matrix.rows()];
        matrix.forEachEntry((i, j, value) -> sums[i] += value);
        return sums;
    }

    static boolean isSymmetric(CsrMatrix matrix) {
        return matrix.sameAs(matrix.transpose());
    }
}
