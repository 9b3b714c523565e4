package org.trellis.solve.direct;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;

/** Solves systems with LU factors in place, in work space of its own. For one thread at a time. */
public final class LuSolver {
    /** Right-hand sides that share a pass over the factors. */
    static final int TOGETHER = 4;

    private final SparseLu lu;
    private final int n;
    private final int[] stepOfRow;
    private final int[] columnAt;
    private final int[] blockStart;
    private final double[] rowScale;
    private final double[] columnScale;
    private final LuNumbers numbers;
    private final double[] work;
    private final LuColumns above;
    private final double[] y;
    private double[] several;
    private LuReach reach;
    /** By steps, 0 between solutions. */
    private double[] sparse;
    private Refinement refinement;

    LuSolver(SparseLu lu) {
        this.lu = lu;
        n = lu.size();
        stepOfRow = lu.stepOfRow();
        columnAt = lu.columnAt();
        blockStart = lu.analysis().blockStart();
        rowScale = lu.rowScaleArray();
        columnScale = lu.analysis().columnScale();
        numbers = lu.numbers();
        work = new double[TOGETHER * numbers.work()];
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
        one(x, 0);
    }

    private void one(double[] x, int offset) {
        for (int row = 0; row < n; row++) {
            y[stepOfRow[row]] = rowScale[row] * x[offset + row];
        }
        for (int b = blockStart.length - 2; b >= 0; b--) {
            numbers.solve(b, y, work);
            for (int k = blockStart[b]; k < blockStart[b + 1]; k++) {
                LuColumnNumbers.subtract(above, k, y);
            }
        }
        for (int k = 0; k < n; k++) {
            x[offset + columnAt[k]] = columnScale[columnAt[k]] * y[k];
        }
    }

    /**
     * Solves {@code A x = b} for a right-hand side that is mostly 0. With columns, only the columns of the factors that
     * the right-hand side reaches are passed; with supernodes this costs as much as {@link #solve(double[])}. The first
     * call allocates work space.
     *
     * @param x       the right-hand side, 0 but for some rows; overwritten by the solution
     * @param pattern these rows, overwritten by the columns in which the solution may be other than 0, in no order; as
     *                long as the matrix has rows
     * @param count   how many rows there are
     * @return how many columns there are
     * @throws IllegalArgumentException  if an array has another length than the matrix has rows
     * @throws IndexOutOfBoundsException if a row does not exist, or there are more than the matrix has
     * @throws IllegalStateException     if {@link SparseLu#refactorise} failed
     */
    public int solveSparse(double[] x, int[] pattern, int count) {
        check(x.length, 1);
        Checks.length("length of the pattern", pattern.length, n);
        Objects.checkFromIndexSize(0, count, n);
        for (int i = 0; i < count; i++) {
            Objects.checkIndex(pattern[i], n);
        }
        if (!(numbers instanceof LuColumnNumbers columns)) {
            one(x, 0);
            int found = 0;
            for (int j = 0; j < n; j++) {
                if (x[j] != 0) {
                    pattern[found++] = j;
                }
            }
            return found;
        }
        if (reach == null) {
            reach = new LuReach(columns, above);
            sparse = new double[n];
        }
        for (int i = 0; i < count; i++) {
            int step = stepOfRow[pattern[i]];
            sparse[step] = rowScale[pattern[i]] * x[pattern[i]];
            reach.add(step);
        }
        for (int i = 0; i < count; i++) {
            x[pattern[i]] = 0;
        }
        int found = reach.solve(sparse, pattern);
        for (int i = 0; i < found; i++) {
            int step = pattern[i];
            int column = columnAt[step];
            x[column] = columnScale[column] * sparse[step];
            sparse[step] = 0;
            pattern[i] = column;
        }
        return found;
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
            for (int k = blockStart[b]; k < blockStart[b + 1]; k++) {
                y[k] -= LuColumnNumbers.dot(above, k, y);
            }
            numbers.solveTransposed(b, y, work);
        }
        for (int row = 0; row < n; row++) {
            x[row] = rowScale[row] * y[stepOfRow[row]];
        }
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
        int at = 0;
        for (; at + 1 < count; at += TOGETHER) {
            four(x, at, Math.min(TOGETHER, count - at));
        }
        if (at < count) {
            one(x, at * n);
        }
    }

    private void four(double[] x, int at, int count) {
        double[] z = several;
        for (int row = 0; row < n; row++) {
            int to = TOGETHER * stepOfRow[row];
            double scale = rowScale[row];
            for (int r = 0; r < TOGETHER; r++) {
                z[to + r] = scale * x[(at + Math.min(r, count - 1)) * n + row];
            }
        }
        for (int b = blockStart.length - 2; b >= 0; b--) {
            numbers.solveSeveral(b, z, work);
            for (int k = blockStart[b]; k < blockStart[b + 1]; k++) {
                LuColumnNumbers.subtractSeveral(above, k, z);
            }
        }
        for (int k = 0; k < n; k++) {
            int to = at * n + columnAt[k];
            double scale = columnScale[columnAt[k]];
            for (int r = 0; r < count; r++) {
                x[to + r * n] = scale * z[TOGETHER * k + r];
            }
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
        return refine(matrix, b, x, Refinement.GOOD);
    }

    /**
     * Solves {@code A x = b} and refines the solution only while its componentwise backward error is above a bound, as
     * it seldom is at first. The first call allocates work space.
     *
     * @param matrix the matrix that was factorised
     * @param b      the right-hand side
     * @param x      overwritten by the solution; not {@code b} itself
     * @param enough the backward error that needs no refinement, such as a few units of roundoff
     * @return what was reached
     * @throws IllegalArgumentException if lengths do not fit
     * @throws IllegalStateException    if {@link SparseLu#refactorise} failed
     */
    public Refinement.Result refine(CsrMatrix matrix, double[] b, double[] x, double enough) {
        check(x.length, 1);
        if (refinement == null) {
            refinement = new Refinement(n);
        }
        return refinement.solve(matrix, this::solve, b, x, enough);
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
