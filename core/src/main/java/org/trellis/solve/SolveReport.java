package org.trellis.solve;

import java.util.List;

/**
 * What came of an iterative solution. That it did not converge is a status here, not an exception.
 *
 * @param status          how it ended
 * @param iterations      iterations done, each with one matrix product
 * @param restarts        how often the recurrence began anew from a recomputed residual that was too large
 * @param residualHistory {@code ‖r‖₂} of the recurrence before the first and after each iteration; {@code iterations +
 *                        1} values
 * @param rightHandSideNorm {@code ‖b‖₂}
 * @param trueResidual    {@code ‖b − A x‖₂} recomputed from the result; that of a converged solution meets the
 *        tolerance
 * @param seconds         wall-clock time of the iterations and of what recomputes residuals, without preparation
 * @param detail          one sentence that explains the status
 */
public record SolveReport(SolveStatus status, int iterations, int restarts, List<Double> residualHistory,
        double rightHandSideNorm, double trueResidual, double seconds, String detail) {
    /** Copies the history. */
    public SolveReport {
        residualHistory = List.copyOf(residualHistory);
    }

    /**
     * Tells whether a tolerance was met.
     *
     * @return true for {@link SolveStatus#CONVERGED}
     */
    public boolean converged() {
        return status == SolveStatus.CONVERGED;
    }

    /**
     * Returns the last residual norm of the recurrence.
     *
     * @return {@code ‖r‖₂}
     */
    public double finalResidual() {
        return residualHistory.getLast();
    }

    @Override
    public String toString() {
        return status + " after " + iterations + " iterations, residual " + finalResidual() + ", recomputed "
                + trueResidual + ", of " + rightHandSideNorm + ": " + detail;
    }
}
