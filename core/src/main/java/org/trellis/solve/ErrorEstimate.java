package org.trellis.solve;

import java.util.Locale;
import java.util.Objects;

/**
 * How far a solution may be from the exact one, which a residual alone does not show: an error is at most about the
 * condition number times the backward error (N. Higham, Accuracy and Stability of Numerical Algorithms, section 7.1).
 * Both numbers are estimates, most often right within a factor of 10, and no proofs.
 *
 * @param condition    an estimate of the condition number, at least 1; NaN where the method does not know it
 * @param forwardBound what {@code ‖x − x*‖ / ‖x*‖} may be, at least 0 and perhaps far above 1; NaN where the method
 *                     does not know it
 * @param basis        what the condition number is of and how it was found; empty if it is NaN
 */
public record ErrorEstimate(double condition, double forwardBound, String basis) {
    /** For methods that do not estimate their errors. */
    public static final ErrorEstimate UNKNOWN = new ErrorEstimate(Double.NaN, Double.NaN, "");

    /** Checks that there is a text. */
    public ErrorEstimate {
        Objects.requireNonNull(basis);
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
