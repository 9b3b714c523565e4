package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;

/**
 * Factors L and U by columns.
 *
 * @param below      L without its diagonal
 * @param beyond     U without its diagonal
 * @param pivots     the diagonal of U
 * @param blockStart where diagonal blocks start, and the number of steps
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LuColumnNumbers(LuColumns below, LuColumns beyond, double[] pivots, int[] blockStart) implements LuNumbers {
    private static final int TOGETHER = LuSolver.TOGETHER;

    @Override
    public long entries() {
        return (long) below.size() + beyond.size();
    }

    @Override
    public long entriesOfColumns() {
        return entries();
    }

    @Override
    public double operations() {
        double sum = below.size();
        for (int e = 0; e < beyond.size(); e++) {
            int step = beyond.rows()[e];
            sum += 2.0 * (below.start()[step + 1] - below.start()[step]);
        }
        return sum;
    }

    @Override
    public CsrMatrix lower() {
        double[] ones = new double[pivots.length];
        Arrays.fill(ones, 1);
        return LuFactors.byRows(below, ones);
    }

    @Override
    public CsrMatrix upper() {
        return LuFactors.byRows(beyond, pivots);
    }

    @Override
    public int work() {
        return 0;
    }

    @Override
    public void solve(int block, double[] y, double[] work) {
        int from = blockStart[block];
        int to = blockStart[block + 1];
        for (int k = from; k < to - 1; k++) {
            subtract(below, k, y);
        }
        for (int k = to - 1; k >= from; k--) {
            y[k] /= pivots[k];
            subtract(beyond, k, y);
        }
    }

    /** Subtracts an element times its column. */
    static void subtract(LuColumns columns, int k, double[] y) {
        double factor = y[k];
        if (factor != 0) {
            LuKernel.subtract(columns.rows(), columns.values(), columns.start()[k], columns.start()[k + 1], factor, y);
        }
    }

    @Override
    public void solveTransposed(int block, double[] y, double[] work) {
        int from = blockStart[block];
        int to = blockStart[block + 1];
        for (int k = from; k < to; k++) {
            y[k] = (y[k] - dot(beyond, k, y)) / pivots[k];
        }
        for (int k = to - 2; k >= from; k--) {
            y[k] -= dot(below, k, y);
        }
    }

    static double dot(LuColumns columns, int k, double[] y) {
        int[] rows = columns.rows();
        double[] values = columns.values();
        double sum = 0;
        int end = columns.start()[k + 1];
        for (int e = columns.start()[k]; e < end; e++) {
            sum += values[e] * y[rows[e]];
        }
        return sum;
    }

    @Override
    public void solveSeveral(int block, double[] y, double[] work) {
        int from = blockStart[block];
        int to = blockStart[block + 1];
        for (int k = from; k < to - 1; k++) {
            subtractSeveral(below, k, y);
        }
        for (int k = to - 1; k >= from; k--) {
            for (int r = 0; r < TOGETHER; r++) {
                y[TOGETHER * k + r] /= pivots[k];
            }
            subtractSeveral(beyond, k, y);
        }
    }

    /** Subtracts elements of several right-hand sides times their column. */
    static void subtractSeveral(LuColumns columns, int k, double[] z) {
        int[] rows = columns.rows();
        double[] values = columns.values();
        int to = columns.start()[k + 1];
        double a = z[4 * k];
        double b = z[4 * k + 1];
        double c = z[4 * k + 2];
        double d = z[4 * k + 3];
        for (int e = columns.start()[k]; e < to; e++) {
            int row = 4 * rows[e];
            double value = values[e];
            z[row] -= value * a;
            z[row + 1] -= value * b;
            z[row + 2] -= value * c;
            z[row + 3] -= value * d;
        }
    }
}
