package org.trellis.solve.multigrid;

import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Interpolation from one C unknown, for reduction: an F unknown takes the value of the C unknown that it depends on
 * most, the one of the lower column of equal ones. Rows that depend on no C unknown are empty, and left to sweeps.
 */
final class OnePointInterpolation {
    private OnePointInterpolation() {}

    /**
     * Computes the matrix P.
     *
     * @param strong    for each row the unknowns that it depends on, and how much
     * @param splitting which unknowns stay
     * @return a matrix of ones, at most one in a row
     */
    static CsrMatrix of(CsrMatrix strong, Splitting splitting) {
        int[] from = new int[splitting.rows()];
        int[] lengths = new int[from.length];
        for (int i = 0; i < from.length; i++) {
            from[i] = splitting.isCoarse(i) ? i : strongest(strong, splitting, i);
            lengths[i] = from[i] < 0 ? 0 : 1;
        }
        return CsrFill.fill(splitting.count(), strong.precision(), lengths, () -> (i, columns, values, at) -> {
            columns[at] = splitting.coarseIndex(from[i]);
            values.set(at, 1);
        });
    }

    private static int strongest(CsrMatrix strong, Splitting splitting, int i) {
        CsrSegment row = strong.segmentOf(i);
        int strongest = -1;
        double greatest = 0;
        for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
            double value = Math.abs(row.values().get(k));
            if (splitting.isCoarse(row.columnIndices()[k]) && value > greatest) {
                strongest = row.columnIndices()[k];
                greatest = value;
            }
        }
        return strongest;
    }
}
