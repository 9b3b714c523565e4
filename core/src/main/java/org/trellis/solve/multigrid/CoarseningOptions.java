package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.trellis.common.Checks;

/**
 * How a hierarchy is set up.
 *
 * @param coarsening      how the next level is made
 * @param parallel        whether nodes are aggregated around an independent set of distance 2, on several threads,
 *                        rather than in their order on one
 * @param strength        which couplings count; for the classical coarsening and that by reduction θ alone, compared
 *                        with the greatest of the row
 * @param smoothing       how prolongators are smoothed
 * @param classical       what else the classical coarsening and that by reduction have
 * @param truncation      weights of classical interpolation and ideal restriction below this share of the row's
 *                        greatest are dropped; of smoothed aggregation with signed strength, entries of coarse
 *                        matrices below this share of two others that form a path beside them go to the diagonal
 * @param coarseRows      levels of at most so many rows are solved directly
 * @param maximumLevels   levels at most
 */
public record CoarseningOptions(Coarsening coarsening, boolean parallel, StrengthOptions strength, Smoothing smoothing,
        Classical classical, double truncation, int coarseRows, int maximumLevels) {
    private static final double CLASSICAL_THETA = 0.25;
    private static final double DAMPING = 4.0 / 3;
    private static final int INTERPOLATION = 4;
    private static final double ROW_SUM = 0.9;
    private static final double RESTRICTION_TRUNCATION = 0.05;
    private static final int COARSE_ROWS = 300;
    private static final int MAXIMUM_LEVELS = 25;

    /** How coarsenings that split decide which unknowns stay. */
    public enum SplittingMethod {
        /** The parallel modified independent set: few unknowns stay. Backends have it too. */
        PMIS,
        /**
         * The first pass of Ruge and Stüben over blocks of rows, and an independent set between these: unknowns stay at
         * more regular distances. On the host.
         */
        HMIS,
        /**
         * Both passes of Ruge and Stüben over all rows, on one thread: F unknowns that depend on each other have a C
         * unknown in common, so that there are no chains of F unknowns, which reduction would leave to sweeps. Most
         * unknowns stay. Reduction splits levels that have more entries than the finest by {@link #HMIS} instead. On
         * the host.
         */
        RS;

        /**
         * Returns the name in options.
         *
         * @return a lower-case word
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Finds one by its name.
         *
         * @param label a name
         * @return the method
         * @throws IllegalArgumentException if there is none of that name; lists those that there are
         */
        public static SplittingMethod of(String label) {
            return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("splitting '" + label + "', expected one of "
                            + Arrays.stream(values()).map(SplittingMethod::label).collect(Collectors.joining(", "))));
        }
    }

    /**
     * How prolongators, which reproduce a near null space, are smoothed.
     *
     * @param damping         ω of the smoothing of the prolongator in units of {@code 1 / ρ(D⁻¹A)}; plain aggregation
     *                        does without
     * @param candidateSweeps symmetric Gauss–Seidel sweeps on {@code A x = 0} over the vectors of the near null space
     *                        of each level, before the prolongator is made of them. On the host
     */
    public record Smoothing(double damping, int candidateSweeps) {
        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if one is out of its range; names it
         */
        public Smoothing {
            requireBetween("damping", damping, 2);
            Checks.notNegative("improve-candidates", candidateSweeps);
        }

        /**
         * Returns what is taken where nothing else is asked for.
         *
         * @return ω of 4/3, and vectors as they are given
         */
        public static Smoothing usual() {
            return new Smoothing(DAMPING, 0);
        }
    }

    /**
     * How an ideal restriction is approximated (T. A. Manteuffel, J. Ruge, B. S. Southworth, "Nonsymmetric algebraic
     * multigrid based on local approximate ideal restriction (lAIR)", SIAM J. Sci. Comput. 40(6), 2018).
     *
     * @param distance     1: a C unknown restricts from the F unknowns that it is coupled to; 2: also from those that
     *                     these are coupled to
     * @param theta        couplings from this share of the greatest absolute value of the row on count for that
     * @param prolongation how F unknowns are interpolated
     */
    public record Reduction(int distance, double theta, Prolongation prolongation) {
        private static final double THETA = 0.05;
        private static final int FARTHEST = 2;

        /** How F unknowns are interpolated beside an ideal restriction. */
        public enum Prolongation {
            /** Each takes the value of the C unknown that it depends on most: for convection. */
            ONE_POINT,
            /** As in the classical coarsening, extended+i: where diffusion counts. */
            EXTENDED;

            /**
             * Returns the name in options.
             *
             * @return {@code one-point} or {@code extended}
             */
            public String label() {
                return name().toLowerCase(Locale.ROOT).replace('_', '-');
            }

            /**
             * Finds one by its name.
             *
             * @param label a name
             * @return the prolongation
             * @throws IllegalArgumentException if there is none of that name; lists those that there are
             */
            public static Prolongation of(String label) {
                return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("prolongation '" + label + "', expected one of "
                                + Arrays.stream(values()).map(Prolongation::label)
                                        .collect(Collectors.joining(", "))));
            }
        }

        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if one is out of its range; names it
         */
        public Reduction {
            if (distance < 1 || distance > FARTHEST) {
                throw new IllegalArgumentException("distance of restriction is " + distance + ", expected 1 or 2");
            }
            requireBetween("restriction-theta", theta, 1);
            Objects.requireNonNull(prolongation);
        }

        /**
         * Returns what is taken where nothing else is asked for.
         *
         * @return distance 2, θ of 0.05, one point
         */
        public static Reduction usual() {
            return new Reduction(FARTHEST, THETA, Prolongation.ONE_POINT);
        }
    }

    /**
     * What the classical coarsening and that by reduction have beside the other options.
     *
     * @param splitting        which unknowns stay
     * @param aggressiveLevels on so many of the finest levels unknowns are split twice, and interpolated in several
     *                         passes: far fewer stay, and more iterations are needed. On the host
     * @param interpolation    weights that a row of extended interpolation keeps at most
     * @param rowSum           rows whose elements sum up to more than this share of their diagonal element, as positive
     *                         couplings make them do, depend on none and do not stay: sweeps solve them. Of 1 and more
     *                         for none of them
     * @param reduction        how an ideal restriction is approximated; the classical coarsening has none
     */
    public record Classical(SplittingMethod splitting, int aggressiveLevels, int interpolation, double rowSum,
            Reduction reduction) {
        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if one is out of its range; names it
         */
        public Classical {
            Objects.requireNonNull(splitting);
            Checks.notNegative("levels of aggressive coarsening", aggressiveLevels);
            Checks.positive("interpolation weights of a row", interpolation);
            if (!(rowSum > 0)) {
                throw new IllegalArgumentException("row-sum is " + rowSum + ", expected more than 0");
            }
            Objects.requireNonNull(reduction);
        }

        /**
         * Returns what is taken where nothing else is asked for.
         *
         * @return one splitting by an independent set, 4 weights, 0.9 as the share of sums, and
         *         {@link Reduction#usual()}
         */
        public static Classical usual() {
            return new Classical(SplittingMethod.PMIS, 0, INTERPOLATION, ROW_SUM, Reduction.usual());
        }

        /**
         * Says whether backends have kernels for all of it.
         *
         * @return true for an independent set and no aggressive levels
         */
        boolean onBackends() {
            return splitting == SplittingMethod.PMIS && aggressiveLevels == 0;
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of its range; names it
     */
    public CoarseningOptions {
        Objects.requireNonNull(coarsening);
        Objects.requireNonNull(strength);
        Objects.requireNonNull(smoothing);
        requireBetween("truncation", truncation, 1);
        Objects.requireNonNull(classical);
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
     * @return aggregates in order, strength found out (θ of 0.25 for coarsenings that split), ω of 4/3, up to 300
     *         rows, and for coarsenings that split {@link Classical#usual()}; by reduction with
     *         {@link SplittingMethod#RS} and a truncation of 0.05
     */
    public static CoarseningOptions of(Coarsening coarsening) {
        StrengthOptions strength = coarsening.splits()
                ? new StrengthOptions(StrengthMeasure.SIGNED, CLASSICAL_THETA)
                : StrengthOptions.of(StrengthMeasure.AUTOMATIC);
        boolean reduction = coarsening == Coarsening.AIR;
        Classical usual = Classical.usual();
        Classical classical = reduction
                ? new Classical(SplittingMethod.RS, 0, usual.interpolation(), usual.rowSum(), usual.reduction())
                : usual;
        return new CoarseningOptions(coarsening, false, strength, Smoothing.usual(), classical,
                reduction ? RESTRICTION_TRUNCATION : 0, COARSE_ROWS, MAXIMUM_LEVELS);
    }

    /**
     * Returns the damping of prolongators.
     *
     * @return ω in units of 1/ρ(D⁻¹A); 0 where they are not smoothed
     */
    public double prolongatorDamping() {
        return coarsening == Coarsening.AGGREGATION ? 0 : smoothing.damping();
    }

    /**
     * Returns these options with another threshold, of {@link StrengthMeasure#SYMMETRIC} where nodes are aggregated.
     *
     * @param wanted θ
     * @return new options
     * @throws IllegalArgumentException if θ is not from 0 to 1
     */
    public CoarseningOptions theta(double wanted) {
        return strength(new StrengthOptions(coarsening.splits()
                ? strength.measure()
                : StrengthMeasure.SYMMETRIC, wanted));
    }

    /**
     * Returns these options with another strength of couplings.
     *
     * @param wanted which couplings count
     * @return new options
     */
    public CoarseningOptions strength(StrengthOptions wanted) {
        return new CoarseningOptions(coarsening, parallel, wanted, smoothing, classical, truncation, coarseRows,
                maximumLevels);
    }

    /**
     * Returns these options with another smoothing of prolongators.
     *
     * @param wanted how they are smoothed
     * @return new options
     */
    public CoarseningOptions smoothing(Smoothing wanted) {
        return new CoarseningOptions(coarsening, parallel, strength, wanted, classical, truncation, coarseRows,
                maximumLevels);
    }

    /** Says whether backends have kernels for all of it. */
    boolean onBackends() {
        return smoothing.candidateSweeps() == 0 && coarsening != Coarsening.AIR
                && (coarsening != Coarsening.CLASSICAL || classical.onBackends());
    }

    /**
     * Returns these options with the other way to aggregate.
     *
     * @param wanted true for independent sets on several threads
     * @return new options
     */
    public CoarseningOptions parallel(boolean wanted) {
        return new CoarseningOptions(coarsening, wanted, strength, smoothing, classical, truncation, coarseRows,
                maximumLevels);
    }

    /**
     * Returns these options with another share below which something is left out.
     *
     * @param wanted the share, see the component of this name
     * @return new options
     * @throws IllegalArgumentException if it is not from 0 to below 1
     */
    public CoarseningOptions truncation(double wanted) {
        return new CoarseningOptions(coarsening, parallel, strength, smoothing, classical, wanted, coarseRows,
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
        return new CoarseningOptions(coarsening, parallel, strength, smoothing, classical, truncation, rows, levels);
    }
}
