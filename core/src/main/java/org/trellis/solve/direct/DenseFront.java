package org.trellis.solve.direct;

import java.util.Arrays;

/**
 * The dense part of a multifrontal Cholesky factorisation: the lower triangle of a symmetric matrix, a column an array,
 * indexed by row. Columns are eliminated in panels, behind each of which the rest is updated at once
 * ({@link PanelUpdate}).
 */
final class DenseFront {
    private static final int PANEL = 48;

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
                    PanelUpdate.subtract(columns[j], columns[p], columns[p][j], j, size);
                }
            }
            double[][] panel = Arrays.copyOfRange(columns, from, to);
            PanelUpdate.subtract(columns, panel, panel, to - from, to, size);
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
}
