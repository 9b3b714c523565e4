package org.trellis.solve.multigrid;

import java.util.SplittableRandom;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Estimates the largest absolute eigenvalue of D⁻¹A: by steps of Lanczos with {@code |D|^-1/2 A |D|^-1/2} if that is
 * symmetric, else by powers. From a fixed pseudo-random vector, so the same each time, and the same bits however many
 * threads there are.
 */
final class SpectralRadius {
    /** Steps after which a Laplacian's estimate is within a percent. */
    private static final int STEPS = 15;
    private static final int POWERS = 30;
    private static final int ROWS_PER_TASK = 1024;
    private static final long SEED = 20261122;
    private static final double ASYMMETRY = 1e-5;

    private final CsrMatrix a;
    private final double[] scale;

    private SpectralRadius(CsrMatrix a, double[] inverseDiagonal) {
        this.a = a;
        this.scale = new double[a.rows()];
        for (int row = 0; row < scale.length; row++) {
            scale[row] = Math.sqrt(Math.abs(inverseDiagonal[row]));
        }
    }

    /**
     * Estimates the radius.
     *
     * @param a               a square matrix
     * @param inverseDiagonal D⁻¹; zeros leave rows out
     * @param symmetric       whether the matrix is known to be symmetric; otherwise two products find out
     * @return an estimate, for a symmetric matrix from below; 0 for a matrix of zeros
     */
    static double of(CsrMatrix a, double[] inverseDiagonal, boolean symmetric) {
        SpectralRadius radius = new SpectralRadius(a, inverseDiagonal);
        SplittableRandom random = new SplittableRandom(SEED);
        double[] v = random.doubles(a.rows(), -1, 1).toArray();
        return symmetric || radius.isSymmetric(v, random.doubles(a.rows(), -1, 1).toArray())
                ? radius.lanczos(v)
                : radius.powers(v);
    }

    private boolean isSymmetric(double[] v, double[] u) {
        double[] av = times(v);
        double[] au = times(u);
        double size = Math.sqrt(dot(av, av) * dot(u, u));
        return Math.abs(dot(u, av) - dot(v, au)) <= ASYMMETRY * size / Math.sqrt(1 + a.rows());
    }

    private double powers(double[] start) {
        double[] v = start;
        double radius = 0;
        for (int step = 0; step < POWERS; step++) {
            double norm = Math.sqrt(dot(v, v));
            if (norm == 0) {
                return radius;
            }
            divide(v, norm);
            v = times(v);
            radius = Math.sqrt(dot(v, v));
        }
        return radius;
    }

    private static void divide(double[] v, double norm) {
        ParallelRanges.run(v.length, ROWS_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                v[i] /= norm;
            }
        });
    }

    /** Each step passes over the matrix once and twice over three vectors; three vectors and a half take turns. */
    private double lanczos(double[] start) {
        int most = Math.min(STEPS, a.rows());
        double[] alpha = new double[most];
        double[] beta = new double[most];
        double[] before = new double[a.rows()];
        double[] scaled = new double[a.rows()];
        double[] w = new double[a.rows()];
        double[] v = start;
        double norm = Math.sqrt(dot(v, v));
        int steps = 0;
        while (steps < most && norm > 0) {
            normalise(v, norm, scaled);
            alpha[steps] = multiply(v, scaled, w);
            norm = Math.sqrt(orthogonalise(w, alpha[steps], v, steps == 0 ? 0 : beta[steps - 1], before));
            beta[steps++] = norm;
            double[] free = before;
            before = v;
            v = w;
            w = free;
            if (norm <= 0x1p-40 * Math.abs(alpha[0])) {
                break;
            }
        }
        return Math.max(largest(alpha, beta, steps, 1), largest(alpha, beta, steps, -1));
    }

    private void normalise(double[] v, double norm, double[] scaled) {
        ParallelRanges.run(v.length, ROWS_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                v[i] /= norm;
                scaled[i] = scale[i] * v[i];
            }
        });
    }

    /** Computes w = S A S v from S v; returns its product with v. */
    private double multiply(double[] v, double[] scaled, double[] w) {
        return ParallelRanges.sum(w.length, ROWS_PER_TASK, (from, to) -> {
            multiply(scaled, w, from, to);
            double sum = 0;
            for (int row = from; row < to; row++) {
                sum += v[row] * w[row];
            }
            return sum;
        });
    }

    /** Takes α v and β times the vector before v from w; returns the square of its length. */
    private static double orthogonalise(double[] w, double alpha, double[] v, double beta, double[] before) {
        return ParallelRanges.sum(w.length, ROWS_PER_TASK, (from, to) -> {
            double sum = 0;
            for (int i = from; i < to; i++) {
                double element = w[i] - (alpha * v[i] + beta * before[i]);
                w[i] = element;
                sum += element * element;
            }
            return sum;
        });
    }

    /** Bisects for the largest eigenvalue of a tridiagonal matrix times a sign. */
    private static double largest(double[] alpha, double[] beta, int size, int sign) {
        double low = 0;
        double high = 0;
        for (int i = 0; i < size; i++) {
            high = Math.max(high, Math.abs(alpha[i]) + (i + 1 < size ? beta[i] : 0) + (i > 0 ? beta[i - 1] : 0));
        }
        double start = high;
        while (high - low > 1e-12 * start) {
            double middle = (low + high) / 2;
            if (exceeds(alpha, beta, size, sign, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** Says whether an eigenvalue of the tridiagonal matrix times a sign is above a bound (Sturm's sequence). */
    private static boolean exceeds(double[] alpha, double[] beta, int size, int sign, double bound) {
        double pivot = 1;
        for (int i = 0; i < size; i++) {
            double off = i == 0 ? 0 : beta[i - 1];
            pivot = sign * alpha[i] - bound - off * off / pivot;
            if (pivot >= 0) {
                return true;
            }
        }
        return false;
    }

    private double[] times(double[] x) {
        double[] scaled = new double[x.length];
        double[] y = new double[x.length];
        ParallelRanges.run(x.length, ROWS_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                scaled[i] = scale[i] * x[i];
            }
        });
        ParallelRanges.run(x.length, ROWS_PER_TASK, (from, to) -> multiply(scaled, y, from, to));
        return y;
    }

    private void multiply(double[] scaled, double[] y, int from, int to) {
        boolean wide = a.precision() == Precision.F64;
        for (int row = from; row < to; row++) {
            CsrSegment segment = a.segmentOf(row);
            y[row] = scale[row] * (wide ? doubleRow(segment, row, scaled) : floatRow(segment, row, scaled));
        }
    }

    private static double doubleRow(CsrSegment segment, int row, double[] x) {
        double[] values = segment.values().doubleStorage();
        int shift = segment.values().offset();
        int[] columns = segment.columnIndices();
        int end = segment.rowEnd(row);
        double sum = 0;
        for (int k = segment.rowStart(row); k < end; k++) {
            sum += values[shift + k] * x[columns[k]];
        }
        return sum;
    }

    private static double floatRow(CsrSegment segment, int row, double[] x) {
        float[] values = segment.values().floatStorage();
        int shift = segment.values().offset();
        int[] columns = segment.columnIndices();
        int end = segment.rowEnd(row);
        double sum = 0;
        for (int k = segment.rowStart(row); k < end; k++) {
            sum += values[shift + k] * x[columns[k]];
        }
        return sum;
    }

    private static double dot(double[] x, double[] y) {
        return ParallelRanges.sum(x.length, ROWS_PER_TASK, (from, to) -> {
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += x[i] * y[i];
            }
            return sum;
        });
    }
}
