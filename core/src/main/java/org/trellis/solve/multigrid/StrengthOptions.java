package org.trellis.solve.multigrid;

import java.util.Objects;

/**
 * Which couplings count.
 *
 * @param measure what they are compared with; coarsenings that split have their own and ignore it
 * @param theta   the share below which one does not count; with {@link StrengthMeasure#AUTOMATIC} that of
 *                {@link StrengthMeasure#SIGNED}
 */
public record StrengthOptions(StrengthMeasure measure, double theta) {
    /**
     * The share for signed couplings: above the quarter that diagonal neighbours have of the strong ones on bilinear
     * elements which are stretched without bound.
     */
    public static final double SIGNED_THETA = 0.3;
    /**
     * A row whose couplings of the sign that counts amount to less than this share of its diagonal has no strong ones
     * in signed strength: sweeps solve it, and in an aggregate with others it would hold them fast. Where a coefficient
     * jumps, a part with the large one that touches a boundary with given values shrinks to such rows.
     */
    public static final double SETTLED = 0.1;

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if θ is not from 0 to 1
     */
    public StrengthOptions {
        Objects.requireNonNull(measure);
        if (!(theta >= 0 && theta < 1)) {
            throw new IllegalArgumentException("theta is " + theta + ", expected at least 0 and less than 1");
        }
    }

    /**
     * Returns what is taken where nothing else is asked for.
     *
     * @param measure what couplings are compared with
     * @return θ of 0.3 for signed couplings, and 0, so that all count, for symmetric ones
     */
    public static StrengthOptions of(StrengthMeasure measure) {
        return new StrengthOptions(measure, measure == StrengthMeasure.SYMMETRIC ? 0 : SIGNED_THETA);
    }

    /**
     * Returns what counts between nodes of several unknowns, as coarse nodes have if there are several vectors of the
     * near null space: the couplings of nodes are norms, which have no sign.
     *
     * @return these for symmetric strength; all couplings for signed strength
     */
    public StrengthOptions ofNodes() {
        return measure == StrengthMeasure.SIGNED ? of(StrengthMeasure.SYMMETRIC) : this;
    }

    /**
     * Says whether couplings have a direction: a row may depend on another that does not depend on it.
     *
     * @param blockSize unknowns of a node
     * @return true for signed strength of single unknowns
     */
    public boolean directed(int blockSize) {
        return measure == StrengthMeasure.SIGNED && blockSize == 1;
    }

    /** Returns the measure and θ. */
    @Override
    public String toString() {
        return measure.label() + ", theta=" + theta;
    }
}
