package org.trellis.solve.eigen;

/** Elimination with complete pivoting for systems of a few rows, which come with their right-hand side. */
final class DenseElimination {
    private DenseElimination() {}

    /**
     * Solves a system.
     *
     * @param a     rows, each with its right-hand side; overwritten
     * @param least pivots up to this count as zero
     * @return the solution, or null if there is no pivot
     */
    static double[] solve(double[][] a, double least) {
        return solve(a, least, false);
    }

    /**
     * Solves a system, with small pivots replaced, as inverse iteration wants it.
     *
     * @param a     rows, each with its right-hand side; overwritten
     * @param least smaller pivots are replaced by this
     * @return the solution
     */
    static double[] solveNearly(double[][] a, double least) {
        return solve(a, Math.max(least, Double.MIN_NORMAL), true);
    }

    private static double[] solve(double[][] a, double least, boolean replaced) {
        int n = a.length;
        int[] columns = new int[n];
        for (int k = 0; k < n; k++) {
            columns[k] = k;
        }
        for (int k = 0; k < n; k++) {
            pivot(a, columns, k);
            if (!(Math.abs(a[k][k]) > least)) {
                if (!replaced) {
                    return null;
                }
                a[k][k] = Math.copySign(least, a[k][k]);
            }
            for (int i = k + 1; i < n; i++) {
                double factor = a[i][k] / a[k][k];
                for (int j = k; j <= n; j++) {
                    a[i][j] -= factor * a[k][j];
                }
            }
        }
        double[] x = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double sum = a[i][n];
            for (int j = i + 1; j < n; j++) {
                sum -= a[i][j] * x[columns[j]];
            }
            x[columns[i]] = sum / a[i][i];
        }
        return x;
    }

    private static void pivot(double[][] a, int[] columns, int k) {
        int n = a.length;
        int row = k;
        int column = k;
        for (int i = k; i < n; i++) {
            for (int j = k; j < n; j++) {
                if (Math.abs(a[i][j]) > Math.abs(a[row][column])) {
                    row = i;
                    column = j;
                }
            }
        }
        double[] swapped = a[k];
        a[k] = a[row];
        a[row] = swapped;
        for (double[] one : a) {
            double element = one[k];
            one[k] = one[column];
            one[column] = element;
        }
        int index = columns[k];
        columns[k] = columns[column];
        columns[column] = index;
    }
}
