package org.trellis.sparse.algebra;

import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Norms of sparse matrices, all in double precision and the same bits however many threads there are. */
public final class MatrixNorms {
    private static final int ROWS_PER_SUM = 1024;
    private static final int STEPS_WITHOUT_GAIN = 5;
    private static final long SEED = 20261122;

    private MatrixNorms() {}

    /**
     * Returns the greatest sum of absolute values in a column.
     *
     * @param a a matrix
     * @return {@code ‖A‖₁}
     * @throws IllegalArgumentException if there are more columns than an array has elements
     */
    public static double one(CsrMatrix a) {
        double[] sums = new double[Checks.arrayLength("sums of columns", a.columns())];
        a.forEachEntry((row, column, value) -> sums[column] += Math.abs(value));
        double greatest = 0;
        for (double sum : sums) {
            greatest = Math.max(greatest, sum);
        }
        return greatest;
    }

    /**
     * Estimates the 1-norm of a matrix that is not at hand, such as a power or an inverse, from its products with
     * vectors (N. J. Higham and F. Tisseur, SIAM J. Matrix Anal. Appl. 21(4), 2000). The exact norm up to size 4.
     *
     * @param n          rows and columns
     * @param product    gives {@code A x}, a new array
     * @param transposed gives {@code Aᵀ x}, a new array
     * @return a lower bound, most often the norm itself, hardly ever below a third of it; costs about 8 products, half
     *         of them transposed, at most 22
     * @throws IllegalArgumentException if the size is negative
     */
    public static double oneEstimate(int n, UnaryOperator<double[]> product, UnaryOperator<double[]> transposed) {
        return new OneNormEstimate(Checks.notNegative("n", n), product, transposed).find();
    }

    /**
     * Returns the greatest sum of absolute values in a row.
     *
     * @param a a matrix
     * @return {@code ‖A‖∞}
     */
    public static double infinity(CsrMatrix a) {
        return greatestOfRows(a, (segment, from, to) -> {
            double sum = 0;
            for (int k = from; k < to; k++) {
                sum += Math.abs(segment.values().get(k));
            }
            return sum;
        });
    }

    /**
     * Returns the greatest absolute value.
     *
     * @param a a matrix
     * @return 0 if there are no entries
     */
    public static double max(CsrMatrix a) {
        return greatestOfRows(a, (segment, from, to) -> {
            double greatest = 0;
            for (int k = from; k < to; k++) {
                greatest = Math.max(greatest, Math.abs(segment.values().get(k)));
            }
            return greatest;
        });
    }

    /**
     * Returns the root of the sum of squares. Scaled by the greatest value, so it overflows only if the norm does.
     *
     * @param a a matrix
     * @return {@code ‖A‖F}
     */
    public static double frobenius(CsrMatrix a) {
        double greatest = max(a);
        if (greatest == 0 || !Double.isFinite(greatest)) {
            return greatest;
        }
        double scale = Math.scalb(1.0, -Math.clamp(Math.getExponent(greatest), -1000, 1000));
        double sum = ParallelRanges.sum(a.rows(), ROWS_PER_SUM, (from, to) -> {
            double part = 0;
            for (int row = from; row < to; row++) {
                CsrSegment segment = a.segmentOf(row);
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    double value = scale * segment.values().get(k);
                    part += value * value;
                }
            }
            return part;
        });
        return Math.sqrt(sum) / scale;
    }

    private static double greatestOfRows(CsrMatrix a, OfRow ofRow) {
        return ParallelRanges.max(a.rows(), ROWS_PER_SUM, (from, to) -> {
            double greatest = 0;
            for (int row = from; row < to; row++) {
                CsrSegment segment = a.segmentOf(row);
                greatest = Math.max(greatest, ofRow.of(segment, segment.rowStart(row), segment.rowEnd(row)));
            }
            return greatest;
        });
    }

    /**
     * Estimates the largest singular value by Golub-Kahan bidiagonalisation from a fixed random vector (G. Golub, C.
     * Van Loan, Matrix Computations, section 10.4). The estimate is never more than the norm, apart from rounding, and
     * grows with each step; it ends when {@value #STEPS_WITHOUT_GAIN} steps together have raised it by no more than a
     * tolerance. That is no bound on what is missing: singular values close to the largest slow the growth. Costs one
     * transposition and, for each step, a product with A and one with its transpose.
     *
     * @param a            a matrix of finite values
     * @param tolerance    relative growth at which it ends, more than 0, for instance 1e-6
     * @param maximumSteps steps at most, at least 1
     * @return a lower estimate of {@code ‖A‖₂}
     * @throws IllegalArgumentException if the tolerance is not positive or there is no step
     */
    public static double two(CsrMatrix a, double tolerance, int maximumSteps) {
        if (!(tolerance > 0) || maximumSteps < 1) {
            throw new IllegalArgumentException("tolerance is " + tolerance + " and maximumSteps " + maximumSteps
                    + ", expected more than 0 and at least 1");
        }
        double size = max(a);
        if (size == 0 || !Double.isFinite(size)) {
            return size;
        }
        CsrMatrix scaled = a.scaled(Math.scalb(1.0, -Math.clamp(Math.getExponent(size), -1000, 1000)));
        double back = Math.scalb(1.0, Math.clamp(Math.getExponent(size), -1000, 1000));
        return back * new Bidiagonalisation(scaled).largest(tolerance, maximumSteps);
    }

    private interface OfRow {
        double of(CsrSegment segment, int from, int to);
    }

    /** The recurrence A v = alpha u + beta u', with the largest singular value of the bidiagonal matrix so far. */
    private static final class Bidiagonalisation {
        private final CsrMatrix a;
        private final CsrMatrix transpose;
        private double[] u;
        private double[] v;

        Bidiagonalisation(CsrMatrix a) {
            this.a = a;
            this.transpose = a.transpose();
            SplittableRandom random = new SplittableRandom(SEED);
            v = random.doubles(a.columns(), -1, 1).toArray();
            u = new double[a.rows()];
        }

        double largest(double tolerance, int maximumSteps) {
            normalise(v);
            double[] diagonal = new double[maximumSteps];
            double[] upper = new double[maximumSteps];
            double[] history = new double[maximumSteps + 1];
            for (int step = 0; step < maximumSteps; step++) {
                double[] next = times(a, v, u, step == 0 ? 0 : -upper[step - 1]);
                diagonal[step] = normalise(next);
                u = next;
                history[step + 1] = Math.max(history[step], largestOf(diagonal, upper, step + 1, history[step]));
                double before = history[Math.max(0, step + 1 - STEPS_WITHOUT_GAIN)];
                boolean stalled = step >= STEPS_WITHOUT_GAIN
                        && history[step + 1] - before <= tolerance * history[step + 1];
                double[] nextV = times(transpose, u, v, -diagonal[step]);
                upper[step] = normalise(nextV);
                v = nextV;
                if (stalled || diagonal[step] == 0 || upper[step] == 0) {
                    return history[step + 1];
                }
            }
            return history[maximumSteps];
        }

        /** Returns M x + beta y as a new array. */
        private static double[] times(CsrMatrix m, double[] x, double[] y, double beta) {
            double[] result = new double[y.length];
            ParallelRanges.run(m.rows(), ROWS_PER_SUM, (from, to) -> {
                for (int row = from; row < to; row++) {
                    CsrSegment segment = m.segmentOf(row);
                    double sum = beta == 0 ? 0 : beta * y[row];
                    for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                        sum += segment.values().get(k) * x[segment.columnIndices()[k]];
                    }
                    result[row] = sum;
                }
            });
            return result;
        }

        private static double normalise(double[] x) {
            double sum = 0;
            for (double element : x) {
                sum += element * element;
            }
            double norm = Math.sqrt(sum);
            for (int i = 0; norm > 0 && i < x.length; i++) {
                x[i] /= norm;
            }
            return norm;
        }

        /** Bisects for the largest eigenvalue of the tridiagonal BᵀB, above a lower bound of its root. */
        private static double largestOf(double[] diagonal, double[] upper, int size, double least) {
            double low = least;
            double high = 0;
            for (int i = 0; i < size; i++) {
                high = Math.max(high, diagonal[i] + upper[i] + (i > 0 ? upper[i - 1] : 0));
            }
            high = Math.max(low, high * (1 + 0x1p-50));
            while (high - low > 0x1p-50 * high) {
                double middle = low + (high - low) / 2;
                if (middle <= low || middle >= high) {
                    break;
                }
                if (isAboveAll(diagonal, upper, size, middle)) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return low;
        }

        /** Says whether BᵀB - σ² has negative pivots only. */
        private static boolean isAboveAll(double[] diagonal, double[] upper, int size, double sigma) {
            double square = sigma * sigma;
            double pivot = 1;
            for (int i = 0; i < size; i++) {
                double above = i == 0 ? 0 : upper[i - 1];
                double off = i == 0 ? 0 : diagonal[i - 1] * above;
                pivot = diagonal[i] * diagonal[i] + above * above - square - off * off / pivot;
                if (!(pivot < 0)) {
                    return false;
                }
            }
            return true;
        }
    }
}
