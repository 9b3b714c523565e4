package org.trellis.solve.direct;

import org.trellis.common.ParallelRanges;

/**
 * The update {@code C -= X Yᵀ} of a lower triangle behind a panel of eliminated columns: where nearly all operations of
 * a multifrontal factorisation are. Separate arrays with one index are what the JIT compiler vectorises.
 *
 * <p>Each pair of columns gets four terms at a time, on several threads where that is worth it. Each column gets its
 * terms in the same order whatever the threads.
 */
final class PanelUpdate {
    private static final double WORTHWHILE_OPERATIONS = 400_000;

    private PanelUpdate() {}

    /**
     * Subtracts {@code factors[p][j] sources[p][i]} from each {@code columns[j][i]} with {@code first <= j <= i <
     * size}.
     *
     * @param columns the lower triangle, a column an array, indexed by row
     * @param sources the columns of X
     * @param factors the columns of Y; may be those of X
     * @param count   how many there are of either
     */
    static void subtract(double[][] columns, double[][] sources, double[][] factors, int count, int first, int size) {
        int left = size - first;
        if (left <= 0 || count == 0) {
            return;
        }
        double operations = (double) left * left * count;
        int pairs = (left + 1) / 2;
        int grain = operations < 2 * WORTHWHILE_OPERATIONS
                ? pairs + 1
                : (int) Math.max(1, pairs * WORTHWHILE_OPERATIONS / operations);
        ParallelRanges.run(pairs, grain, (begin, end) -> {
            for (int pair = begin; pair < end; pair++) {
                int j = first + 2 * pair;
                if (j + 1 < size) {
                    updatePair(columns, sources, factors, count, j, size);
                } else {
                    for (int p = 0; p < count; p++) {
                        subtract(columns[j], sources[p], factors[p][j], j, size);
                    }
                }
            }
        });
    }

    /** Subtracts a multiple of one column from another from a row on. */
    static void subtract(double[] target, double[] source, double factor, int from, int size) {
        for (int i = from; i < size; i++) {
            target[i] -= factor * source[i];
        }
    }

    private static void updatePair(double[][] columns, double[][] sources, double[][] factors, int count, int j,
            int size) {
        int p = 0;
        for (; p + 4 <= count; p += 4) {
            double[] left = columns[j];
            left[j] -= sources[p][j] * factors[p][j] + sources[p + 1][j] * factors[p + 1][j]
                    + sources[p + 2][j] * factors[p + 2][j] + sources[p + 3][j] * factors[p + 3][j];
            subtractFour(left, columns[j + 1], sources, factors, p, j + 1, size);
        }
        for (; p < count; p++) {
            subtract(columns[j], sources[p], factors[p][j], j, size);
            subtract(columns[j + 1], sources[p], factors[p][j + 1], j + 1, size);
        }
    }

    /** Subtracts four terms from rows {@code right} on of the columns {@code right - 1} and {@code right}. */
    private static void subtractFour(double[] left, double[] next, double[][] sources, double[][] factors, int p,
            int right, int size) {
        double[] a = sources[p];
        double[] b = sources[p + 1];
        double[] c = sources[p + 2];
        double[] d = sources[p + 3];
        double a0 = factors[p][right - 1];
        double b0 = factors[p + 1][right - 1];
        double c0 = factors[p + 2][right - 1];
        double d0 = factors[p + 3][right - 1];
        double a1 = factors[p][right];
        double b1 = factors[p + 1][right];
        double c1 = factors[p + 2][right];
        double d1 = factors[p + 3][right];
        for (int i = right; i < size; i++) {
            left[i] -= a0 * a[i] + b0 * b[i] + (c0 * c[i] + d0 * d[i]);
            next[i] -= a1 * a[i] + b1 * b[i] + (c1 * c[i] + d1 * d[i]);
        }
    }
}
