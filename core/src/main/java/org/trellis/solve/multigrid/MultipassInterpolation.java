package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Interpolation from C unknowns at any distance, for aggressive coarsening (K. Stüben, "Algebraic multigrid: an
 * introduction with applications", 1999, section 7.1.3): F unknowns that depend on C unknowns take their values; in
 * each further pass those that depend on interpolated ones take the weights of these. Weights are scaled so that a
 * row's negative couplings count in full; positive ones go to the diagonal. Each row then keeps its greatest weights,
 * scaled so that their sum stays.
 */
final class MultipassInterpolation {
    private static final int ROWS_PER_TASK = 256;

    private final CsrMatrix a;
    private final CsrMatrix strong;
    private final Splitting splitting;
    private final byte[] component;
    private final HostVector diagonal;
    private final int most;
    private final double truncation;
    private final int[][] columns;
    private final double[][] weights;
    /** The pass in which each row was made, from 1 on; 0 for those without. */
    private final int[] pass;
    /** The unknowns that stay. */
    private final int[] coarse;

    /**
     * Prepares an interpolation.
     *
     * @param a          the matrix
     * @param strong     for each row the unknowns that it depends on
     * @param splitting  which unknowns stay
     * @param component  the component of a node that each row is; couplings to other components are left out
     * @param most       weights that a row keeps at most
     * @param truncation weights below this share of the row's greatest are dropped
     */
    MultipassInterpolation(CsrMatrix a, CsrMatrix strong, Splitting splitting, byte[] component, int most,
            double truncation) {
        this.a = a;
        this.strong = strong;
        this.splitting = splitting;
        this.component = component;
        this.diagonal = a.diagonal();
        this.most = most;
        this.truncation = truncation;
        this.columns = new int[a.rows()][];
        this.weights = new double[a.rows()][];
        this.pass = new int[a.rows()];
        this.coarse = new int[splitting.count()];
    }

    /** Computes the matrix P pass by pass, each on several threads; a row without weights is empty. */
    CsrMatrix matrix() {
        for (int i = 0; i < a.rows(); i++) {
            boolean stays = splitting.isCoarse(i);
            columns[i] = stays ? new int[]{splitting.coarseIndex(i)} : new int[0];
            weights[i] = stays ? new double[]{1} : new double[0];
            pass[i] = stays ? 1 : 0;
            if (stays) {
                coarse[splitting.coarseIndex(i)] = i;
            }
        }
        int next = 2;
        while (interpolate(next)) {
            next++;
        }
        return WeightRow.matrix(a, splitting, columns, weights);
    }

    /** Makes rows that depend on those of earlier passes; returns whether there were any. */
    private boolean interpolate(int next) {
        boolean[] made = new boolean[a.rows()];
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, () -> new WeightRow(splitting, most, truncation),
                (from, to, row) -> {
                    for (int i = from; i < to; i++) {
                        made[i] = pass[i] == 0 && dependsOnEarlier(i);
                        if (made[i]) {
                            compute(i, row);
                            columns[i] = row.columns();
                            weights[i] = row.weights();
                        }
                    }
                });
        boolean any = false;
        for (int i = 0; i < made.length; i++) {
            if (made[i]) {
                pass[i] = next;
                any = true;
            }
        }
        return any;
    }

    private boolean dependsOnEarlier(int i) {
        CsrSegment row = strong.segmentOf(i);
        for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
            if (pass[row.columnIndices()[k]] > 0) {
                return true;
            }
        }
        return false;
    }

    private void compute(int i, WeightRow to) {
        CsrSegment row = a.segmentOf(i);
        CsrSegment depends = strong.segmentOf(i);
        int strongAt = depends.rowStart(i);
        double d = diagonal.get(i);
        double opposite = 0;
        double taken = 0;
        for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
            int n = row.columnIndices()[k];
            double value = row.values().get(k);
            if (n == i || component[n] != component[i]) {
                continue;
            }
            if (value * diagonal.get(i) >= 0) {
                d += value;
                continue;
            }
            opposite += value;
            strongAt = Math.max(strongAt,
                    place(depends.columnIndices(), strongAt, depends.rowEnd(i), n));
            boolean isStrong = strongAt < depends.rowEnd(i) && depends.columnIndices()[strongAt] == n;
            if (isStrong && pass[n] > 0) {
                taken += value;
                addAll(n, value, to);
            }
        }
        to.sort();
        to.end(taken == 0 || d == 0 ? 0 : -1, d * taken / opposite);
    }

    /** Returns the first place whose column is not below a number. */
    private static int place(int[] sorted, int from, int to, int column) {
        int at = Arrays.binarySearch(sorted, from, to, column);
        return at < 0 ? -at - 1 : at;
    }

    private void addAll(int n, double value, WeightRow to) {
        for (int k = 0; k < columns[n].length; k++) {
            int unknown = coarse[columns[n][k]];
            to.add(unknown);
            to.add(unknown, value * weights[n][k]);
        }
    }
}
