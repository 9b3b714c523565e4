package org.trellis.solve.direct;

import java.util.function.Consumer;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Iterative refinement with factors (M. Arioli, J. Demmel, I. Duff, "Solving sparse linear systems with sparse backward
 * error", SIAM J. Matrix Anal. Appl. 10, 1989): solutions of residuals are added until the componentwise backward error
 * {@code max |b - A x|ᵢ / (|A| |x| + |b|)ᵢ} is at the unit roundoff or is not halved any more.
 */
public final class Refinement {
    private static final int MOST_STEPS = 10;
    /** The unit roundoff, below which there is nothing to refine. */
    static final double GOOD = 0x1p-52;

    private final double[] residual;
    private final double[] best;

    /**
     * Allocates work space.
     *
     * @param n rows
     */
    public Refinement(int n) {
        residual = new double[n];
        best = new double[n];
    }

    /**
     * What was reached.
     *
     * @param steps         corrections that were kept
     * @param backwardError the componentwise backward error of the solution
     */
    public record Result(int steps, double backwardError) {}

    /**
     * Solves and refines.
     *
     * @param matrix a square matrix
     * @param solve  overwrites a right-hand side by a solution with factors of the matrix or of one near to it
     * @param b      the right-hand side
     * @param x      overwritten by the solution; not {@code b} itself
     * @return what was reached
     * @throws IllegalArgumentException if lengths do not fit
     */
    public Result solve(CsrMatrix matrix, Consumer<double[]> solve, double[] b, double[] x) {
        return solve(matrix, solve, b, x, GOOD);
    }

    /**
     * Solves and refines while the backward error is above a bound.
     *
     * @param matrix a square matrix
     * @param solve  overwrites a right-hand side by a solution with factors of the matrix or of one near to it
     * @param b      the right-hand side
     * @param x      overwritten by the solution; not {@code b} itself
     * @param enough the componentwise backward error from which on nothing is refined, such as a few units of roundoff
     * @return what was reached
     * @throws IllegalArgumentException if lengths do not fit
     */
    public Result solve(CsrMatrix matrix, Consumer<double[]> solve, double[] b, double[] x, double enough) {
        Checks.length("length of b", b.length, residual.length);
        Checks.length("length of x", x.length, residual.length);
        System.arraycopy(b, 0, x, 0, x.length);
        solve.accept(x);
        double error = residual(matrix, b, x);
        for (int step = 0; step < MOST_STEPS; step++) {
            if (!(error > enough)) {
                return new Result(step, error);
            }
            System.arraycopy(x, 0, best, 0, x.length);
            solve.accept(residual);
            for (int i = 0; i < x.length; i++) {
                x[i] += residual[i];
            }
            double next = residual(matrix, b, x);
            if (!(next < error)) {
                System.arraycopy(best, 0, x, 0, x.length);
                return new Result(step, error);
            }
            boolean slow = next > error / 2;
            error = next;
            if (slow) {
                return new Result(step + 1, error);
            }
        }
        return new Result(MOST_STEPS, error);
    }

    /**
     * Computes the componentwise backward error of a solution.
     *
     * @param matrix the matrix
     * @param b      the right-hand side
     * @param x      the solution
     * @return 0 for an exact solution; infinite where a residual is not 0 though all its terms are; NaN if x is not
     *         finite
     * @throws IllegalArgumentException if lengths do not fit
     */
    public static double backwardError(CsrMatrix matrix, double[] b, double[] x) {
        return new Refinement(b.length).residual(matrix, b, x);
    }

    /**
     * Computes {@code b - A x} in double precision.
     *
     * @param matrix the matrix
     * @param b      the right-hand side
     * @param x      the solution
     * @return a new array
     * @throws IllegalArgumentException if lengths do not fit
     */
    public static double[] residualOf(CsrMatrix matrix, double[] b, double[] x) {
        Checks.length("length of b", b.length, matrix.rows());
        Checks.length("length of x", x.length, matrix.columns());
        Refinement work = new Refinement(b.length);
        work.residual(matrix, b, x);
        return work.residual;
    }

    /** Leaves the residual in its array. */
    private double residual(CsrMatrix matrix, double[] b, double[] x) {
        double error = 0;
        for (CsrSegment segment : matrix.segments()) {
            error = Math.max(error, segment.values().precision() == Precision.F64
                    ? residual(segment, segment.values().doubleStorage(), b, x)
                    : residual(segment, segment.values().floatStorage(), b, x));
        }
        return error;
    }

    private double residual(CsrSegment segment, double[] values, double[] b, double[] x) {
        int[] columns = segment.columnIndices();
        int[] offsets = segment.rowOffsets();
        int first = segment.values().offset();
        double error = 0;
        for (int i = 0; i < segment.rows(); i++) {
            int row = segment.firstRow() + i;
            double rest = b[row];
            double scale = Math.abs(rest);
            for (int k = offsets[i]; k < offsets[i + 1]; k++) {
                double term = values[first + k] * x[columns[k]];
                rest -= term;
                scale += Math.abs(term);
            }
            residual[row] = rest;
            error = Math.max(error, rest == 0 ? 0 : Math.abs(rest) / scale);
        }
        return error;
    }

    /** The same in single precision: a choice at each entry would cost more than the entry. */
    private double residual(CsrSegment segment, float[] values, double[] b, double[] x) {
        int[] columns = segment.columnIndices();
        int[] offsets = segment.rowOffsets();
        int first = segment.values().offset();
        double error = 0;
        for (int i = 0; i < segment.rows(); i++) {
            int row = segment.firstRow() + i;
            double rest = b[row];
            double scale = Math.abs(rest);
            for (int k = offsets[i]; k < offsets[i + 1]; k++) {
                double term = values[first + k] * x[columns[k]];
                rest -= term;
                scale += Math.abs(term);
            }
            residual[row] = rest;
            error = Math.max(error, rest == 0 ? 0 : Math.abs(rest) / scale);
        }
        return error;
    }
}
