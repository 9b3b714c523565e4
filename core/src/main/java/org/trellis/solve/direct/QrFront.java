package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;

/**
 * The dense part of a multifrontal QR factorisation: rows that are sorted by their first column, so that zeros form a
 * staircase. Householder reflections are made in panels, behind each of which the other columns are updated at once.
 *
 * <p>A row is an array: then products with reflections and their subtraction both go along rows, which the JIT compiler
 * vectorises.
 */
final class QrFront {
    private static final int PANEL = 32;
    private static final double WORTHWHILE_OPERATIONS = 400_000;
    private static final int LEAST_COLUMNS = 64;
    /** Squares of greater or smaller numbers may not be finite or lose digits. */
    private static final double MAX_SAFE_SQUARE = 0x1p480;
    private static final double MIN_SAFE_SQUARE = 0x1p-480;

    private final double[][] rows;
    private final int columns;
    private final int pivotal;
    private final int[] stair;
    private final double tolerance;
    private final boolean shared;

    /** Reflections I - τ v vᵀ: v, the row where it starts, τ. */
    private double[][] v = new double[16][];
    private int[] first = new int[16];
    private double[] tau = new double[16];
    private int reflections;
    /** The column in which each row is the first of its reflection. */
    private final int[] columnOf;
    private int done;
    private int rank;
    private double dropped;
    private final double[] panelSums = new double[PANEL];

    /**
     * Takes a matrix.
     *
     * @param rows      sorted by their first column; overwritten
     * @param stair     for each column, how many rows start there or before
     * @param pivotal   how many columns end here
     * @param tolerance the norm up to which what is left of a pivotal column is dropped
     * @param shared    whether several threads work on it
     */
    QrFront(double[][] rows, int[] stair, int pivotal, double tolerance, boolean shared) {
        this.rows = rows;
        this.columns = stair.length;
        this.shared = shared;
        this.pivotal = pivotal;
        this.stair = stair;
        this.tolerance = tolerance;
        columnOf = new int[Math.min(rows.length, columns)];
    }

    /** Makes zeros below the staircase of the result. */
    void factorise() {
        int j = 0;
        while (j < columns && done < rows.length) {
            int to = Math.min(columns, j + PANEL);
            int before = reflections;
            for (; j < to && done < rows.length; j++) {
                eliminate(j, to);
            }
            if (reflections > before && to < columns) {
                updateBehind(before, to);
            }
        }
        v = Arrays.copyOf(v, reflections);
        first = Arrays.copyOf(first, reflections);
        tau = Arrays.copyOf(tau, reflections);
    }

    private void eliminate(int j, int to) {
        int end = Math.max(stair[j], done);
        double[] x = new double[end - done];
        for (int i = 0; i < x.length; i++) {
            x[i] = rows[done + i][j];
        }
        double norm = norm(x, 0);
        if (norm == 0 || (j < pivotal && norm <= tolerance)) {
            dropped = Math.hypot(dropped, norm);
            for (int i = done; i < end; i++) {
                rows[i][j] = 0;
            }
            return;
        }
        double below = norm(x, 1);
        if (below > 0) {
            double beta = x[0] > 0 ? -norm : norm;
            double t = (beta - x[0]) / beta;
            double scale = 1 / (x[0] - beta);
            for (int i = 1; i < x.length; i++) {
                x[i] *= scale;
                rows[done + i][j] = 0;
            }
            x[0] = 1;
            rows[done][j] = beta;
            keep(x, t);
            apply(x, t, j + 1, to);
        }
        columnOf[done++] = j;
        rank += j < pivotal ? 1 : 0;
    }

    private void keep(double[] x, double t) {
        if (reflections == v.length) {
            v = Arrays.copyOf(v, 2 * reflections);
            first = Arrays.copyOf(first, 2 * reflections);
            tau = Arrays.copyOf(tau, 2 * reflections);
        }
        v[reflections] = x;
        first[reflections] = done;
        tau[reflections++] = t;
    }

    private static double norm(double[] x, int from) {
        double greatest = 0;
        double sum = 0;
        for (int i = from; i < x.length; i++) {
            greatest = Math.max(greatest, Math.abs(x[i]));
            sum += x[i] * x[i];
        }
        if (greatest == 0 || (greatest < MAX_SAFE_SQUARE && greatest > MIN_SAFE_SQUARE)) {
            return Math.sqrt(sum);
        }
        int exponent = Math.getExponent(greatest);
        sum = 0;
        for (int i = from; i < x.length; i++) {
            double scaled = Math.scalb(x[i], -exponent);
            sum += scaled * scaled;
        }
        return Math.scalb(Math.sqrt(sum), exponent);
    }

    /** Applies a reflection to a few columns of its panel. */
    private void apply(double[] x, double t, int from, int to) {
        if (from >= to) {
            return;
        }
        double[] sums = panelSums;
        Arrays.fill(sums, 0, to - from, 0);
        for (int i = 0; i < x.length; i++) {
            double[] row = rows[done + i];
            double factor = x[i];
            for (int c = from; c < to; c++) {
                sums[c - from] += factor * row[c];
            }
        }
        for (int i = 0; i < x.length; i++) {
            double[] row = rows[done + i];
            double factor = t * x[i];
            for (int c = from; c < to; c++) {
                row[c] -= factor * sums[c - from];
            }
        }
    }

    /**
     * Applies the reflections of a panel to the columns behind it: with V their vectors, Y of {@code (D⁻¹ + L) Y = Vᵀ
     * A}, where D holds their τ and L is the strictly lower triangle of VᵀV, is subtracted as V Y.
     */
    private void updateBehind(int before, int from) {
        int count = reflections - before;
        int top = first[before];
        int end = top;
        for (int p = before; p < reflections; p++) {
            end = Math.max(end, first[p] + v[p].length);
        }
        double[][] padded = new double[(count + 3) / 4 * 4][end - top];
        for (int p = 0; p < count; p++) {
            System.arraycopy(v[before + p], 0, padded[p], first[before + p] - top, v[before + p].length);
        }
        double[][] products = new double[count][count];
        for (int p = 0; p < count; p++) {
            for (int q = 0; q < p; q++) {
                products[p][q] = dot(padded[p], padded[q], first[before + p] - top);
            }
        }
        int wide = columns - from;
        double operations = 4.0 * count * (end - top) * wide;
        int grain = !shared || operations < 2 * WORTHWHILE_OPERATIONS
                ? wide
                : (int) Math.max(LEAST_COLUMNS, wide * WORTHWHILE_OPERATIONS / operations);
        int height = end - top;
        ParallelRanges.run(wide, grain, (a, b) -> update(padded, products, before, new Range(top, height, from + a,
                from + b)));
    }

    /** Rows and columns of an update. */
    private record Range(int top, int height, int from, int to) {}

    private void update(double[][] padded, double[][] products, int before, Range range) {
        int wide = range.to() - range.from();
        double[][] y = new double[padded.length][wide];
        int i = 0;
        for (; i + 4 <= range.height(); i += 4) {
            int at = range.top() + i;
            for (int p = 0; p < padded.length; p += 2) {
                addRows(y[p], y[p + 1], padded[p], padded[p + 1], i, new double[][]{rows[at], rows[at + 1],
                    rows[at + 2], rows[at + 3]}, range.from());
            }
        }
        for (; i < range.height(); i++) {
            for (int p = 0; p < padded.length; p++) {
                add(y[p], padded[p][i], rows[range.top() + i], range.from());
            }
        }
        for (int p = 0; p < products.length; p++) {
            double[] own = y[p];
            for (int q = 0; q < p; q++) {
                add(own, -products[p][q], y[q], 0);
            }
            for (int c = 0; c < wide; c++) {
                own[c] *= tau[before + p];
            }
        }
        for (i = 0; i < range.height(); i++) {
            double[] row = rows[range.top() + i];
            for (int p = 0; p < padded.length; p += 4) {
                subtract(row, range.from(), y[p], y[p + 1], y[p + 2], y[p + 3],
                        new double[]{padded[p][i], padded[p + 1][i], padded[p + 2][i], padded[p + 3][i]});
            }
        }
    }

    /** Adds four rows with their factors to two sums. */
    private static void addRows(double[] left, double[] right, double[] u, double[] w, int i, double[][] four,
            int from) {
        double[] a = four[0];
        double[] b = four[1];
        double[] c = four[2];
        double[] d = four[3];
        double u0 = u[i];
        double u1 = u[i + 1];
        double u2 = u[i + 2];
        double u3 = u[i + 3];
        double w0 = w[i];
        double w1 = w[i + 1];
        double w2 = w[i + 2];
        double w3 = w[i + 3];
        for (int k = 0; k < left.length; k++) {
            int at = from + k;
            left[k] += u0 * a[at] + u1 * b[at] + (u2 * c[at] + u3 * d[at]);
            right[k] += w0 * a[at] + w1 * b[at] + (w2 * c[at] + w3 * d[at]);
        }
    }

    private static void add(double[] sum, double factor, double[] row, int from) {
        for (int k = 0; k < sum.length; k++) {
            sum[k] += factor * row[from + k];
        }
    }

    private static void subtract(double[] row, int from, double[] a, double[] b, double[] c, double[] d,
            double[] factors) {
        double f0 = factors[0];
        double f1 = factors[1];
        double f2 = factors[2];
        double f3 = factors[3];
        for (int k = 0; k < a.length; k++) {
            row[from + k] -= f0 * a[k] + f1 * b[k] + (f2 * c[k] + f3 * d[k]);
        }
    }

    private static double dot(double[] a, double[] b, int from) {
        double sum = 0;
        for (int i = from; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /** Returns how many pivotal columns are independent: so many rows belong to R. */
    int rank() {
        return rank;
    }

    /** Returns how many rows are not zero: those behind the rank go to the parent. */
    int done() {
        return done;
    }

    /** Returns the column in which a row starts now. */
    int columnOf(int row) {
        return columnOf[row];
    }

    /** Returns the Euclidean norm of what was dropped. */
    double dropped() {
        return dropped;
    }

    double[][] vectors() {
        return v;
    }

    int[] first() {
        return first;
    }

    double[] tau() {
        return tau;
    }
}
