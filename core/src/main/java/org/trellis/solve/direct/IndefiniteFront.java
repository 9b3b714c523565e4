package org.trellis.solve.direct;

import org.trellis.solve.dense.DoubleUpdate;

/**
 * The dense part of a multifrontal {@code L D Lᵀ} factorisation: pivots of one and of two rows are chosen among the
 * first columns of a symmetric matrix, of which the lower triangle is here, a column an array, indexed by row.
 *
 * <p>A pivot is taken if no element of L that it makes exceeds the reciprocal of the tolerance (I. Duff, J. Reid, "The
 * multifrontal solution of indefinite sparse symmetric linear equations", ACM Trans. Math. Softw. 9, 1983; for a
 * tolerance of at most a half a full matrix that is not 0 always has one, J. Bunch, L. Kaufman, "Some stable methods
 * for calculating inertia and solving symmetric linear systems", Math. Comp. 31, 1977). Columns that cannot be
 * eliminated here go to the parent front.
 *
 * <p>Pivots are sought in a window of columns that are up to date; the columns behind it are updated once the window is
 * done. Where a window has no pivot, it is doubled.
 */
final class IndefiniteFront {
    private static final int PANEL = 48;

    private final double tolerance;
    private final double smallest;
    private final DoubleUpdate update = new DoubleUpdate(true);
    /** The columns of L D of the pivots of this window. */
    private final double[][] scaled = new double[PANEL + 1][];
    private double[][] columns;
    private int[] rows;
    private int size;
    private int windowStart;
    private int windowEnd;
    private double[] diagonal;
    private double[] beside;

    /**
     * Sets the rules.
     *
     * @param tolerance more than 0 and at most a half
     * @param smallest  a column without a greater element is taken to be 0
     */
    IndefiniteFront(double tolerance, double smallest) {
        this.tolerance = tolerance;
        this.smallest = smallest;
    }

    /**
     * Eliminates what can be.
     *
     * @param matrix     the lower triangle, with the margin of {@link DoubleUpdate}; the columns that are
     *                   eliminated become columns of L, of which the diagonal is left as it comes; the others become
     *                   the Schur complement
     * @param labels     a label for each row, permuted with it
     * @param candidates how many columns may be eliminated
     * @param d          the diagonal of D for each pivot that is found
     * @param e          the element of D beside the diagonal, in the first row of a pivot of two; else 0
     * @return how many columns were eliminated; they are the first
     */
    int eliminate(double[][] matrix, int[] labels, int candidates, double[] d, double[] e) {
        columns = matrix;
        rows = labels;
        size = labels.length;
        diagonal = d;
        beside = e;
        ensurePanel();
        int done = 0;
        windowEnd = Math.min(candidates, PANEL);
        while (done < candidates) {
            windowStart = done;
            int order = 1;
            while (order > 0 && done < windowEnd && done - windowStart < PANEL) {
                order = choose(done);
                if (order > 0) {
                    eliminate(done, order);
                    done += order;
                }
            }
            int found = done - windowStart;
            if (found > 0) {
                double[][] panel = new double[found][];
                System.arraycopy(columns, windowStart, panel, 0, found);
                update.subtract(new DoubleUpdate.Target(columns, windowEnd, size, windowEnd, size, true), panel, scaled,
                        0,
                        found);
                windowEnd = Math.max(windowEnd, Math.min(candidates, done + PANEL));
            } else if (windowEnd == candidates) {
                break;
            } else {
                windowEnd = Math.min(candidates, 2 * windowEnd);
            }
        }
        return done;
    }

    private void ensurePanel() {
        for (int p = 0; p < scaled.length; p++) {
            if (scaled[p] == null || scaled[p].length < size) {
                scaled[p] = new double[size];
            }
        }
    }

    /** Brings a pivot of the window to its beginning; returns its order, 0 if there is none. */
    private int choose(int k) {
        for (int j = k; j < windowEnd; j++) {
            double own = Math.abs(columns[j][j]);
            double greatest = greatest(j, k, -1);
            if (!(Math.max(own, greatest) > smallest)) {
                continue;
            }
            if (own >= tolerance * greatest) {
                swap(k, j, k);
                return 1;
            }
            int partner = partner(j, k);
            if (partner >= 0 && isStable(j, partner, k)) {
                int low = Math.min(j, partner);
                swap(k, low, k);
                swap(k + 1, Math.max(j, partner), k);
                return 2;
            }
        }
        return 0;
    }

    /** The row of the window with the greatest element of a column; -1 if all are 0. */
    private int partner(int j, int k) {
        int partner = -1;
        double greatest = 0;
        for (int i = k; i < windowEnd; i++) {
            double element = i == j ? 0 : Math.abs(element(i, j));
            if (element > greatest) {
                greatest = element;
                partner = i;
            }
        }
        return partner;
    }

    private double element(int i, int j) {
        return i < j ? columns[i][j] : columns[j][i];
    }

    /** The greatest element of a column beside its diagonal and one other row. */
    private double greatest(int j, int k, int without) {
        double greatest = 0;
        for (int i = k; i < j; i++) {
            double element = Math.abs(columns[i][j]);
            greatest = i != without && element > greatest ? element : greatest;
        }
        double[] column = columns[j];
        for (int i = j + 1; i < size; i++) {
            double element = Math.abs(column[i]);
            greatest = i != without && element > greatest ? element : greatest;
        }
        return greatest;
    }

    private boolean isStable(int j, int r, int k) {
        double first = columns[j][j];
        double second = columns[r][r];
        double off = element(r, j);
        double size = Math.max(Math.abs(off), Math.max(Math.abs(first), Math.abs(second)));
        double determinant = Math.abs(first * second - off * off);
        if (!(determinant > smallest * size)) {
            return false;
        }
        double belowFirst = greatest(j, k, r);
        double belowSecond = greatest(r, k, j);
        double limit = determinant / tolerance;
        return Math.abs(second) * belowFirst + Math.abs(off) * belowSecond <= limit
                && Math.abs(off) * belowFirst + Math.abs(first) * belowSecond <= limit;
    }

    /** Swaps rows and columns {@code a <= b} of what is left, and rows of what is eliminated. */
    private void swap(int a, int b, int k) {
        if (a == b) {
            return;
        }
        for (int p = 0; p < a; p++) {
            swap(columns[p], a, b);
        }
        for (int p = windowStart; p < k; p++) {
            swap(scaled[p - windowStart], a, b);
        }
        double kept = columns[a][a];
        columns[a][a] = columns[b][b];
        columns[b][b] = kept;
        for (int i = a + 1; i < b; i++) {
            kept = columns[a][i];
            columns[a][i] = columns[i][b];
            columns[i][b] = kept;
        }
        for (int i = b + 1; i < size; i++) {
            kept = columns[a][i];
            columns[a][i] = columns[b][i];
            columns[b][i] = kept;
        }
        int label = rows[a];
        rows[a] = rows[b];
        rows[b] = label;
    }

    private static void swap(double[] array, int a, int b) {
        double kept = array[a];
        array[a] = array[b];
        array[b] = kept;
    }

    /** Makes columns of L of a pivot and brings the rest of the window up to date. */
    private void eliminate(int k, int order) {
        double[] first = scaled[k - windowStart];
        System.arraycopy(columns[k], k, first, k, size - k);
        diagonal[k] = columns[k][k];
        beside[k] = 0;
        if (order == 1) {
            double pivot = diagonal[k];
            double[] column = columns[k];
            for (int i = k + 1; i < size; i++) {
                column[i] /= pivot;
            }
        } else {
            double[] second = scaled[k + 1 - windowStart];
            System.arraycopy(columns[k + 1], k + 1, second, k + 1, size - k - 1);
            diagonal[k + 1] = columns[k + 1][k + 1];
            beside[k] = columns[k][k + 1];
            beside[k + 1] = 0;
            divide(k);
        }
        for (int j = k + order; j < windowEnd; j++) {
            for (int p = k; p < k + order; p++) {
                DoubleUpdate.subtract(columns[j], columns[p], scaled[p - windowStart][j], j, size);
            }
        }
    }

    /** Multiplies two columns by the inverse of a pivot, of which the greatest element is beside the diagonal. */
    private void divide(int k) {
        double off = beside[k];
        double first = diagonal[k] / off;
        double second = diagonal[k + 1] / off;
        double determinant = (first * second - 1) * off;
        double[] left = columns[k];
        double[] right = columns[k + 1];
        left[k + 1] = 0;
        for (int i = k + 2; i < size; i++) {
            double a = left[i];
            double b = right[i];
            left[i] = (second * a - b) / determinant;
            right[i] = (first * b - a) / determinant;
        }
    }
}
