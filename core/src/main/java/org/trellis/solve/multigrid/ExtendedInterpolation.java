package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Interpolation from C unknowns at a distance of up to two, "extended+i" (H. De Sterck, R. D. Falgout, J. W. Nolting,
 * U. M. Yang, Numer. Linear Algebra Appl. 15, 2008, formula 4.10): strong F neighbours are distributed to the C
 * unknowns that they and i depend on, and to i itself; weak couplings go to the diagonal. Each row then keeps its
 * greatest weights, scaled so that their sum stays.
 */
final class ExtendedInterpolation {
    private static final int ROWS_PER_TASK = 256;

    private final CsrMatrix a;
    private final CsrMatrix strong;
    private final Splitting splitting;
    private final byte[] component;
    private final int most;
    private final double truncation;
    private final HostVector diagonal;

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
    ExtendedInterpolation(CsrMatrix a, CsrMatrix strong, Splitting splitting, byte[] component, int most,
            double truncation) {
        this.a = a;
        this.strong = strong;
        this.splitting = splitting;
        this.component = component;
        this.most = most;
        this.truncation = truncation;
        this.diagonal = a.diagonal();
    }

    /** Computes the matrix P, row by row on several threads; a row without weights is empty. */
    CsrMatrix matrix() {
        int[][] columns = new int[a.rows()][];
        double[][] weights = new double[a.rows()][];
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, Row::new, (from, to, row) -> {
            for (int i = from; i < to; i++) {
                row.compute(i);
                columns[i] = row.weights.columns();
                weights[i] = row.weights.weights();
            }
        });
        return WeightRow.matrix(a, splitting, columns, weights);
    }

    /** One row under way; an array as long as the matrix says which unknowns are strong F neighbours. */
    private final class Row {
        private final WeightRow weights = new WeightRow(splitting, most, truncation);
        private final int[] strongFineOf = new int[a.rows()];

        Row() {
            Arrays.fill(strongFineOf, -1);
        }

        void compute(int i) {
            if (splitting.isCoarse(i)) {
                weights.add(i);
                weights.add(i, 1);
                weights.end(1, 1);
                return;
            }
            find(i);
            weights.sort();
            double d = distribute(i);
            weights.end(d == 0 ? 0 : -1, d);
        }

        /** Finds the C unknowns that i or one of its strong F neighbours depends on. */
        private void find(int i) {
            CsrSegment row = strong.segmentOf(i);
            for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
                int neighbour = row.columnIndices()[k];
                if (splitting.isCoarse(neighbour)) {
                    weights.add(neighbour);
                    continue;
                }
                strongFineOf[neighbour] = i;
                CsrSegment further = strong.segmentOf(neighbour);
                for (int l = further.rowStart(neighbour); l < further.rowEnd(neighbour); l++) {
                    if (splitting.isCoarse(further.columnIndices()[l])) {
                        weights.add(further.columnIndices()[l]);
                    }
                }
            }
        }

        /** Sums up the numerators; returns the denominator. */
        private double distribute(int i) {
            double d = diagonal.get(i);
            CsrSegment row = a.segmentOf(i);
            for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
                int n = row.columnIndices()[k];
                double value = row.values().get(k);
                if (n == i || component[n] != component[i]) {
                    continue;
                }
                if (weights.has(n)) {
                    weights.add(n, value);
                } else if (strongFineOf[n] == i) {
                    d += through(i, n, value);
                } else {
                    d += value;
                }
            }
            return d;
        }

        /** Distributes the coupling to a strong F neighbour; returns what falls back on i. */
        private double through(int i, int n, double value) {
            CsrSegment row = a.segmentOf(n);
            double sum = 0;
            for (int l = row.rowStart(n); l < row.rowEnd(n); l++) {
                int j = row.columnIndices()[l];
                sum += j == i || weights.has(j) ? opposite(n, row.values().get(l)) : 0;
            }
            if (sum == 0) {
                return value;
            }
            double back = 0;
            for (int l = row.rowStart(n); l < row.rowEnd(n); l++) {
                int j = row.columnIndices()[l];
                if (j == i) {
                    back = value * opposite(n, row.values().get(l)) / sum;
                } else if (weights.has(j)) {
                    weights.add(j, value * opposite(n, row.values().get(l)) / sum);
                }
            }
            return back;
        }

        /** Returns the value if its sign is not that of the diagonal. */
        private double opposite(int row, double value) {
            return value * diagonal.get(row) < 0 ? value : 0;
        }
    }
}
