package org.trellis.bench.report;

import java.util.List;
import java.util.Optional;
import org.trellis.solve.SolveReport;
import org.trellis.solve.krylov.SolverStack;
import org.trellis.solve.multigrid.MultigridReport;

/**
 * A contender's solutions of one system.
 *
 * @param stack            how it was to be solved
 * @param report           of the first solution
 * @param iterationSeconds since the beginning of the first solution, when each of its iterations was known
 * @param seconds          of every solution; the first includes what is done once only
 * @param error            largest error of an element where the solution is known, else not a number
 * @param multigrid        the levels, if there are some
 */
public record SolveRun(SolverStack stack, SolveReport report, List<Double> iterationSeconds, List<Double> seconds,
        double error, Optional<MultigridReport> multigrid) {
    /** Copies the lists. */
    public SolveRun {
        iterationSeconds = List.copyOf(iterationSeconds);
        seconds = List.copyOf(seconds);
    }

    /**
     * Returns the name in tables and pictures.
     *
     * @return for example {@code gmres(restart=50) + ilu0}
     */
    public String name() {
        return (stack.mixedPrecision() ? "refined " : "") + stack.method() + options()
                + (stack.isAutomatic() || stack.preconditioner().equals("none") ? "" : " + " + stack.preconditioner());
    }

    private String options() {
        return stack.methodOptions().isEmpty()
                ? ""
                : stack.methodOptions().toString().replace('{', '(').replace('}',
                        ')');
    }

    /**
     * Returns the median of the times, without the first one where there are others.
     *
     * @return seconds of a solution
     */
    public double medianSeconds() {
        double[] sorted = seconds.stream().skip(seconds.size() > 1 ? 1 : 0).mapToDouble(Double::doubleValue).sorted()
                .toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
