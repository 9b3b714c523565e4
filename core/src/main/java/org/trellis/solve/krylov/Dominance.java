package org.trellis.solve.krylov;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * A proof that the diagonal of a matrix outweighs the rest of each row once columns are weighted: there are positive
 * {@code v} with {@code Σ |a_ij| v_j ≤ 0.9 |a_ii| v_i} over j other than i. Jacobi's iteration then gains a tenth in
 * each step, preconditioners without fill can be made, and since {@code |A⁻¹|} is at most the inverse of the
 * comparison matrix {@code |D| − |A − D|} (A. Ostrowski, 1937), errors are bounded without factors. With equal weights
 * the bound of the inverse is that of J. Varah, "A lower bound for the smallest singular value of a matrix", Linear
 * Algebra Appl. 11, 1975.
 */
final class Dominance {
    /** The most that the rest of a row amounts to of its diagonal. */
    static final double MOST = 0.9;

    /** Rows that are not dominant as they are, of all, up to which other weights are looked for. */
    private static final double MOST_OTHERS = 0.1;
    /** What a row that is not dominant is weighted for. */
    private static final double AIM = 0.85;
    private static final int MOST_PASSES = 8;
    /** Each makes the part of a bound that is not summed up at least a tenth smaller. */
    private static final int MOST_TERMS = 30;

    private final CsrMatrix matrix;
    private final double[] diagonal;
    private final double[] weights;
    private final double share;
    private final boolean weighted;

    private Dominance(CsrMatrix matrix, double[] diagonal, double[] weights, double share,
            boolean weighted) {
        this.matrix = matrix;
        this.diagonal = diagonal;
        this.weights = weights;
        this.share = share;
        this.weighted = weighted;
    }

    /**
     * Looks for weights. Costs a pass over most matrices, and a few over those of which few rows are not dominant.
     *
     * @param matrix a square matrix
     * @return nothing if there are none or they are not found
     */
    static Optional<Dominance> of(CsrMatrix matrix) {
        int n = matrix.rows();
        double[] diagonal = new double[n];
        double[] sums = new double[n];
        CsrRowCursor rows = new CsrRowCursor(matrix);
        int others = 0;
        for (int i = 0; i < n; i++) {
            rows.moveTo(i);
            double sum = 0;
            double onDiagonal = 0;
            for (int k = rows.start(); k < rows.end(); k++) {
                if (rows.columns()[k] == i) {
                    onDiagonal += rows.value(k);
                } else {
                    sum += Math.abs(rows.value(k));
                }
            }
            diagonal[i] = Math.abs(onDiagonal);
            sums[i] = sum / diagonal[i];
            others += sums[i] <= MOST ? 0 : 1;
            if (others > MOST_OTHERS * n || !Double.isFinite(sums[i])) {
                return Optional.empty();
            }
        }
        double[] weights = new double[n];
        Arrays.fill(weights, 1);
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            double share = largestQuotient(sums, weights);
            if (share <= MOST) {
                return Optional.of(new Dominance(matrix, diagonal, weights, share, pass > 0));
            }
            for (int i = 0; i < n; i++) {
                weights[i] = Math.max(weights[i], sums[i] / AIM);
            }
            sums = iterated(rows, diagonal, weights);
        }
        return Optional.empty();
    }

    /** Applies the matrix of Jacobi's iteration, with the absolute values of its entries. */
    private static double[] iterated(CsrRowCursor rows, double[] diagonal, double[] v) {
        double[] result = new double[v.length];
        for (int i = 0; i < v.length; i++) {
            rows.moveTo(i);
            double sum = 0;
            for (int k = rows.start(); k < rows.end(); k++) {
                int j = rows.columns()[k];
                if (j != i) {
                    sum += Math.abs(rows.value(k)) * v[j];
                }
            }
            result[i] = sum / diagonal[i];
        }
        return result;
    }

    private static double largestQuotient(double[] numerators, double[] denominators) {
        double largest = 0;
        for (int i = 0; i < numerators.length; i++) {
            largest = Math.max(largest, numerators[i] / denominators[i]);
        }
        return largest;
    }

    /**
     * Returns what the rest of a weighted row is at most of its diagonal element.
     *
     * @return at most {@link #MOST}
     */
    double share() {
        return share;
    }

    /**
     * Says whether columns are weighted.
     *
     * @return false if rows are dominant as they are
     */
    boolean isWeighted() {
        return weighted;
    }

    /**
     * Bounds the norm of the inverse in the maximum norm.
     *
     * @return a number that {@code ‖A⁻¹‖} does not exceed
     */
    double inverse() {
        double largest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < weights.length; i++) {
            largest = Math.max(largest, weights[i]);
            least = Math.min(least, diagonal[i] * weights[i]);
        }
        return largest / (least * (1 - share));
    }

    /**
     * Bounds the error of a solution in the Euclidean norm, by a sum of {@code |D⁻¹ (A − D)|} to the k-th times
     * {@code |D⁻¹ r|} whose rest is at most a multiple of the weights. What rounding may have taken from the residual
     * is part of it.
     *
     * @param b the right-hand side
     * @param x the solution
     * @return a number that {@code ‖x − A⁻¹ b‖} does not exceed
     */
    double error(double[] b, double[] x) {
        CsrRowCursor rows = new CsrRowCursor(matrix);
        double[] term = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            rows.moveTo(i);
            double residual = b[i];
            double size = Math.abs(b[i]);
            for (int k = rows.start(); k < rows.end(); k++) {
                double product = rows.value(k) * x[rows.columns()[k]];
                residual -= product;
                size += Math.abs(product);
            }
            double rounding = (rows.end() - rows.start() + 2) * Math.ulp(1.0) * size;
            term[i] = (Math.abs(residual) + rounding) / diagonal[i];
        }
        double[] sum = term.clone();
        double size = VectorArithmetic.norm(weights);
        for (int terms = 1;; terms++) {
            double rest = largestQuotient(term, weights) * share / (1 - share) * size;
            double found = VectorArithmetic.norm(sum);
            if (rest <= found || terms == MOST_TERMS) {
                return found + rest;
            }
            term = iterated(rows, diagonal, term);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += term[i];
            }
        }
    }

    @Override
    public String toString() {
        return "rows of at most " + share + " of their diagonal beside it";
    }
}
