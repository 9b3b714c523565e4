package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Local approximate ideal restriction (T. A. Manteuffel, J. Ruge, B. S. Southworth, "Nonsymmetric algebraic multigrid
 * based on local approximate ideal restriction (lAIR)", SIAM J. Sci. Comput. 40(6), 2018, section 4). The ideal
 * restriction {@code (−A_CF A_FF⁻¹, I)} lets the coarse system have the exact values of C unknowns as its solution,
 * whatever the prolongation; but it is dense. Here a C unknown i restricts from the F unknowns near it, with the
 * weights z that make R A zero there: {@code Σⱼ zⱼ aⱼₖ = −aᵢₖ} for all k nearby.
 */
final class LocalRestriction {
    private static final int ROWS_PER_TASK = 64;
    /** F unknowns that a C unknown restricts from at most, those at distance 1 first: the cost is the cube of it. */
    static final int MOST = 200;

    private final CsrMatrix a;
    private final CsrMatrix near;
    private final Splitting splitting;
    private final int distance;
    private final double truncation;

    /**
     * Prepares a restriction.
     *
     * @param a          the matrix
     * @param near       for each row the unknowns that it is coupled to
     * @param splitting  which unknowns stay
     * @param distance   1 or 2 couplings from a C unknown to F unknowns
     * @param truncation weights below this share of the row's greatest are dropped
     */
    LocalRestriction(CsrMatrix a, CsrMatrix near, Splitting splitting, int distance, double truncation) {
        this.a = a;
        this.near = near;
        this.splitting = splitting;
        this.distance = distance;
        this.truncation = truncation;
    }

    /** Computes the matrix R, row by row on several threads; each has a 1 for its own C unknown. */
    CsrMatrix matrix() {
        int[] coarse = splitting.coarse();
        int[][] columns = new int[coarse.length][];
        double[][] weights = new double[coarse.length][];
        ParallelRanges.run(coarse.length, ROWS_PER_TASK, Row::new, (from, to, row) -> {
            for (int c = from; c < to; c++) {
                row.compute(coarse[c]);
                columns[c] = row.columns();
                weights[c] = row.weights();
            }
        });
        int[] lengths = new int[coarse.length];
        Arrays.setAll(lengths, c -> columns[c].length);
        return CsrFill.fill(a.columns(), a.precision(), lengths, () -> (c, indices, values, at) -> {
            for (int k = 0; k < columns[c].length; k++) {
                indices[at + k] = columns[c][k];
                values.set(at + k, weights[c][k]);
            }
        });
    }

    /** One row under way; an array as long as the matrix says which place each F unknown nearby has. */
    private final class Row {
        private final LocalSystem system = new LocalSystem();
        private final int[] place = new int[a.rows()];
        private final int[] fine = new int[MOST];
        private int size;
        private int[] columns;
        private double[] weights;

        Row() {
            Arrays.fill(place, -1);
        }

        void compute(int i) {
            find(i);
            Arrays.sort(fine, 0, size);
            for (int k = 0; k < size; k++) {
                place[fine[k]] = k;
            }
            system.begin(size);
            setRight(i);
            for (int j = 0; j < size; j++) {
                setColumn(j);
            }
            store(i, system.solve());
            for (int k = 0; k < size; k++) {
                place[fine[k]] = -1;
            }
        }

        /** Finds the F unknowns nearby. */
        private void find(int i) {
            size = 0;
            add(i);
            int direct = size;
            for (int k = 0; distance > 1 && k < direct; k++) {
                add(fine[k]);
            }
        }

        /** Adds the F unknowns that an unknown is coupled to, as long as there is room. */
        private void add(int i) {
            CsrSegment row = near.segmentOf(i);
            for (int k = row.rowStart(i); k < row.rowEnd(i) && size < MOST; k++) {
                int j = row.columnIndices()[k];
                if (!splitting.isCoarse(j) && place[j] < 0) {
                    place[j] = size;
                    fine[size++] = j;
                }
            }
        }

        private void setRight(int i) {
            CsrSegment row = a.segmentOf(i);
            for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
                int at = place[row.columnIndices()[k]];
                if (at >= 0) {
                    system.setRight(at, -row.values().get(k));
                }
            }
        }

        /** The system is the transpose of the matrix among the F unknowns nearby. */
        private void setColumn(int j) {
            CsrSegment row = a.segmentOf(fine[j]);
            for (int k = row.rowStart(fine[j]); k < row.rowEnd(fine[j]); k++) {
                int at = place[row.columnIndices()[k]];
                if (at >= 0) {
                    system.set(at, j, row.values().get(k));
                }
            }
        }

        /** Stores what is kept, in the order of the columns. */
        private void store(int i, double[] z) {
            double greatest = 0;
            for (int k = 0; k < size; k++) {
                greatest = Math.max(greatest, Math.abs(z[k]));
            }
            columns = new int[size + 1];
            weights = new double[size + 1];
            int kept = 0;
            boolean own = false;
            for (int k = 0; k < size; k++) {
                if (!own && fine[k] > i) {
                    own = true;
                    keep(kept++, i, 1);
                }
                if (z[k] != 0 && Math.abs(z[k]) >= truncation * greatest) {
                    keep(kept++, fine[k], z[k]);
                }
            }
            if (!own) {
                keep(kept++, i, 1);
            }
            columns = Arrays.copyOf(columns, kept);
            weights = Arrays.copyOf(weights, kept);
        }

        private void keep(int at, int column, double weight) {
            columns[at] = column;
            weights[at] = weight;
        }

        int[] columns() {
            return columns;
        }

        double[] weights() {
            return weights;
        }
    }
}
