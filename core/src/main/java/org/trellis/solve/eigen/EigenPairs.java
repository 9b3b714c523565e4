package org.trellis.solve.eigen;

import java.util.List;
import java.util.Locale;

/**
 * Eigenvalues and eigenvectors that were found, the requested ones first. Residuals are recomputed from the vectors by
 * products with the matrix that was given, so that they hold whatever the method believed.
 *
 * @param values    eigenvalues
 * @param vectors   an eigenvector for each, of length 1 and orthogonal to the others, both in the inner product of B
 *                  where there is one; over ranks the rank's part
 * @param residuals {@code ‖A x − λ B x‖₂ / ‖x‖₂} of each
 * @param limits    what each residual may be at most for the pair to be called converged
 * @param products  products with the operator: with the matrix, or solutions with its factors
 * @param restarts  how often the basis was contracted, or iterations of a block
 * @param method    in words
 * @param seconds   everything included
 */
public record EigenPairs(double[] values, List<double[]> vectors, double[] residuals, double[] limits, int products,
        int restarts, String method, double seconds) {
    /**
     * Says whether a pair has converged.
     *
     * @param k which
     * @return whether its residual is within its limit
     */
    public boolean isConverged(int k) {
        return residuals[k] <= limits[k];
    }

    /**
     * Returns how many pairs have converged.
     *
     * @return at most as many as there are
     */
    public int converged() {
        int count = 0;
        for (int k = 0; k < values.length; k++) {
            count += isConverged(k) ? 1 : 0;
        }
        return count;
    }

    /**
     * Returns this if all pairs have converged.
     *
     * @return this
     * @throws ArithmeticException if one has not; says how many have, after what, and the worst residual
     */
    public EigenPairs requireConverged() {
        if (converged() < values.length) {
            throw new ArithmeticException(this + ", expected all to converge; more products, a larger basis, a shift "
                    + "or a preconditioner help");
        }
        return this;
    }

    @Override
    public String toString() {
        double worst = 0;
        for (double residual : residuals) {
            worst = Math.max(worst, residual);
        }
        return String.format(Locale.ROOT, "%d of %d eigenvalues by %s: %d products, %d restarts, residuals up to %.1e, "
                + "%.3f s", converged(), values.length, method, products, restarts, worst, seconds);
    }
}
