package org.trellis.solve.multigrid;

import java.util.SplittableRandom;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

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

    /**
     * Vectors are divided by their lengths where they are used, not in a pass of their own: a step passes over the
     * matrix once, with two vectors, and over four vectors. Three vectors take turns; the fourth is the last one times
     * S.
     */
    private double lanczos(double[] start) {
        int most = Math.min(STEPS, a.rows());
        double[] alpha = new double[most];
        double[] beta = new double[most];
        double[] before = new double[a.rows()];
        double[] scaled = scaled(start);
        double[] w = new double[a.rows()];
        double[] v = start;
        double lengthBefore = 1;
        double length = Math.sqrt(dot(v, v));
        int steps = 0;
        while (steps < most && length > 0) {
            alpha[steps] = multiply(v, length, scaled, w);
            double next = Math.sqrt(
                    orthogonalise(w, alpha[steps] / length, v, steps == 0 ? 0 : length / lengthBefore, before, scaled));
            beta[steps++] = next;
            lengthBefore = length;
            length = next;
            double[] free = before;
            before = v;
            v = w;
            w = free;
            if (length <= 0x1p-40 * Math.abs(alpha[0])) {
                break;
            }
        }
        return Math.max(largest(alpha, beta, steps, 1), largest(alpha, beta, steps, -1));
    }

    /** Computes w = S A S v / |v| from S v; returns its product with v / |v|. */
    private double multiply(double[] v, double length, double[] scaled, double[] w) {
        return ParallelRanges.sum(w.length, ROWS_PER_TASK, (from, to) -> {
            CsrRowCursor rows = new CsrRowCursor(a);
            double sum = 0;
            for (int row = from; row < to; row++) {
                rows.moveTo(row);
                double element = scale[row] * rows.dot(scaled) / length;
                w[row] = element;
                sum += v[row] * element;
            }
            return sum / length;
        });
    }

    /** Takes multiples of v and of the one before v from w, and computes S w; returns the square of the length of w. */
    private double orthogonalise(double[] w, double along, double[] v, double alongBefore, double[] before,
            double[] scaled) {
        return ParallelRanges.sum(w.length, ROWS_PER_TASK, (from, to) -> {
            double sum = 0;
            for (int i = from; i < to; i++) {
                double element = w[i] - (along * v[i] + alongBefore * before[i]);
                w[i] = element;
                scaled[i] = scale[i] * element;
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
        double[] scaled = scaled(x);
        double[] y = new double[x.length];
        ParallelRanges.run(x.length, ROWS_PER_TASK, (from, to) -> multiply(scaled, y, from, to));
        return y;
    }

    private double[] scaled(double[] x) {
        double[] scaled = new double[x.length];
        ParallelRanges.run(x.length, ROWS_PER_TASK, (from, to) -> {
            for (int i = from; i < to; i++) {
                scaled[i] = scale[i] * x[i];
            }
        });
        return scaled;
    }

    private void multiply(double[] scaled, double[] y, int from, int to) {
        CsrRowCursor rows = new CsrRowCursor(a);
        for (int row = from; row < to; row++) {
            rows.moveTo(row);
            y[row] = scale[row] * rows.dot(scaled);
        }
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
