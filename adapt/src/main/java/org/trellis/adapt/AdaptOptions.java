package org.trellis.adapt;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.trellis.common.Checks;

/**
 * How a mesh is adapted. Immutable; start from {@link #DEFAULT}.
 *
 * @param sweeps    how many times the steps are taken at most, at least 1; of smoothing alone, how many sweeps
 * @param steps     what may be done to the mesh
 * @param shortest  edges below this length are collapsed
 * @param longest   edges above are split
 * @param smoothing how vertices are moved between steps
 * @param smart     whether vertices move only if the worst element around them gets better
 * @param polish    sweeps of optimisation at the end, at least 0
 * @param threads   threads, at least 1; of no effect on the result
 */
public record AdaptOptions(int sweeps, Set<AdaptStep> steps, double shortest, double longest,
        SmoothingMethod smoothing, boolean smart, int polish, int threads) {
    private static final int USUAL_SWEEPS = 20;
    private static final int USUAL_POLISH = 20;

    /**
     * All steps, up to 20 times, edges from 1 / sqrt(2) to sqrt(2), smart Laplacian smoothing in the metric, one
     * thread.
     */
    public static final AdaptOptions DEFAULT = new AdaptOptions(USUAL_SWEEPS, EnumSet.allOf(AdaptStep.class),
            Math.sqrt(0.5), Math.sqrt(2), SmoothingMethod.METRIC_LAPLACIAN, true, USUAL_POLISH, 1);

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if there is nothing to do, or bounds contradict each other
     */
    public AdaptOptions {
        Checks.positive("number of sweeps", sweeps);
        Checks.notNegative("number of sweeps of optimisation", polish);
        Checks.positive("number of threads", threads);
        Objects.requireNonNull(smoothing, "smoothing");
        steps = Set.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException(
                    "there are no steps, expected at least one of refine, coarsen, swap, smooth");
        }
        if (!(shortest > 0) || !(longest > shortest)) {
            throw new IllegalArgumentException("edges are to be from " + shortest + " to " + longest
                    + " long, expected 0 < shortest < longest");
        }
    }

    /**
     * Changes the number of sweeps.
     *
     * @param most how many at most
     * @return a copy of these options
     */
    public AdaptOptions withSweeps(int most) {
        return new AdaptOptions(most, steps, shortest, longest, smoothing, smart, polish, threads);
    }

    /**
     * Changes what may be done.
     *
     * @param allowed the steps
     * @return a copy of these options
     */
    public AdaptOptions withSteps(Set<AdaptStep> allowed) {
        return new AdaptOptions(sweeps, allowed, shortest, longest, smoothing, smart, polish, threads);
    }

    /**
     * Changes the smoothing.
     *
     * @param method   how vertices are moved
     * @param careful  whether only if that makes the worst element better
     * @param finishes sweeps of optimisation at the end
     * @return a copy of these options
     */
    public AdaptOptions withSmoothing(SmoothingMethod method, boolean careful, int finishes) {
        return new AdaptOptions(sweeps, steps, shortest, longest, method, careful, finishes, threads);
    }

    /**
     * Changes the lengths at which edges are collapsed and split.
     *
     * @param least    edges below are collapsed
     * @param greatest edges above are split
     * @return a copy of these options
     */
    public AdaptOptions withLengths(double least, double greatest) {
        return new AdaptOptions(sweeps, steps, least, greatest, smoothing, smart, polish, threads);
    }

    /**
     * Changes the number of threads.
     *
     * @param count how many
     * @return a copy of these options
     */
    public AdaptOptions withThreads(int count) {
        return new AdaptOptions(sweeps, steps, shortest, longest, smoothing, smart, polish, count);
    }

    boolean has(AdaptStep step) {
        return steps.contains(step);
    }
}
