package org.trellis.solve.direct;

import java.util.Arrays;

/** Computes the numbers of factors whose structure and pivots are known, in place. */
final class LuRefactorisation implements LuRenewal {
    private final LuAnalysis analysis;
    private final int[] rowOfStep;
    private final double[] rowScale;
    private final LuColumns lower;
    private final LuColumns upper;
    private final LuColumns above;
    private final double[] pivots;
    /** For each entry of the matrix, column by column in the order of elimination: the step of its row, its place. */
    private final int[] start;
    private final int[] step;
    private final int[] place;
    private final double[] x;
    /** The row scale by step. */
    private final double[] scale;
    private double growth;
    private double weakestShare;
    private int weakestStep;

    LuRefactorisation(LuAnalysis analysis, int[] stepOfRow, double[] rowScale, LuColumns lower, LuColumns upper,
            LuColumns above, double[] pivots) {
        this.analysis = analysis;
        this.rowScale = rowScale;
        this.lower = lower;
        this.upper = upper;
        this.above = above;
        this.pivots = pivots;
        int n = pivots.length;
        rowOfStep = new int[n];
        for (int row = 0; row < n; row++) {
            rowOfStep[stepOfRow[row]] = row;
        }
        ColumnStructure matrix = analysis.matrix();
        start = new int[n + 1];
        step = new int[matrix.start()[n]];
        place = new int[step.length];
        int count = 0;
        for (int k = 0; k < n; k++) {
            int column = analysis.columnAt()[k];
            for (int e = matrix.start()[column]; e < matrix.start()[column + 1]; e++) {
                step[count] = stepOfRow[matrix.row()[e]];
                place[count++] = matrix.place()[e];
            }
            start[k + 1] = count;
        }
        x = new double[n];
        scale = new double[n];
    }

    @Override
    public double weakestShare() {
        return weakestShare;
    }

    @Override
    public int weakestStep() {
        return weakestStep;
    }

    @Override
    public double run(double[] values) {
        scaleRows(values);
        Arrays.fill(x, 0);
        growth = 0;
        weakestShare = Double.POSITIVE_INFINITY;
        weakestStep = -1;
        int[] blocks = analysis.blockStart();
        for (int b = 0; b + 1 < blocks.length; b++) {
            for (int k = blocks[b]; k < blocks[b + 1]; k++) {
                column(k, blocks[b], values);
            }
        }
        return growth;
    }

    private void scaleRows(double[] values) {
        Arrays.fill(scale, 0);
        for (int k = 0; k < pivots.length; k++) {
            double factor = analysis.columnScale()[analysis.columnAt()[k]];
            for (int e = start[k]; e < start[k + 1]; e++) {
                scale[step[e]] = Math.max(scale[step[e]], Math.abs(values[place[e]] * factor));
            }
        }
        for (int k = 0; k < pivots.length; k++) {
            scale[k] = RowScale.factor(scale[k]);
            rowScale[rowOfStep[k]] = scale[k];
        }
    }

    private void column(int k, int from, double[] values) {
        double size = scatter(k, from, values);
        double greatest = subtract(k);
        double pivot = x[k];
        x[k] = 0;
        pivots[k] = pivot;
        if (!(Math.abs(pivot) > 0) || Math.abs(pivot) == Double.POSITIVE_INFINITY) {
            int column = analysis.columnAt()[k];
            throw new FactorisationException("LU refactorisation: the pivot of row " + rowOfStep[k] + " and column "
                    + column + ", which were chosen for other values, is " + pivot
                    + ": expected pivots of its own, by a new factorisation", column, pivot);
        }
        double candidate = divide(k, pivot);
        double multiplier = candidate / Math.abs(pivot);
        double own = Math.max(greatest, Math.abs(pivot)) / size;
        growth = Math.max(growth, Math.max(own, multiplier));
        double share = Math.max(candidate, Math.abs(pivot)) / size;
        if (share < weakestShare) {
            weakestShare = share;
            weakestStep = k;
        }
    }

    private double scatter(int k, int from, double[] values) {
        double factor = analysis.columnScale()[analysis.columnAt()[k]];
        double[] aboveValues = above.values();
        int aboveAt = above.start()[k];
        double size = 0;
        for (int e = start[k]; e < start[k + 1]; e++) {
            int row = step[e];
            double value = values[place[e]] * scale[row] * factor;
            if (row < from) {
                aboveValues[aboveAt++] = value;
            } else {
                x[row] = value;
                size = Math.max(size, Math.abs(value));
            }
        }
        return size;
    }

    private double subtract(int k) {
        int[] steps = upper.rows();
        double[] factors = upper.values();
        int[] starts = lower.start();
        int[] rows = lower.rows();
        double[] entries = lower.values();
        double greatest = 0;
        int end = upper.start()[k + 1];
        for (int e = upper.start()[k]; e < end; e++) {
            int s = steps[e];
            double value = x[s];
            x[s] = 0;
            factors[e] = value;
            if (value != 0) {
                greatest = Math.max(greatest, Math.abs(value));
                LuKernel.subtract(rows, entries, starts[s], starts[s + 1], value, x);
            }
        }
        return greatest;
    }

    /** Returns the greatest element below the pivot. */
    private double divide(int k, double pivot) {
        int[] rows = lower.rows();
        double[] entries = lower.values();
        double greatest = 0;
        int end = lower.start()[k + 1];
        for (int e = lower.start()[k]; e < end; e++) {
            double value = x[rows[e]];
            x[rows[e]] = 0;
            greatest = Math.max(greatest, Math.abs(value));
            entries[e] = value / pivot;
        }
        return greatest;
    }
}
