package org.trellis.adapt.metric;

/** Dense systems of a few unknowns. */
final class SmallSystems {
    private SmallSystems() {}

    /**
     * Solves by elimination with row exchanges.
     *
     * @param n unknowns
     * @param a the matrix by rows, overwritten
     * @param b the right-hand side, overwritten by the solution
     * @return the ratio of the least to the greatest pivot, 0 if singular
     */
    static double solve(int n, double[] a, double[] b) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int i = k + 1; i < n; i++) {
                if (Math.abs(a[i * n + k]) > Math.abs(a[pivot * n + k])) {
                    pivot = i;
                }
            }
            double size = Math.abs(a[pivot * n + k]);
            if (size == 0) {
                return 0;
            }
            least = Math.min(least, size);
            greatest = Math.max(greatest, size);
            exchange(n, a, b, k, pivot);
            for (int i = k + 1; i < n; i++) {
                double factor = a[i * n + k] / a[k * n + k];
                for (int j = k; j < n; j++) {
                    a[i * n + j] -= factor * a[k * n + j];
                }
                b[i] -= factor * b[k];
            }
        }
        for (int k = n - 1; k >= 0; k--) {
            for (int j = k + 1; j < n; j++) {
                b[k] -= a[k * n + j] * b[j];
            }
            b[k] /= a[k * n + k];
        }
        return least / greatest;
    }

    private static void exchange(int n, double[] a, double[] b, int one, int other) {
        if (one == other) {
            return;
        }
        for (int j = 0; j < n; j++) {
            double kept = a[one * n + j];
            a[one * n + j] = a[other * n + j];
            a[other * n + j] = kept;
        }
        double kept = b[one];
        b[one] = b[other];
        b[other] = kept;
    }
}
