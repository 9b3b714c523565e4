package org.trellis.solve.direct;

import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;

/** Solves systems with LU factors in place, in work space of its own. For one thread at a time. */
public final class LuSolver {
    /** Right-hand sides that share a pass over the factors. */
    private static final int TOGETHER = 4;

    private final SparseLu lu;
    private final int n;
    private final int[] stepOfRow;
    private final int[] columnAt;
    private final int[] blockStart;
    private final double[] rowScale;
    private final double[] columnScale;
    private final double[] pivots;
    private final LuColumns lower;
    private final LuColumns upper;
    private final LuColumns above;
    private final double[] y;
    private double[] several;
    private Refinement refinement;

    LuSolver(SparseLu lu) {
        this.lu = lu;
        n = lu.size();
        stepOfRow = lu.stepOfRow();
        columnAt = lu.analysis().columnAt();
        blockStart = lu.analysis().blockStart();
        rowScale = lu.rowScaleArray();
        columnScale = lu.analysis().columnScale();
        pivots = lu.pivotArray();
        lower = lu.lowerColumns();
        upper = lu.upperColumns();
        above = lu.aboveColumns();
        y = new double[n];
    }

    /**
     * Solves {@code A x = b}. Costs a pass over the factors and allocates nothing.
     *
     * @param x the right-hand side, overwritten by the solution
     * @throws IllegalArgumentException if it has another length than the matrix has rows
     * @throws IllegalStateException    if {@link SparseLu#refactorise} failed
     */
    public void solve(double[] x) {
        check(x.length, 1);
        for (int row = 0; row < n; row++) {
            y[stepOfRow[row]] = rowScale[row] * x[row];
        }
        for (int b = blockStart.length - 2; b >= 0; b--) {
            int from = blockStart[b];
            int to = blockStart[b + 1];
            for (int k = from; k < to - 1; k++) {
                subtract(lower, k, y[k]);
            }
            for (int k = to - 1; k >= from; k--) {
                y[k] /= pivots[k];
                subtract(upper, k, y[k]);
            }
            for (int k = from; k < to; k++) {
                subtract(above, k, y[k]);
            }
        }
        for (int k = 0; k < n; k++) {
            x[columnAt[k]] = columnScale[columnAt[k]] * y[k];
        }
    }

    private void subtract(LuColumns columns, int k, double factor) {
        if (factor != 0) {
            LuKernel.subtract(columns.rows(), columns.values(), columns.start()[k], columns.start()[k + 1], factor, y);
        }
    }

    /**
     * Solves {@code Aᵀ x = b}. Costs a pass over the factors and allocates nothing.
     *
     * @param x the right-hand side, overwritten by the solution
     * @throws IllegalArgumentException if it has another length than the matrix has rows
     * @throws IllegalStateException    if {@link SparseLu#refactorise} failed
     */
    public void solveTransposed(double[] x) {
        check(x.length, 1);
        for (int k = 0; k < n; k++) {
            y[k] = columnScale[columnAt[k]] * x[columnAt[k]];
        }
        for (int b = 0; b + 1 < blockStart.length; b++) {
            int from = blockStart[b];
            int to = blockStart[b + 1];
            for (int k = from; k < to; k++) {
                y[k] = (y[k] - dot(above, k) - dot(upper, k)) / pivots[k];
            }
            for (int k = to - 2; k >= from; k--) {
                y[k] -= dot(lower, k);
            }
        }
        for (int row = 0; row < n; row++) {
            x[row] = rowScale[row] * y[stepOfRow[row]];
        }
    }

    private double dot(LuColumns columns, int k) {
        int[] rows = columns.rows();
        double[] values = columns.values();
        double sum = 0;
        int end = columns.start()[k + 1];
        for (int e = columns.start()[k]; e < end; e++) {
            sum += values[e] * y[rows[e]];
        }
        return sum;
    }

    /**
     * Solves {@code A X = B} for several right-hand sides, four of them with each pass over the factors. The first call
     * allocates work space.
     *
     * @param x     right-hand sides one after the other, overwritten by the solutions
     * @param count how many
     * @throws IllegalArgumentException if the length is not {@code count} times the rows of the matrix
     * @throws IllegalStateException    if {@link SparseLu#refactorise} failed
     */
    public void solve(double[] x, int count) {
        check(x.length, count);
        if (count > 1 && several == null) {
            several = new double[TOGETHER * n];
        }
        for (int at = 0; at < count; at += TOGETHER) {
            four(x, at, Math.min(TOGETHER, count - at));
        }
    }

    private void four(double[] x, int at, int count) {
        double[] z = count == 1 && several == null ? y : several;
        int stride = z == y ? 1 : TOGETHER;
        for (int r = 0; r < stride; r++) {
            int offset = (at + Math.min(r, count - 1)) * n;
            for (int row = 0; row < n; row++) {
                z[stride * stepOfRow[row] + r] = rowScale[row] * x[offset + row];
            }
        }
        for (int b = blockStart.length - 2; b >= 0; b--) {
            int from = blockStart[b];
            int to = blockStart[b + 1];
            for (int k = from; k < to - 1; k++) {
                subtract(lower, k, z, stride);
            }
            for (int k = to - 1; k >= from; k--) {
                for (int r = 0; r < stride; r++) {
                    z[stride * k + r] /= pivots[k];
                }
                subtract(upper, k, z, stride);
            }
            for (int k = from; k < to; k++) {
                subtract(above, k, z, stride);
            }
        }
        for (int r = 0; r < count; r++) {
            int offset = (at + r) * n;
            for (int k = 0; k < n; k++) {
                x[offset + columnAt[k]] = columnScale[columnAt[k]] * z[stride * k + r];
            }
        }
    }

    private static void subtract(LuColumns columns, int k, double[] z, int stride) {
        int from = columns.start()[k];
        int to = columns.start()[k + 1];
        if (stride == 1) {
            LuKernel.subtract(columns.rows(), columns.values(), from, to, z[k], z);
        } else {
            subtractFour(columns.rows(), columns.values(), from, to, k, z);
        }
    }

    private static void subtractFour(int[] rows, double[] values, int from, int to, int k, double[] z) {
        double a = z[4 * k];
        double b = z[4 * k + 1];
        double c = z[4 * k + 2];
        double d = z[4 * k + 3];
        for (int e = from; e < to; e++) {
            int row = 4 * rows[e];
            double value = values[e];
            z[row] -= value * a;
            z[row + 1] -= value * b;
            z[row + 2] -= value * c;
            z[row + 3] -= value * d;
        }
    }

    /**
     * Solves {@code A x = b} and refines the solution until its componentwise backward error is of the order of the
     * unit roundoff or does not become half as large any more. The first call allocates work space.
     *
     * @param matrix the matrix that was factorised
     * @param b      the right-hand side
     * @param x      overwritten by the solution
     * @return what was reached
     * @throws IllegalArgumentException if lengths do not fit
     * @throws IllegalStateException    if {@link SparseLu#refactorise} failed
     */
    public Refinement.Result refine(CsrMatrix matrix, double[] b, double[] x) {
        check(x.length, 1);
        if (refinement == null) {
            refinement = new Refinement(n);
        }
        return refinement.solve(matrix, this::solve, b, x);
    }

    private void check(int length, int count) {
        Checks.length("length of the right-hand sides", length, (long) count * n);
        lu.requireWhole();
    }

    @Override
    public String toString() {
        return "solver of " + lu;
    }
}
