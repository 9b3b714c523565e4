package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.CsrSegment;

/** Which couplings count: the entries of a matrix along which errors are smooth after a few sweeps of a smoother. */
final class Strength {
    private static final int ROWS_PER_TASK = 1024;

    private Strength() {}

    /**
     * Keeps the diagonal and {@code |aᵢⱼ| ≥ θ √|aᵢᵢ aⱼⱼ|} (P. Vaněk, J. Mandel, M. Brezina, Computing 56, 1996,
     * section 4).
     *
     * @param a     a square matrix; with θ of 0 it is returned itself
     * @param theta θ, from 0 on
     * @return a matrix of the strong entries
     */
    static CsrMatrix symmetric(CsrMatrix a, double theta) {
        if (theta == 0) {
            return a;
        }
        HostVector diagonal = a.diagonal();
        double square = theta * theta;
        return a.filter((i, j, value) -> i == j
                || value * value >= square * Math.abs(diagonal.get(i)) * Math.abs(diagonal.get(j)));
    }

    /**
     * What couplings of each row have to reach.
     *
     * @param limit the greatest absolute value of a row's couplings times θ, with the sign that they have: negative
     *              where the diagonal is not
     */
    private record Limits(double[] limit) {
        /** Finds them; rows whose couplings amount to less than this share of the diagonal have no strong ones. */
        static Limits of(CsrMatrix a, double theta, double settled) {
            double[] limit = new double[a.rows()];
            ParallelRanges.run(a.rows(), ROWS_PER_TASK, (from, to) -> {
                CsrRowCursor rows = new CsrRowCursor(a);
                for (int row = from; row < to; row++) {
                    rows.moveTo(row);
                    int at = Arrays.binarySearch(rows.columns(), rows.start(), rows.end(), row);
                    double diagonal = at < 0 ? 0 : rows.value(at);
                    double sign = diagonal < 0 ? 1 : -1;
                    limit[row] = sign * limit(rows, row, theta, settled * Math.abs(diagonal), sign);
                }
            });
            return new Limits(limit);
        }

        private static double limit(CsrRowCursor rows, int row, double theta, double settled, double sign) {
            int[] columns = rows.columns();
            int end = rows.end();
            double greatest = 0;
            double sum = 0;
            for (int k = rows.start(); k < end; k++) {
                double coupling = columns[k] == row ? 0 : Math.max(0, sign * rows.value(k));
                greatest = Math.max(greatest, coupling);
                sum += coupling;
            }
            return sum < settled ? Double.POSITIVE_INFINITY : theta * greatest;
        }

        /** Says whether a coupling is strong for both. */
        boolean both(int i, int j, double value) {
            double coupling = Math.copySign(1, limit[i]) * value;
            return coupling > 0 && coupling * coupling >= Math.abs(limit[i] * limit[j]);
        }

        /** Says whether a coupling is strong for the row. */
        boolean own(int i, double value) {
            double coupling = Math.copySign(1, limit[i]) * value;
            return coupling > 0 && coupling >= Math.abs(limit[i]);
        }
    }

    /**
     * Keeps the diagonal and {@code −aᵢⱼ ≥ θ √(mᵢ mⱼ)} with the greatest {@code mᵢ = maxₖ −aᵢₖ} of each row; signs are
     * turned where {@code aᵢᵢ} is negative. Rows that are {@link StrengthOptions#SETTLED settled} have none.
     *
     * @param a     a square matrix
     * @param theta θ
     * @return a matrix of the strong entries
     */
    static CsrMatrix signed(CsrMatrix a, double theta) {
        Limits limits = Limits.of(a, theta, StrengthOptions.SETTLED);
        return a.filter((i, j, value) -> i == j || limits.both(i, j, value));
    }

    /**
     * Keeps the diagonal and {@code −aᵢⱼ ≥ θ mᵢ}: what {@link #signed} keeps, and what is strong for one of two only.
     * Where a coefficient jumps, nodes on the side where it is small depend on the other side and not the other way
     * round. Rows that are {@link StrengthOptions#SETTLED settled} depend on none.
     *
     * @param a     a square matrix
     * @param theta θ
     * @return a matrix of these entries; its pattern is not symmetric
     */
    static CsrMatrix oneSided(CsrMatrix a, double theta) {
        Limits limits = Limits.of(a, theta, StrengthOptions.SETTLED);
        return a.filter((i, j, value) -> i == j || limits.own(i, value));
    }

    /**
     * Returns the share of couplings that {@link #signed} does not keep. Costs two passes.
     *
     * @param a     a matrix
     * @param theta θ
     * @return from 0 to 1; entries of 0 do not count
     */
    static double weakShare(CsrMatrix a, double theta) {
        Limits limits = Limits.of(a, theta, 0);
        LongAdder all = new LongAdder();
        LongAdder weak = new LongAdder();
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, (from, to) -> {
            CsrRowCursor rows = new CsrRowCursor(a);
            int couplings = 0;
            int lost = 0;
            for (int row = from; row < to; row++) {
                rows.moveTo(row);
                int[] columns = rows.columns();
                int end = rows.end();
                for (int k = rows.start(); k < end; k++) {
                    double value = rows.value(k);
                    if (columns[k] != row && value != 0) {
                        couplings++;
                        lost += limits.both(row, columns[k], value) ? 0 : 1;
                    }
                }
            }
            all.add(couplings);
            weak.add(lost);
        });
        return all.sum() == 0 ? 0 : (double) weak.sum() / all.sum();
    }

    /**
     * Keeps {@code −aᵢⱼ ≥ θ maxₖ −aᵢₖ} outside of the diagonal, with signs turned where {@code aᵢᵢ} is negative (J.
     * Ruge, K. Stüben, "Algebraic multigrid", 1987, section 4.6). Unknowns of one component only are strong neighbours,
     * and rows whose sum is more than a share of the diagonal depend on none.
     *
     * @param a         a square matrix
     * @param theta     θ
     * @param rowSum    the share; 1 and more for no such rows
     * @param component the component of a node that each row is
     * @return a matrix of the strong entries; its pattern is not symmetric
     */
    static CsrMatrix classical(CsrMatrix a, double theta, double rowSum, byte[] component) {
        double[] limit = new double[a.rows()];
        boolean[] negative = new boolean[a.rows()];
        HostVector diagonal = a.diagonal();
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, (from, to) -> {
            CsrRowCursor rows = new CsrRowCursor(a);
            for (int row = from; row < to; row++) {
                negative[row] = diagonal.get(row) < 0;
                rows.moveTo(row);
                limit[row] = rowSum < 1 && Math.abs(sum(rows)) > rowSum * Math.abs(diagonal.get(row))
                        ? Double.POSITIVE_INFINITY
                        : theta * greatestCoupling(rows, row, negative[row] ? -1 : 1, component);
            }
        });
        return a.filter((i, j, value) -> {
            double coupling = negative[i] ? value : -value;
            return i != j && component[i] == component[j] && coupling > 0 && coupling >= limit[i];
        });
    }

    /**
     * Keeps {@code |aᵢⱼ| ≥ θ maxₖ |aᵢₖ|} outside of the diagonal, among unknowns of one component.
     *
     * @param a         a square matrix
     * @param theta     θ
     * @param component the component of a node that each row is
     * @return a matrix of these entries, without those of 0; its pattern is not symmetric
     */
    static CsrMatrix absolute(CsrMatrix a, double theta, byte[] component) {
        double[] limit = new double[a.rows()];
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, (from, to) -> {
            CsrRowCursor rows = new CsrRowCursor(a);
            for (int row = from; row < to; row++) {
                rows.moveTo(row);
                double greatest = 0;
                for (int k = rows.start(); k < rows.end(); k++) {
                    int column = rows.columns()[k];
                    greatest = column == row || component[column] != component[row]
                            ? greatest
                            : Math.max(greatest, Math.abs(rows.value(k)));
                }
                limit[row] = theta * greatest;
            }
        });
        return a.filter((i, j, value) -> i != j && component[i] == component[j] && value != 0
                && Math.abs(value) >= limit[i]);
    }

    private static double sum(CsrRowCursor row) {
        double sum = 0;
        for (int k = row.start(); k < row.end(); k++) {
            sum += row.value(k);
        }
        return sum;
    }

    private static double greatestCoupling(CsrRowCursor rows, int row, int sign, byte[] component) {
        int[] columns = rows.columns();
        int end = rows.end();
        double greatest = 0;
        for (int k = rows.start(); k < end; k++) {
            int column = columns[k];
            if (column != row && component[column] == component[row]) {
                greatest = Math.max(greatest, -sign * rows.value(k));
            }
        }
        return greatest;
    }

    /**
     * Counts the rows that have couplings in a matrix and none among the strong ones.
     *
     * @param a      a matrix
     * @param strong its strong entries
     * @return how many rows a threshold has cut off
     */
    static int cutOff(CsrMatrix a, CsrMatrix strong) {
        int count = 0;
        for (int row = 0; row < a.rows(); row++) {
            if (couplings(a, row) > 0 && couplings(strong, row) == 0) {
                count++;
            }
        }
        return count;
    }

    /** Counts the entries of a row outside of the diagonal. */
    private static int couplings(CsrMatrix a, int row) {
        CsrSegment segment = a.segmentOf(row);
        int count = 0;
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            count += segment.columnIndices()[k] == row ? 0 : 1;
        }
        return count;
    }
}
