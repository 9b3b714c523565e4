package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrFill;
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
                columns[i] = row.columns();
                weights[i] = row.weights();
            }
        });
        int[] lengths = new int[a.rows()];
        Arrays.setAll(lengths, i -> columns[i].length);
        return CsrFill.fill(splitting.count(), a.precision(), lengths, () -> (i, indices, values, at) -> {
            for (int k = 0; k < columns[i].length; k++) {
                indices[at + k] = columns[i][k];
                values.set(at + k, weights[i][k]);
            }
        });
    }

    /** One row under way; arrays as long as the matrix say what each unknown is to it. */
    private final class Row {
        private final int[] place = new int[a.rows()];
        private final int[] strongFineOf = new int[a.rows()];
        private int[] coarse = new int[32];
        private double[] sums = new double[32];
        private int size;
        private int[] columns;
        private double[] weights;

        Row() {
            Arrays.fill(place, -1);
            Arrays.fill(strongFineOf, -1);
        }

        void compute(int i) {
            size = 0;
            if (splitting.isCoarse(i)) {
                add(i);
                sums[0] = 1;
            } else {
                collect(i);
                double d = distribute(i);
                for (int k = 0; k < size; k++) {
                    sums[k] = d == 0 ? 0 : -sums[k] / d;
                }
            }
            for (int k = 0; k < size; k++) {
                place[coarse[k]] = -1;
            }
            truncate();
        }

        private void add(int j) {
            if (place[j] < 0) {
                if (size == coarse.length) {
                    coarse = Arrays.copyOf(coarse, 2 * size);
                    sums = Arrays.copyOf(sums, 2 * size);
                }
                place[j] = size;
                coarse[size] = j;
                sums[size++] = 0;
            }
        }

        /** Finds the C unknowns that i or one of its strong F neighbours depends on, in order. */
        private void collect(int i) {
            find(i);
            Arrays.sort(coarse, 0, size);
            for (int k = 0; k < size; k++) {
                place[coarse[k]] = k;
            }
        }

        private void find(int i) {
            CsrSegment row = strong.segmentOf(i);
            for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
                int neighbour = row.columnIndices()[k];
                if (splitting.isCoarse(neighbour)) {
                    add(neighbour);
                    continue;
                }
                strongFineOf[neighbour] = i;
                CsrSegment further = strong.segmentOf(neighbour);
                for (int l = further.rowStart(neighbour); l < further.rowEnd(neighbour); l++) {
                    if (splitting.isCoarse(further.columnIndices()[l])) {
                        add(further.columnIndices()[l]);
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
                if (place[n] >= 0) {
                    sums[place[n]] += value;
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
                sum += j == i || place[j] >= 0 ? opposite(n, row.values().get(l)) : 0;
            }
            if (sum == 0) {
                return value;
            }
            double back = 0;
            for (int l = row.rowStart(n); l < row.rowEnd(n); l++) {
                int j = row.columnIndices()[l];
                if (j == i) {
                    back = value * opposite(n, row.values().get(l)) / sum;
                } else if (place[j] >= 0) {
                    sums[place[j]] += value * opposite(n, row.values().get(l)) / sum;
                }
            }
            return back;
        }

        /** Returns the value if its sign is not that of the diagonal. */
        private double opposite(int row, double value) {
            return value * diagonal.get(row) < 0 ? value : 0;
        }

        /** Keeps the greatest weights, in the order of their columns. */
        private void truncate() {
            double all = 0;
            double greatest = 0;
            for (int k = 0; k < size; k++) {
                all += sums[k];
                greatest = Math.max(greatest, Math.abs(sums[k]));
            }
            int kept = 0;
            for (int k = 0; k < size; k++) {
                if (sums[k] != 0 && Math.abs(sums[k]) >= truncation * greatest) {
                    kept = insert(k, kept);
                }
            }
            columns = new int[kept];
            double left = 0;
            for (int k = 0; k < kept; k++) {
                left += sums[k];
                columns[k] = splitting.coarseIndex(coarse[k]);
            }
            double factor = left == 0 ? 1 : all / left;
            weights = new double[kept];
            Arrays.sort(columns);
            for (int k = 0; k < kept; k++) {
                weights[Arrays.binarySearch(columns, splitting.coarseIndex(coarse[k]))] = factor * sums[k];
            }
        }

        /** Moves a weight to its place among the greatest so far, the one of the lower column first of equal ones. */
        private int insert(int k, int kept) {
            int column = coarse[k];
            double weight = sums[k];
            int to = kept;
            while (to > 0 && comesBefore(column, weight, to - 1)) {
                to--;
            }
            if (to >= most) {
                return kept;
            }
            int end = Math.min(kept, most - 1);
            System.arraycopy(coarse, to, coarse, to + 1, end - to);
            System.arraycopy(sums, to, sums, to + 1, end - to);
            coarse[to] = column;
            sums[to] = weight;
            return end + 1;
        }

        private boolean comesBefore(int column, double weight, int other) {
            int bySize = Double.compare(Math.abs(weight), Math.abs(sums[other]));
            return bySize > 0 || (bySize == 0 && column < coarse[other]);
        }

        int[] columns() {
            return columns;
        }

        double[] weights() {
            return weights;
        }
    }
}
