package org.trellis.solve.multigrid;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * How a hierarchy is set up.
 *
 * @param coarsening      how the next level is made
 * @param parallel        whether nodes are aggregated around an independent set of distance 2, on several threads,
 *                        rather than in their order on one
 * @param theta           couplings below this share do not count; compared with {@code √|aᵢᵢ aⱼⱼ|} for aggregates, with
 *                        the greatest of the row for the classical coarsening
 * @param damping         ω of the prolongator's smoothing in units of {@code 1 / ρ(D⁻¹A)}
 * @param interpolation   weights that a row of classical interpolation keeps at most
 * @param truncation      weights of classical interpolation below this share of the row's greatest are dropped
 * @param coarseRows      levels of at most so many rows are solved directly
 * @param maximumLevels   levels at most
 */
public record CoarseningOptions(Coarsening coarsening, boolean parallel, double theta, double damping,
        int interpolation, double truncation, int coarseRows, int maximumLevels) {
    private static final double CLASSICAL_THETA = 0.25;
    private static final double DAMPING = 4.0 / 3;
    private static final int INTERPOLATION = 4;
    private static final int COARSE_ROWS = 300;
    private static final int MAXIMUM_LEVELS = 25;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of its range; names it
     */
    public CoarseningOptions {
        Objects.requireNonNull(coarsening);
        requireBetween("theta", theta, 1);
        requireBetween("damping", damping, 2);
        requireBetween("truncation", truncation, 1);
        Checks.positive("interpolation weights of a row", interpolation);
        Checks.notNegative("rows of the coarsest level", coarseRows);
        Checks.positive("number of levels", maximumLevels);
    }

    private static void requireBetween(String what, double value, double end) {
        if (!(value >= 0 && value < end)) {
            throw new IllegalArgumentException(what + " is " + value + ", expected at least 0 and less than " + end);
        }
    }

    /**
     * Returns what is taken where nothing else is asked for.
     *
     * @param coarsening how the next level is made
     * @return aggregates in order, θ of 0 (0.25 for the classical coarsening), ω of 4/3, 4 weights, up to 300 rows
     */
    public static CoarseningOptions of(Coarsening coarsening) {
        return new CoarseningOptions(coarsening, false, coarsening == Coarsening.CLASSICAL ? CLASSICAL_THETA : 0,
                DAMPING, INTERPOLATION, 0, COARSE_ROWS, MAXIMUM_LEVELS);
    }

    /**
     * Returns these options with another threshold.
     *
     * @param wanted θ
     * @return new options
     */
    public CoarseningOptions theta(double wanted) {
        return new CoarseningOptions(coarsening, parallel, wanted, damping, interpolation, truncation, coarseRows,
                maximumLevels);
    }

    /**
     * Returns these options with the other way to aggregate.
     *
     * @param wanted true for independent sets on several threads
     * @return new options
     */
    public CoarseningOptions parallel(boolean wanted) {
        return new CoarseningOptions(coarsening, wanted, theta, damping, interpolation, truncation, coarseRows,
                maximumLevels);
    }

    /**
     * Returns these options with other limits.
     *
     * @param rows   levels of at most so many rows are solved directly
     * @param levels levels at most
     * @return new options
     */
    public CoarseningOptions limits(int rows, int levels) {
        return new CoarseningOptions(coarsening, parallel, theta, damping, interpolation, truncation, rows, levels);
    }
}
