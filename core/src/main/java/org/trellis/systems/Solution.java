package org.trellis.systems;

import java.util.Locale;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;

/**
 * A solution and how it was found.
 *
 * @param vector the solution, in the precision of the matrix; over ranks, the owned unknowns
 * @param report method, iterations, residuals, times and notes
 */
public record Solution(HostVector vector, SolveReport report) {
    /**
     * Returns the solution as doubles.
     *
     * @return the solver's array if the matrix is in double precision, else a copy
     */
    public double[] x() {
        return vector.toDoubleArray();
    }

    /**
     * Says whether the tolerance was met by the residual recomputed from the solution.
     *
     * @return true if it was
     */
    public boolean converged() {
        return report.converged();
    }

    /**
     * Returns {@code ‖b − A x‖₂ / ‖b‖₂}, recomputed from the solution.
     *
     * @return 0 if {@code b} is 0
     */
    public double relativeResidual() {
        return report.relativeResidual();
    }

    /**
     * Returns an estimate of the condition number: of the matrix for factorisations, of the preconditioned matrix, from
     * below, for conjugate gradients.
     *
     * @return at least 1; NaN for methods that do not know it
     */
    public double conditionEstimate() {
        return report.facts().error().condition();
    }

    /**
     * Returns what the relative error {@code ‖x − x*‖ / ‖x*‖} may be, about the condition number times the backward
     * error. From 1 on no digit of the solution can be relied on, however small the residual is. The norm is that of
     * energy, {@code ‖e‖² = eᵀ A e}, for preconditioned conjugate gradients; the text of the solution names it.
     *
     * @return at least 0; NaN for methods that do not estimate it
     */
    public double forwardErrorBound() {
        return report.facts().error().forwardBound();
    }

    /**
     * Returns this solution if it converged.
     *
     * @return this
     * @throws ArithmeticException if it did not; says how it ended and what was tried
     */
    public Solution orThrow() {
        if (converged()) {
            return this;
        }
        throw new ArithmeticException("linear system of " + vector.length() + " unknowns, " + report.method() + ": "
                + report.detail() + (report.facts().notes().isEmpty()
                        ? ""
                        : "; " + String.join("; ", report.facts().notes())));
    }

    @Override
    public String toString() {
        String ended = converged() && report.facts().error().isVoid()
                ? report.status() + " in the residual only"
                : report.status().toString();
        return String.format(Locale.ROOT, "%s after %d iterations of %s, residual %.0e, %s: %s", ended,
                report.iterations(), report.method(), relativeResidual(), report.facts().error(), report.detail());
    }
}
