package org.trellis.solve.direct;

import java.util.Arrays;

/**
 * The numbers of an LU factorisation, column by column (J. Gilbert, T. Peierls, "Sparse partial pivoting in time
 * proportional to arithmetic operations", SIAM J. Sci. Stat. Comput. 9, 1988): a search through the columns of L so far
 * finds where a new column has entries, and each of those columns is subtracted once. The searches leave out what
 * symmetric pruning allows (S. Eisenstat, J. Liu, SIAM J. Matrix Anal. Appl. 13, 1992).
 *
 * <p>Rows are named by their position in the analysis until all pivots are chosen.
 */
final class LuKernel {
    /** Operations after which the clock is read. */
    private static final int OPERATIONS_OF_LOOK = 1 << 20;
    /** Where the sparsest row is the pivot's, elements of a hundredth would be chosen again and again, and grow. */
    private static final double LEAST_TOLERANCE = 0.1;

    private final LuAnalysis analysis;
    private final FactorMeter meter;
    private final int n;
    private final double[] values;
    private final double[] rowScale;
    private final int[] positionOfRow;
    final LuColumns lower;
    final LuColumns upper;
    /** The entries above diagonal blocks. */
    final LuColumns above;
    final double[] pivots;
    /** The step in which the row at a position became the pivot's, -1 before. */
    final int[] stepOf;
    /** The position whose row became a step's pivot row. */
    final int[] positionOfStep;
    private final double[] x;
    private final int[] mark;
    private final int[] searchedTo;
    private final int[] path;
    private final int[] next;
    private final int[] reached;
    private final double tolerance;
    /** Entries of each row of the matrix, where columns alone are ordered; else null. */
    private final int[] rowLength;
    private int reachedCount;
    private int sinceLook;
    /** The greatest element of the column of the matrix in this block, scaled. */
    private double size;
    double growth;
    double weakestShare = Double.POSITIVE_INFINITY;
    int weakestStep = -1;
    int offDiagonal;

    LuKernel(LuAnalysis analysis, double[] values, double[] rowScale, FactorMeter meter) {
        this.analysis = analysis;
        this.meter = meter;
        this.values = values;
        this.rowScale = rowScale;
        n = analysis.matrix().columns();
        positionOfRow = new int[n];
        for (int k = 0; k < n; k++) {
            positionOfRow[analysis.rowAt()[k]] = k;
        }
        long expected = Math.min(1 << 28, analysis.predicted().nonZeros() / 2 + n / 4 + 16);
        lower = new LuColumns(n, expected, meter);
        upper = new LuColumns(n, expected, meter);
        above = new LuColumns(n, 16, meter);
        pivots = new double[n];
        stepOf = new int[n];
        Arrays.fill(stepOf, -1);
        positionOfStep = new int[n];
        x = new double[n];
        mark = new int[n];
        Arrays.fill(mark, -1);
        searchedTo = new int[n];
        path = new int[n];
        next = new int[n];
        reached = new int[n];
        boolean free = analysis.options().order() == LuOptions.Order.COLUMN_MINIMUM_DEGREE;
        tolerance = free
                ? Math.max(LEAST_TOLERANCE, analysis.options().pivotTolerance())
                : analysis.options().pivotTolerance();
        rowLength = free ? new int[n] : null;
        if (free) {
            for (int row : analysis.matrix().row()) {
                rowLength[positionOfRow[row]]++;
            }
        }
    }

    /**
     * Computes the factors.
     *
     * @param most entries of both after which this ends
     * @return false if there are more
     */
    boolean run(long most) {
        int[] blocks = analysis.blockStart();
        for (int b = 0; b + 1 < blocks.length; b++) {
            for (int k = blocks[b]; k < blocks[b + 1]; k++) {
                if ((k & 63) == 0 || sinceLook > OPERATIONS_OF_LOOK) {
                    sinceLook = 0;
                    meter.checkTime(k, n);
                }
                column(k, blocks[b], blocks[b + 1]);
                if ((long) lower.size() + upper.size() > most) {
                    return false;
                }
            }
        }
        lower.finish(stepOf);
        above.finish(stepOf);
        return true;
    }

    private void column(int k, int from, int to) {
        lower.reserve(k, to - k);
        upper.reserve(k, k - from);
        reachedCount = 0;
        int lowerFrom = lower.start()[k];
        int end = scatter(k, from, lowerFrom);
        double greatest = subtract(k);
        int pivotAt = choosePivot(k, lowerFrom, end);
        int pivotPosition = lower.rows()[pivotAt];
        double pivot = x[pivotPosition];
        x[pivotPosition] = 0;
        pivots[k] = pivot;
        stepOf[pivotPosition] = k;
        positionOfStep[k] = pivotPosition;
        offDiagonal += pivotPosition == k ? 0 : 1;
        growth = Math.max(growth, Math.max(greatest, Math.abs(pivot)) / size);
        lower.rows()[pivotAt] = lower.rows()[end - 1];
        divide(lowerFrom, end - 1, pivot);
        lower.endColumn(k, end - 1);
        searchedTo[k] = end - 1;
        prune(k, pivotPosition);
    }

    /** Puts the entries of the matrix in place and finds where the column will have others; returns where L ends. */
    private int scatter(int k, int from, int lowerFrom) {
        ColumnStructure matrix = analysis.matrix();
        int column = analysis.columnAt()[k];
        double scale = analysis.columnScale()[column];
        int last = matrix.start()[column + 1];
        int aboveEnd = above.start()[k];
        int at = lowerFrom;
        size = 0;
        for (int e = matrix.start()[column]; e < last; e++) {
            int row = matrix.row()[e];
            int position = positionOfRow[row];
            double value = values[matrix.place()[e]] * rowScale[row] * scale;
            if (position < from) {
                above.reserve(k, aboveEnd - above.size() + 1);
                above.rows()[aboveEnd] = position;
                above.values()[aboveEnd++] = value;
                continue;
            }
            if (mark[position] != k) {
                at = search(position, k, at);
            }
            x[position] = value;
            size = Math.max(size, Math.abs(value));
        }
        above.endColumn(k, aboveEnd);
        return at;
    }

    /** Depth first through the columns of L; a step is listed behind those that it is searched from. */
    private int search(int start, int k, int from) {
        int[] rows = lower.rows();
        int at = from;
        mark[start] = k;
        if (stepOf[start] < 0) {
            rows[at] = start;
            return at + 1;
        }
        int depth = 0;
        path[0] = stepOf[start];
        next[0] = lower.start()[stepOf[start]];
        while (depth >= 0) {
            int step = path[depth];
            int e = next[depth];
            int end = searchedTo[step];
            int child = -1;
            while (e < end && child < 0) {
                int position = rows[e++];
                if (mark[position] != k) {
                    mark[position] = k;
                    child = stepOf[position];
                    if (child < 0) {
                        rows[at++] = position;
                    }
                }
            }
            if (child < 0) {
                reached[reachedCount++] = step;
                depth--;
            } else {
                next[depth] = e;
                path[++depth] = child;
                next[depth] = lower.start()[child];
            }
        }
        return at;
    }

    /** Subtracts the columns that were reached; returns the greatest element of the column of U. */
    private double subtract(int k) {
        int[] steps = upper.rows();
        double[] factors = upper.values();
        int[] starts = lower.start();
        int[] rows = lower.rows();
        double[] entries = lower.values();
        double greatest = 0;
        int at = upper.start()[k];
        for (int i = reachedCount - 1; i >= 0; i--) {
            int step = reached[i];
            int position = positionOfStep[step];
            double value = x[position];
            x[position] = 0;
            steps[at] = step;
            factors[at++] = value;
            if (value != 0) {
                greatest = Math.max(greatest, Math.abs(value));
                sinceLook += starts[step + 1] - starts[step];
                subtract(rows, entries, starts[step], starts[step + 1], value, x);
            }
        }
        upper.endColumn(k, at);
        return greatest;
    }

    /** Subtracts a multiple of a column from a vector. */
    static void subtract(int[] rows, double[] entries, int from, int to, double factor, double[] x) {
        for (int e = from; e < to; e++) {
            x[rows[e]] -= entries[e] * factor;
        }
    }

    /** Returns where the pivot is among the rows of the new column of L. */
    private int choosePivot(int k, int from, int end) {
        int[] rows = lower.rows();
        double greatest = 0;
        int chosen = -1;
        int matched = -1;
        for (int e = from; e < end; e++) {
            double candidate = Math.abs(x[rows[e]]);
            if (!(candidate <= greatest)) {
                greatest = candidate;
                chosen = e;
                if (Double.isNaN(candidate)) {
                    break;
                }
            }
            if (rows[e] == k) {
                matched = e;
            }
        }
        double share = greatest / size;
        if (!(greatest > analysis.options().smallestPivot() * size) || greatest == Double.POSITIVE_INFINITY) {
            throw singular(k, from < end ? rows[from] : -1, greatest);
        }
        if (share < weakestShare) {
            weakestShare = share;
            weakestStep = k;
        }
        if (rowLength != null) {
            return sparsest(from, end, tolerance * greatest, chosen);
        }
        return matched >= 0 && Math.abs(x[k]) >= tolerance * greatest ? matched : chosen;
    }

    /** Returns where the candidate is whose row is the shortest in the matrix, of those that are great enough. */
    private int sparsest(int from, int end, double least, int chosen) {
        int[] rows = lower.rows();
        int best = chosen;
        for (int e = from; e < end; e++) {
            if (rowLength[rows[e]] < rowLength[rows[best]] && Math.abs(x[rows[e]]) >= least) {
                best = e;
            }
        }
        return best;
    }

    private FactorisationException singular(int k, int candidate, double greatest) {
        int position = candidate;
        for (int i = k; position < 0; i = (i + 1) % n) {
            position = stepOf[i] < 0 ? i : -1;
        }
        int column = analysis.columnAt()[k];
        int row = analysis.rowAt()[stepOf[k] < 0 ? k : position];
        return new FactorisationException("LU factorisation: the greatest candidate for the pivot of column " + column
                + ", eliminated in step " + k + ", is " + greatest + ", that of row " + row
                + " among them, the greatest element of the column in the matrix " + size + ", all scaled: the matrix"
                + (Double.isFinite(greatest) ? " is singular or nearly so" : " has no finite factors"), column,
                greatest);
    }

    private void divide(int from, int to, double pivot) {
        int[] rows = lower.rows();
        double[] entries = lower.values();
        for (int e = from; e < to; e++) {
            int row = rows[e];
            entries[e] = x[row] / pivot;
            x[row] = 0;
        }
    }

    /** A column of L that has the new pivot's row and whose step is in the new column of U need not be searched on. */
    private void prune(int k, int pivotPosition) {
        int[] steps = upper.rows();
        int[] rows = lower.rows();
        for (int e = upper.start()[k]; e < upper.start()[k + 1]; e++) {
            int step = steps[e];
            int end = lower.start()[step + 1];
            if (searchedTo[step] < end) {
                continue;
            }
            int f = lower.start()[step];
            while (f < end && rows[f] != pivotPosition) {
                f++;
            }
            if (f < end) {
                searchedTo[step] = separate(lower.start()[step], end);
            }
        }
    }

    /** Brings the entries whose rows have a pivot first; returns where the others start. */
    private int separate(int from, int to) {
        int[] rows = lower.rows();
        double[] entries = lower.values();
        int head = from;
        int tail = to;
        while (head < tail) {
            if (stepOf[rows[head]] >= 0) {
                head++;
            } else {
                tail--;
                int row = rows[head];
                double value = entries[head];
                rows[head] = rows[tail];
                entries[head] = entries[tail];
                rows[tail] = row;
                entries[tail] = value;
            }
        }
        return tail;
    }
}
