package org.trellis.distributed.multigrid;

import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;

/**
 * Which couplings count, over ranks: the strengths of one rank ({@link org.trellis.solve.multigrid.StrengthMeasure}),
 * entry by entry the same.
 */
final class RankStrength {
    private final LocalMatrix a;
    private final double[] sign;
    private final double[] limit;

    /**
     * Finds the greatest couplings of rows. Collective.
     *
     * @param a       the matrix
     * @param theta   θ
     * @param settled rows whose couplings amount to less than this share of the diagonal have no strong ones
     */
    RankStrength(LocalMatrix a, double theta, double settled) {
        this.a = a;
        this.limit = new double[a.elements()];
        double[] diagonal = a.diagonal();
        this.sign = new double[a.elements()];
        for (int row = 0; row < a.owned(); row++) {
            sign[row] = diagonal[row] < 0 ? 1 : -1;
            double greatest = 0;
            double sum = 0;
            for (int k = a.start(row); k < a.end(row); k++) {
                double coupling = a.columns()[k] == row ? 0 : Math.max(0, sign[row] * a.values()[k]);
                greatest = Math.max(greatest, coupling);
                sum += coupling;
            }
            limit[row] = sum < settled * Math.abs(diagonal[row]) ? Double.POSITIVE_INFINITY : theta * greatest;
        }
        a.bring(limit);
    }

    private boolean both(int row, int column, double value) {
        double coupling = sign[row] * value;
        return coupling > 0 && coupling * coupling >= limit[row] * limit[column];
    }

    /** Keeps the diagonal and what is strong for both. */
    LocalMatrix signed() {
        return a.filter((row, column, value) -> row == column || both(row, column, value));
    }

    /** Keeps the diagonal and what is strong for the row. */
    LocalMatrix oneSided() {
        return a.filter((row, column, value) -> {
            double coupling = sign[row] * value;
            return row == column || (coupling > 0 && coupling >= limit[row]);
        });
    }

    /** Returns the share of couplings that are not strong for both. Collective. */
    double weakShare(Communicator communicator) {
        long[] counts = new long[2];
        for (int row = 0; row < a.owned(); row++) {
            for (int k = a.start(row); k < a.end(row); k++) {
                int column = a.columns()[k];
                double value = a.values()[k];
                counts[0] += column != row && value != 0 ? 1 : 0;
                counts[1] += column != row && both(row, column, value) ? 1 : 0;
            }
        }
        communicator.allReduce(Reduction.SUM, counts);
        return counts[0] == 0 ? 0 : 1 - (double) counts[1] / counts[0];
    }

    /** Keeps the diagonal and {@code |aᵢⱼ| ≥ θ √|aᵢᵢ aⱼⱼ|}; with θ of 0 all. Collective. */
    static LocalMatrix symmetric(LocalMatrix a, double theta) {
        if (theta == 0) {
            return a;
        }
        double[] diagonal = a.bring(a.diagonal());
        double square = theta * theta;
        return a.filter((row, column, value) -> row == column
                || value * value >= square * Math.abs(diagonal[row]) * Math.abs(diagonal[column]));
    }
}
