package org.trellis.bench.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.trellis.solve.SolveReport;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.MultigridReport;

/**
 * A contender's solutions of one system.
 *
 * @param stack            how it was to be solved
 * @param report           of the first solution
 * @param iterationSeconds since the beginning of the first solution, when each of its iterations was known
 * @param seconds          of every solution; the first, cold, includes what is done once only
 * @param setupSeconds     of every preparation; one, or as many as solutions where each was prepared anew
 * @param error            largest error of an element where the solution is known, else not a number
 * @param peer             the other library that solved the system in the way that comes nearest to {@code stack}, its
 *                         residual history being the first and the last norm; empty if it was Trellis
 * @param multigrid        the levels, if there are some
 */
public record SolveRun(SolverConfig stack, SolveReport report, List<Double> iterationSeconds, List<Double> seconds,
        List<Double> setupSeconds, double error, Optional<Peer> peer,
        Optional<MultigridReport> multigrid) {
    /**
     * Another library.
     *
     * @param name      its name as a peer
     * @param library   its name and version
     * @param processes its processes
     */
    public record Peer(String name, String library, int processes) {}

    /** Copies the lists. */
    public SolveRun {
        iterationSeconds = List.copyOf(iterationSeconds);
        seconds = List.copyOf(seconds);
        setupSeconds = List.copyOf(setupSeconds);
    }

    /**
     * Returns the name in tables and pictures.
     *
     * @return for example {@code gmres(restart=50) + ilu0}, and {@code petsc: KSPGMRES + PCJACOBI} of a peer
     */
    public String name() {
        if (peer.isPresent()) {
            return peer.get().name() + ": " + report.method()
                    + (report.preconditioner().equals("none") ? "" : " + " + report.preconditioner());
        }
        return (stack.mixedPrecision() ? "refined " : "") + stack.method() + options()
                + (stack.isAutomatic() || stack.preconditioner().equals("none") ? "" : " + " + stack.preconditioner());
    }

    private String options() {
        return stack.methodOptions().isEmpty()
                ? ""
                : stack.methodOptions().entrySet().stream().map(Map.Entry::toString)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    /**
     * Returns whether there is more than one solution, so that cold and warm are apart.
     *
     * @return whether the medians are of warm solutions
     */
    public boolean isWarm() {
        return seconds.size() > 1;
    }

    /**
     * Returns the median of the times, without the first one where there are others.
     *
     * @return seconds of a solution
     */
    public double medianSeconds() {
        return median(warm(seconds));
    }

    /**
     * Returns the median of the preparations' times, without the first one where there are others.
     *
     * @return seconds of a preparation
     */
    public double medianSetupSeconds() {
        return median(warm(setupSeconds));
    }

    private static List<Double> warm(List<Double> samples) {
        return samples.subList(samples.size() > 1 ? 1 : 0, samples.size());
    }

    /** Returns the value in the middle, or the mean of both. */
    static double median(List<Double> samples) {
        double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
