package org.trellis.solve;

import java.util.Locale;
import java.util.Objects;

/**
 * How far a solution may be from the exact one, which a residual alone does not show: an error is at most about the
 * condition number times the backward error (N. Higham, Accuracy and Stability of Numerical Algorithms, section 7.1).
 * Both numbers are estimates, most often right within a factor of 10, and no proofs.
 *
 * <p>Preconditioned conjugate gradients bound the error in the energy norm {@code ‖e‖_A = √(eᵀ A e)}, in which it is
 * the least of all corrections that the iterations can make: {@code ‖e‖_A² = rᵀ A⁻¹ r ≤ rᵀ M⁻¹ r / λ} with the least
 * eigenvalue λ of the preconditioned matrix {@code M⁻¹ A}. The Euclidean error may be larger by the root of the
 * condition number of A, which they do not know.
 *
 * @param condition    an estimate of the condition number, at least 1; NaN where the method does not know it
 * @param forwardBound what {@code ‖x − x*‖ / ‖x*‖} may be in the norm that the basis names, at least 0 and perhaps far
 *                     above 1; NaN where the method does not know it
 * @param basis        the norm, what the condition number is of and how it was found; empty if it is NaN
 */
public record ErrorEstimate(double condition, double forwardBound, String basis) {
    /** For methods that do not estimate their errors. */
    public static final ErrorEstimate UNKNOWN = new ErrorEstimate(Double.NaN, Double.NaN, "");

    /** Checks that there is a text. */
    public ErrorEstimate {
        Objects.requireNonNull(basis);
    }

    /**
     * Estimates the relative error of conjugate gradients in the energy norm. The exact solution has the energy
     * {@code xᵀ b + eᵀ b} for the error e, and {@code |eᵀ b| ≤ ‖e‖_A ‖x*‖_A}, which bounds it from below.
     *
     * @param condition of the preconditioned matrix, from Lanczos' coefficients
     * @param error     a bound of the error in the energy norm, at least 0
     * @param energy    {@code xᵀ b} of the solution that was found
     * @param rounding  the least relative error to report
     * @return the estimate; {@link #UNKNOWN} where the energy is not positive or not finite
     */
    public static ErrorEstimate ofEnergy(double condition, double error, double energy, double rounding) {
        double relative = error / energy * (error + Math.sqrt(error * error + 4 * energy)) / 2;
        return energy > 0 && energy < Double.POSITIVE_INFINITY && relative >= 0
                ? new ErrorEstimate(condition, Math.max(relative, rounding),
                        "in the energy norm, of the preconditioned matrix, from below, by Lanczos' coefficients")
                : UNKNOWN;
    }

    /**
     * Says whether there is an estimate.
     *
     * @return false for {@link #UNKNOWN}
     */
    public boolean isKnown() {
        return !Double.isNaN(forwardBound);
    }

    /**
     * Says whether the solution may have no correct digit.
     *
     * @return true from a bound of 1 on; false if there is none
     */
    public boolean isVoid() {
        return forwardBound >= 1;
    }

    @Override
    public String toString() {
        return isKnown()
                ? String.format(Locale.ROOT, "error up to %.0e, condition about %.0e (%s)", forwardBound, condition,
                        basis)
                : "error unknown";
    }
}
