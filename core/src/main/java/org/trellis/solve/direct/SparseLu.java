package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The LU factorisation {@code P A Q = L U} of a general sparse matrix with partial pivoting, column by column (J.
 * Gilbert, T. Peierls, "Sparse partial pivoting in time proportional to arithmetic operations", SIAM J. Sci. Stat.
 * Comput. 9, 1988): a search through the columns of L so far finds where a new column will have entries, and each of
 * those columns is subtracted once. The searches leave out what symmetric pruning allows (S. Eisenstat, J. Liu, SIAM J.
 * Matrix Anal. Appl. 13, 1992).
 *
 * <p>Columns are taken in an order that reduces fill in A + Aᵀ. The pivot of a column is its diagonal element unless
 * that is less than a tolerance times the greatest candidate; then it is the greatest. With a tolerance of 1 that is
 * partial pivoting as in the textbook, with less more of the order survives. Rows are scaled first, by the powers of
 * two next to their greatest elements, so that the units of an equation do not decide.
 *
 * <p>On the calling thread alone, in double precision, also for a matrix of floats. Immutable; solutions may be found
 * from several threads.
 */
public final class SparseLu {
    /**
     * The least share of the greatest candidate at which the diagonal element is the pivot, if nothing else is said.
     */
    public static final double DEFAULT_PIVOT_TOLERANCE = 0.1;
    private static final double SMALLEST_SHARE = 0x1p-50;

    private final int[] columnOrder;
    private final int[] stepOfRow;
    private final LuColumns lower;
    private final LuColumns upper;
    private final double[] pivots;
    private final double[] rowScale;

    private SparseLu(Numeric numeric) {
        columnOrder = numeric.columnOrder;
        stepOfRow = numeric.stepOfRow;
        lower = numeric.lower;
        upper = numeric.upper;
        pivots = numeric.pivots;
        rowScale = numeric.rowScale;
        lower.renumber(stepOfRow);
    }

    /**
     * Factorises a matrix in the order of {@link FillReduction#MINIMUM_DEGREE}, with the
     * {@link #DEFAULT_PIVOT_TOLERANCE}.
     *
     * @param matrix a square matrix
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square
     * @throws FactorisationException   if it is singular or nearly so, which names column and pivot, or if its factors
     *                                  take more than three quarters of the heap
     */
    public static SparseLu of(CsrMatrix matrix) {
        return of(matrix, FillReduction.MINIMUM_DEGREE, DEFAULT_PIVOT_TOLERANCE, FactorLimits.ofHeap());
    }

    /**
     * Factorises a matrix in the order of {@link FillReduction#MINIMUM_DEGREE}, with the
     * {@link #DEFAULT_PIVOT_TOLERANCE}, within limits.
     *
     * @param matrix a square matrix
     * @param limits what the factorisation may take
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square
     * @throws FactorisationException   if it is singular or nearly so, which names column and pivot, or if a limit is
     *                                  reached
     */
    public static SparseLu of(CsrMatrix matrix, FactorLimits limits) {
        return of(matrix, FillReduction.MINIMUM_DEGREE, DEFAULT_PIVOT_TOLERANCE, limits);
    }

    /**
     * Factorises a matrix.
     *
     * @param matrix         a square matrix of fewer than 2³¹ non-zeros
     * @param order          the order of its columns
     * @param pivotTolerance the least share of the greatest candidate at which the diagonal element is the pivot, more
     *                       than 0 and at most 1
     * @param limits         what the factorisation may take
     * @return the factorisation
     * @throws IllegalArgumentException if the matrix is not square or the tolerance out of range
     * @throws FactorisationException   if it is singular or nearly so, which names column and pivot, or if a limit is
     *                                  reached or a factor would have 2³¹ or more entries
     */
    public static SparseLu of(CsrMatrix matrix, FillReduction order, double pivotTolerance, FactorLimits limits) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("LU factorisation of " + matrix + ", expected a square matrix");
        }
        if (!(pivotTolerance > 0 && pivotTolerance <= 1)) {
            throw new IllegalArgumentException("pivot tolerance is " + pivotTolerance
                    + ", expected more than 0 and at most 1");
        }
        FactorMeter meter = new FactorMeter("LU factorisation", limits);
        Numeric numeric = new Numeric(matrix, order.eliminate(FillReduction.graph(matrix)), pivotTolerance, meter);
        numeric.run();
        return new SparseLu(numeric);
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int size() {
        return pivots.length;
    }

    /**
     * Returns the number of entries of both factors.
     *
     * @return those of L without its diagonal, those of U with it
     */
    public long nonZeros() {
        return (long) lower.size() + upper.size() + pivots.length;
    }

    /**
     * Solves {@code A x = b}. Costs a pass over both factors.
     *
     * @param b the right-hand side
     * @return the solution, a new vector of the precision of {@code b}
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     */
    public HostVector solve(HostVector b) {
        return HostVector.of(solve(b.toDoubleArray())).convert(b.precision());
    }

    /**
     * Solves {@code A x = b}. Costs a pass over both factors.
     *
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     */
    public double[] solve(double[] b) {
        Checks.length("length of b", b.length, size());
        double[] y = new double[b.length];
        for (int row = 0; row < b.length; row++) {
            y[stepOfRow[row]] = rowScale[row] * b[row];
        }
        for (int k = 0; k < y.length; k++) {
            lower.subtract(k, y[k], y);
        }
        for (int k = y.length - 1; k >= 0; k--) {
            y[k] /= pivots[k];
            upper.subtract(k, y[k], y);
        }
        double[] x = new double[b.length];
        for (int k = 0; k < y.length; k++) {
            x[columnOrder[k]] = y[k];
        }
        return x;
    }

    /**
     * Solves {@code Aᵀ x = b}. Costs a pass over both factors.
     *
     * @param b the right-hand side
     * @return the solution, a new array
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     */
    public double[] solveTransposed(double[] b) {
        Checks.length("length of b", b.length, size());
        double[] y = new double[b.length];
        for (int k = 0; k < y.length; k++) {
            y[k] = (b[columnOrder[k]] - upper.dot(k, y)) / pivots[k];
        }
        for (int k = y.length - 1; k >= 0; k--) {
            y[k] -= lower.dot(k, y);
        }
        double[] x = new double[b.length];
        for (int row = 0; row < b.length; row++) {
            x[row] = rowScale[row] * y[stepOfRow[row]];
        }
        return x;
    }

    @Override
    public String toString() {
        return "LU factorisation of " + size() + " rows, " + nonZeros() + " non-zeros";
    }

    /** The numbers, column by column. */
    private static final class Numeric {
        private final int n;
        private final CsrSegment columnsOfMatrix;
        private final double pivotTolerance;
        private final FactorMeter meter;
        private final double[] rowScale;
        private final int[] columnOrder;
        /** The step in which a row became the pivot's, -1 before. */
        private final int[] stepOfRow;
        private final LuColumns lower;
        private final LuColumns upper;
        private final double[] pivots;
        private final double[] x;
        private final int[] mark;
        /** Where the searched part of each column of L ends. */
        private final int[] searchedTo;
        private final boolean[] pruned;
        private final int[] path;
        private final int[] next;
        /** Steps whose columns are subtracted, from {@link #top} on in the right order. */
        private final int[] reached;
        private int top;
        /** Rows without a pivot that the column reaches. */
        private final int[] candidates;
        private int candidateCount;

        Numeric(CsrMatrix matrix, int[] columnOrder, double pivotTolerance, FactorMeter meter) {
            this.meter = meter;
            this.rowScale = RowScale.of(matrix);
            this.n = matrix.rows();
            this.columnsOfMatrix = matrix.transpose().onlySegment();
            this.pivotTolerance = pivotTolerance;
            this.columnOrder = columnOrder;
            int expected = (int) Math.min(1 << 28, 4 * matrix.nonZeros());
            lower = new LuColumns(n, expected, meter);
            upper = new LuColumns(n, expected, meter);
            stepOfRow = new int[n];
            Arrays.fill(stepOfRow, -1);
            pivots = new double[n];
            x = new double[n];
            mark = new int[n];
            Arrays.fill(mark, -1);
            searchedTo = new int[n];
            pruned = new boolean[n];
            path = new int[n];
            next = new int[n];
            reached = new int[n];
            candidates = new int[n];
        }

        void run() {
            for (int k = 0; k < n; k++) {
                meter.checkTime(k, n);
                int column = columnOrder[k];
                search(k, column);
                double size = scatter(column);
                for (int i = top; i < n; i++) {
                    subtract(reached[i]);
                }
                int row = choosePivot(k, column, size);
                store(k, row);
                prune(k, row);
            }
        }

        private void search(int k, int column) {
            top = n;
            candidateCount = 0;
            for (int e = columnsOfMatrix.rowStart(column); e < columnsOfMatrix.rowEnd(column); e++) {
                int row = columnsOfMatrix.columnIndices()[e];
                if (mark[row] != k) {
                    searchFrom(row, k);
                }
            }
        }

        /** Depth first through the columns of L; a step comes before those that it is searched from. */
        private void searchFrom(int start, int k) {
            int depth = 0;
            path[0] = start;
            mark[start] = k;
            next[0] = stepOfRow[start] < 0 ? 0 : lower.start(stepOfRow[start]);
            while (depth >= 0) {
                int row = path[depth];
                int step = stepOfRow[row];
                if (step < 0) {
                    candidates[candidateCount++] = row;
                    depth--;
                    continue;
                }
                int child = -1;
                while (next[depth] < searchedTo[step] && child < 0) {
                    int candidate = lower.row(next[depth]++);
                    child = mark[candidate] == k ? -1 : candidate;
                }
                if (child < 0) {
                    reached[--top] = row;
                    depth--;
                } else {
                    mark[child] = k;
                    path[++depth] = child;
                    next[depth] = stepOfRow[child] < 0 ? 0 : lower.start(stepOfRow[child]);
                }
            }
        }

        /** Puts the entries of the matrix in place; returns the greatest. */
        private double scatter(int column) {
            double greatest = 0;
            for (int e = columnsOfMatrix.rowStart(column); e < columnsOfMatrix.rowEnd(column); e++) {
                int row = columnsOfMatrix.columnIndices()[e];
                double value = rowScale[row] * columnsOfMatrix.values().get(e);
                x[row] = value;
                greatest = Math.max(greatest, Math.abs(value));
            }
            return greatest;
        }

        private void subtract(int row) {
            double value = x[row];
            x[row] = 0;
            upper.add(stepOfRow[row], value);
            if (value != 0) {
                lower.subtract(stepOfRow[row], value, x);
            }
        }

        private int choosePivot(int k, int column, double size) {
            double greatest = 0;
            int chosen = -1;
            for (int i = 0; i < candidateCount; i++) {
                double candidate = Math.abs(x[candidates[i]]);
                if (candidate > greatest || Double.isNaN(candidate)) {
                    greatest = candidate;
                    chosen = candidates[i];
                }
            }
            if (!(greatest > SMALLEST_SHARE * size) || greatest == Double.POSITIVE_INFINITY) {
                throw new FactorisationException("LU factorisation: the greatest candidate for the pivot of column "
                        + column + ", eliminated in step " + k + ", is " + greatest + ", the greatest element of the"
                        + " column in the matrix " + size
                        + ", both with rows scaled: the matrix is singular or nearly so", column, greatest);
            }
            boolean diagonal = stepOfRow[column] < 0 && mark[column] == k
                    && Math.abs(x[column]) >= pivotTolerance * greatest;
            return diagonal ? column : chosen;
        }

        private void store(int k, int pivotRow) {
            double pivot = x[pivotRow];
            pivots[k] = pivot;
            stepOfRow[pivotRow] = k;
            for (int i = 0; i < candidateCount; i++) {
                int row = candidates[i];
                if (row != pivotRow) {
                    lower.add(row, x[row] / pivot);
                }
                x[row] = 0;
            }
            lower.endColumn();
            upper.endColumn();
            searchedTo[k] = lower.end(k);
        }

        /**
         * A column of L that has the new pivot's row and whose step is in the new column of U need not be searched on.
         */
        private void prune(int k, int pivotRow) {
            for (int e = upper.start(k); e < upper.end(k); e++) {
                int step = upper.row(e);
                if (pruned[step] || !has(step, pivotRow)) {
                    continue;
                }
                searchedTo[step] = lower.separate(step, stepOfRow);
                pruned[step] = true;
            }
        }

        private boolean has(int step, int row) {
            for (int e = lower.start(step); e < lower.end(step); e++) {
                if (lower.row(e) == row) {
                    return true;
                }
            }
            return false;
        }
    }
}
