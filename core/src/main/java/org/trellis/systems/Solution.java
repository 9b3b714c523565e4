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
    public double residual() {
        return report.relativeResidual();
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
        return String.format(Locale.ROOT, "%s after %d iterations of %s, relative residual %.2e: %s", report.status(),
                report.iterations(), report.method(), residual(), report.detail());
    }
}
