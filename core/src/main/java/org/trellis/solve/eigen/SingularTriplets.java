package org.trellis.solve.eigen;

import java.util.List;
import java.util.Locale;

/**
 * Singular values and vectors that were found, the requested ones first. Residuals are recomputed from the vectors by
 * products with the matrix that was given.
 *
 * @param values    singular values, at least 0
 * @param left      a left singular vector u for each, of length 1 and orthogonal to the others
 * @param right     a right singular vector v for each, likewise
 * @param residuals {@code √(‖A v − σ u‖₂² + ‖Aᵀ u − σ v‖₂²)} of each
 * @param limits    what each residual may be at most for the triplet to be called converged
 * @param products  products with A and with Aᵀ, together
 * @param restarts  how often the bases were contracted
 * @param seconds   everything included
 */
public record SingularTriplets(double[] values, List<double[]> left, List<double[]> right, double[] residuals,
        double[] limits, int products, int restarts, double seconds) {
    /**
     * Says whether a triplet has converged.
     *
     * @param k which
     * @return whether its residual is within its limit
     */
    public boolean isConverged(int k) {
        return residuals[k] <= limits[k];
    }

    /**
     * Returns how many triplets have converged.
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
     * Returns this if all triplets have converged.
     *
     * @return this
     * @throws ArithmeticException if one has not; says how many have, after what, and the worst residual
     */
    public SingularTriplets requireConverged() {
        if (converged() < values.length) {
            throw new ArithmeticException(this + ", expected all to converge; more products or a larger basis help");
        }
        return this;
    }

    @Override
    public String toString() {
        double worst = 0;
        for (double residual : residuals) {
            worst = Math.max(worst, residual);
        }
        return String.format(Locale.ROOT,
                "%d of %d singular values by thick-restart bidiagonalisation: %d products, %d "
                        + "restarts, residuals up to %.1e, %.3f s",
                converged(), values.length, products, restarts, worst,
                seconds);
    }
}
