package org.trellis.solve.direct;

import org.trellis.common.ParallelRanges;

/**
 * The dense part of a multifrontal factorisation: the lower triangle of a symmetric matrix, a column an array, indexed
 * by row. Separate arrays with one index are what the JIT compiler vectorises.
 *
 * <p>Columns are eliminated in panels; behind a panel, each pair of columns is updated by four columns of it at a time,
 * on several threads where that is worth it. Each column gets its terms in the same order whatever the threads.
 */
final class DenseFront {
    private static final int PANEL = 48;
    private static final double WORTHWHILE_OPERATIONS = 400_000;

    private final double[][] columns;
    private final int size;

    /**
     * Looks at the corner of a workspace.
     *
     * @param columns at least {@code size} arrays of at least {@code size} elements
     * @param size    rows and columns
     */
    DenseFront(double[][] columns, int size) {
        this.columns = columns;
        this.size = size;
    }

    /**
     * Eliminates the first columns, which become columns of the factor; the others become the Schur complement.
     *
     * @param width    how many
     * @param smallest what each pivot must exceed
     * @return the first column whose pivot does not, and stays as it is; -1 if all do
     */
    int eliminate(int width, double[] smallest) {
        for (int from = 0; from < width; from += PANEL) {
            int to = Math.min(width, from + PANEL);
            for (int p = from; p < to; p++) {
                if (!pivot(p, smallest[p])) {
                    return p;
                }
                for (int j = p + 1; j < to; j++) {
                    subtract(j, p);
                }
            }
            update(from, to);
        }
        return -1;
    }

    private boolean pivot(int p, double smallest) {
        double[] column = columns[p];
        if (!(column[p] > smallest)) {
            return false;
        }
        double root = Math.sqrt(column[p]);
        double inverse = 1 / root;
        column[p] = root;
        for (int i = p + 1; i < size; i++) {
            column[i] *= inverse;
        }
        return true;
    }

    private void subtract(int j, int p) {
        double[] source = columns[p];
        double[] target = columns[j];
        double factor = source[j];
        for (int i = j; i < size; i++) {
            target[i] -= factor * source[i];
        }
    }

    private void update(int from, int to) {
        int left = size - to;
        double operations = (double) left * left * (to - from);
        int pairs = (left + 1) / 2;
        int grain = operations < 2 * WORTHWHILE_OPERATIONS
                ? pairs + 1
                : (int) Math.max(1, pairs * WORTHWHILE_OPERATIONS / operations);
        ParallelRanges.run(pairs, grain, (first, last) -> {
            for (int pair = first; pair < last; pair++) {
                int j = to + 2 * pair;
                if (j + 1 < size) {
                    updatePair(j, from, to);
                } else {
                    for (int p = from; p < to; p++) {
                        subtract(j, p);
                    }
                }
            }
        });
    }

    private void updatePair(int j, int from, int to) {
        int p = from;
        for (; p + 4 <= to; p += 4) {
            double[] a = columns[p];
            double[] b = columns[p + 1];
            double[] c = columns[p + 2];
            double[] d = columns[p + 3];
            columns[j][j] -= a[j] * a[j] + b[j] * b[j] + c[j] * c[j] + d[j] * d[j];
            subtractFour(j, new double[][]{a, b, c, d});
        }
        for (; p < to; p++) {
            subtract(j, p);
            subtract(j + 1, p);
        }
    }

    private void subtractFour(int j, double[][] sources) {
        double[] a = sources[0];
        double[] b = sources[1];
        double[] c = sources[2];
        double[] d = sources[3];
        double a0 = a[j];
        double b0 = b[j];
        double c0 = c[j];
        double d0 = d[j];
        double a1 = a[j + 1];
        double b1 = b[j + 1];
        double c1 = c[j + 1];
        double d1 = d[j + 1];
        double[] left = columns[j];
        double[] right = columns[j + 1];
        for (int i = j + 1; i < size; i++) {
            left[i] -= a0 * a[i] + b0 * b[i] + (c0 * c[i] + d0 * d[i]);
            right[i] -= a1 * a[i] + b1 * b[i] + (c1 * c[i] + d1 * d[i]);
        }
    }
}
