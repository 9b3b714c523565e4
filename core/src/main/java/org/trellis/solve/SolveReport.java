package org.trellis.solve;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What came of an iterative solution. That it did not converge is a status here, not an exception.
 *
 * @param status          how it ended
 * @param iterations      iterations done, each with one matrix product (BiCGStab: two)
 * @param restarts        how often the recurrence began anew from a recomputed residual that was too large
 * @param residualHistory {@code ‖r‖₂} of the recurrence before the first and after each iteration; {@code iterations +
 *                        1} values
 * @param rightHandSideNorm {@code ‖b‖₂}
 * @param trueResidual    {@code ‖b − A x‖₂} recomputed from the result; that of a converged solution meets the
 *        tolerance, but for least squares, where the detail says
 * @param seconds         wall-clock time of the iterations and of what recomputes residuals, without preparation
 * @param detail          one sentence that explains the status
 * @param facts           with what it was solved
 */
public record SolveReport(SolveStatus status, int iterations, int restarts, List<Double> residualHistory,
        double rightHandSideNorm, double trueResidual, double seconds, String detail, SolveFacts facts) {
    /** Copies the history. */
    public SolveReport {
        residualHistory = List.copyOf(residualHistory);
        Objects.requireNonNull(facts);
    }

    /**
     * Creates a report that does not say with what.
     *
     * @param status            how it ended
     * @param iterations        iterations done
     * @param restarts          how often the recurrence began anew
     * @param residualHistory   {@code iterations + 1} residual norms
     * @param rightHandSideNorm {@code ‖b‖₂}
     * @param trueResidual      {@code ‖b − A x‖₂}
     * @param seconds           wall-clock time
     * @param detail            one sentence that explains the status
     */
    public SolveReport(SolveStatus status, int iterations, int restarts, List<Double> residualHistory,
            double rightHandSideNorm, double trueResidual, double seconds, String detail) {
        this(status, iterations, restarts, residualHistory, rightHandSideNorm, trueResidual, seconds, detail,
                SolveFacts.UNKNOWN);
    }

    /**
     * Says whether a tolerance was met.
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

    /**
     * Returns the true residual relative to the right-hand side.
     *
     * @return {@code ‖b − A x‖₂ / ‖b‖₂}; 0 if both are 0, infinite if only {@code b} is
     */
    public double relativeResidual() {
        return trueResidual == 0 ? 0 : trueResidual / rightHandSideNorm;
    }

    /**
     * Returns by what an iteration multiplied the residual on the average.
     *
     * @return {@code (‖r_last‖ / ‖r_0‖)^(1 / iterations)} of the recurrence; NaN without iterations
     */
    public double convergenceFactor() {
        return iterations == 0 ? Double.NaN : Math.pow(finalResidual() / residualHistory.getFirst(), 1.0 / iterations);
    }

    /**
     * Returns the method.
     *
     * @return for example {@code gmres(30)}
     */
    public String method() {
        return facts.method();
    }

    /**
     * Returns the preconditioner.
     *
     * @return its text, or {@code none}
     */
    public String preconditioner() {
        return facts.preconditioner();
    }

    /**
     * Returns the time that preparing the solver took.
     *
     * @return seconds of wall-clock time
     */
    public double setupSeconds() {
        return facts.setupSeconds();
    }

    /**
     * Returns the same report with other facts.
     *
     * @param other with what it was solved
     * @return another report
     */
    public SolveReport with(SolveFacts other) {
        return new SolveReport(status, iterations, restarts, residualHistory, rightHandSideNorm, trueResidual, seconds,
                detail, other);
    }

    /**
     * Adds sentences to the notes.
     *
     * @param more sentences, which come before those that are there
     * @return another report
     */
    public SolveReport withNotes(List<String> more) {
        List<String> notes = new ArrayList<>(more);
        notes.addAll(facts.notes());
        return with(new SolveFacts(facts.method(), facts.preconditioner(), facts.setupSeconds(),
                facts.firstTouchSeconds(), facts.memoryBytes(), notes, facts.error()));
    }

    /**
     * Says how far the solution may be off.
     *
     * @param error the estimate
     * @return another report
     */
    public SolveReport withError(ErrorEstimate error) {
        return with(new SolveFacts(facts.method(), facts.preconditioner(), facts.setupSeconds(),
                facts.firstTouchSeconds(), facts.memoryBytes(), facts.notes(), error));
    }

    /**
     * Adds to the time of the preparation what was prepared elsewhere.
     *
     * @param preconditionerText the preconditioner in words
     * @param more               seconds of wall-clock time
     * @return another report
     */
    public SolveReport withPreparation(String preconditionerText, double more) {
        return with(new SolveFacts(facts.method(), preconditionerText, facts.setupSeconds() + more,
                facts.firstTouchSeconds(), facts.memoryBytes(), facts.notes(), facts.error()));
    }

    @Override
    public String toString() {
        return status + " after " + iterations + " iterations, residual " + finalResidual() + ", recomputed "
                + trueResidual + ", of " + rightHandSideNorm + ": " + detail;
    }
}
