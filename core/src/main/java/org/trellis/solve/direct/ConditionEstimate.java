package org.trellis.solve.direct;

import java.util.Arrays;
import java.util.function.Consumer;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * Estimates the 1-norm of an inverse by solutions with a matrix and its transpose (W. Hager, "Condition estimates",
 * SIAM J. Sci. Stat. Comput. 5, 1984; N. Higham, "FORTRAN codes for estimating the one-norm of a real or complex
 * matrix", ACM Trans. Math. Softw. 14, 1988). A lower bound, most often within a factor of 3.
 */
public final class ConditionEstimate {
    private static final int MOST_STEPS = 5;

    private ConditionEstimate() {}

    /**
     * Estimates {@code 1 / (‖A‖₁ ‖A⁻¹‖₁)}. Costs a pass over the matrix and up to eleven solutions.
     *
     * @param matrix          a square matrix
     * @param solve           overwrites a right-hand side by the solution with the matrix
     * @param solveTransposed the same with its transpose
     * @return between 0 and 1; 1 for a matrix without rows; 0 if a solution is not finite
     */
    public static double reciprocal(CsrMatrix matrix, Consumer<double[]> solve, Consumer<double[]> solveTransposed) {
        if (matrix.rows() == 0) {
            return 1;
        }
        double norm = oneNorm(matrix);
        // One after the other, so that neither product overflows.
        double inverse = normOfInverse(matrix.rows(), solve, solveTransposed);
        double reciprocal = 1 / norm / inverse;
        return Double.isFinite(inverse) && reciprocal >= 0 ? Math.min(1, reciprocal) : 0;
    }

    /**
     * Computes {@code ‖A‖₁}, the largest sum of magnitudes of a column.
     *
     * @param matrix any matrix
     * @return the norm, 0 without entries
     */
    public static double oneNorm(CsrMatrix matrix) {
        double[] sums = new double[matrix.columns()];
        CsrRowCursor rows = new CsrRowCursor(matrix);
        for (int row = 0; row < matrix.rows(); row++) {
            rows.moveTo(row);
            int[] columns = rows.columns();
            for (int k = rows.start(); k < rows.end(); k++) {
                sums[columns[k]] += Math.abs(rows.value(k));
            }
        }
        return Arrays.stream(sums).max().orElse(0);
    }

    /**
     * Estimates {@code ‖A⁻¹‖₁}.
     *
     * @param n               rows, at least 1
     * @param solve           overwrites a right-hand side by the solution with the matrix
     * @param solveTransposed the same with its transpose
     * @return a lower bound
     */
    public static double normOfInverse(int n, Consumer<double[]> solve, Consumer<double[]> solveTransposed) {
        double[] v = new double[n];
        Arrays.fill(v, 1.0 / n);
        double[] x = v;
        double[] signs = new double[n];
        double estimate = 0;
        int column = -1;
        for (int step = 0; step < MOST_STEPS; step++) {
            solve.accept(x);
            double sum = norm(x);
            if (step > 0 && sum <= estimate) {
                break;
            }
            estimate = sum;
            if (takeSigns(x, signs) && step > 0) {
                break; // The same signs lead to the same column.
            }
            solveTransposed.accept(x);
            int greatest = 0;
            for (int i = 1; i < n; i++) {
                greatest = Math.abs(x[i]) > Math.abs(x[greatest]) ? i : greatest;
            }
            if (greatest == column) {
                break;
            }
            column = greatest;
            Arrays.fill(x, 0);
            x[column] = 1;
        }
        return Math.max(estimate, alternating(n, solve));
    }

    /** Replaces elements by their signs; returns whether these are the ones of the step before. */
    private static boolean takeSigns(double[] x, double[] signs) {
        boolean same = true;
        for (int i = 0; i < x.length; i++) {
            double sign = x[i] >= 0 ? 1 : -1;
            same &= sign == signs[i];
            signs[i] = sign;
            x[i] = sign;
        }
        return same;
    }

    /**
     * Estimates a bound of the componentwise forward error, {@code ‖ |A⁻¹| (|b − A x| + γ (|A| |x| + |b|)) ‖∞ / ‖x‖∞}
     * with {@code γ} of the rounding errors of the residual (Higham, Accuracy and Stability of Numerical Algorithms,
     * section 7.2). Other than the condition number times the residual it does not grow with bad scaling of rows. Costs
     * a pass over the matrix and up to eleven solutions.
     *
     * @param matrix          a square matrix
     * @param b               the right-hand side
     * @param x               the solution
     * @param solve           overwrites a right-hand side by the solution with the matrix
     * @param solveTransposed the same with its transpose
     * @return at least 0, 0 for a solution of zeros; infinite if a solution is not finite
     */
    public static double forwardError(CsrMatrix matrix, double[] b, double[] x, Consumer<double[]> solve,
            Consumer<double[]> solveTransposed) {
        double size = Arrays.stream(x).map(Math::abs).max().orElse(0);
        if (size == 0) {
            return 0;
        }
        double[] weights = weights(matrix, b, x);
        double bound = normOfInverse(x.length, v -> {
            solveTransposed.accept(v);
            multiply(v, weights);
        }, v -> {
            multiply(v, weights);
            solve.accept(v);
        });
        return Double.isFinite(bound) ? bound / size : Double.POSITIVE_INFINITY;
    }

    /** The residual's magnitude and what rounding adds to it, row by row. */
    private static double[] weights(CsrMatrix matrix, double[] b, double[] x) {
        CsrRowCursor rows = new CsrRowCursor(matrix);
        double[] weights = new double[b.length];
        for (int i = 0; i < b.length; i++) {
            rows.moveTo(i);
            int[] columns = rows.columns();
            double residual = b[i];
            double sum = 0;
            for (int k = rows.start(); k < rows.end(); k++) {
                double term = rows.value(k) * x[columns[k]];
                residual -= term;
                sum += Math.abs(term);
            }
            int count = rows.end() - rows.start();
            weights[i] = Math.abs(residual) + (count + 1) * 0x1p-53 * (sum + Math.abs(b[i]));
        }
        return weights;
    }

    private static void multiply(double[] v, double[] weights) {
        for (int i = 0; i < v.length; i++) {
            v[i] *= weights[i];
        }
    }

    /** Higham's vector against matrices on which the search fails. */
    private static double alternating(int n, Consumer<double[]> solve) {
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            x[i] = (i % 2 == 0 ? 1 : -1) * (1 + (n == 1 ? 0 : (double) i / (n - 1)));
        }
        solve.accept(x);
        return 2 * norm(x) / (3.0 * n);
    }

    private static double norm(double[] x) {
        double sum = 0;
        for (double element : x) {
            sum += Math.abs(element);
        }
        return sum;
    }
}
