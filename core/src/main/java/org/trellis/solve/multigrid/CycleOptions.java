package org.trellis.solve.multigrid;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * What a cycle does.
 *
 * @param shape  in which order levels are visited
 * @param before sweeps on a level on the way down
 * @param after  sweeps on a level on the way up
 * @param mirror whether sweeps on the way up go in the opposite direction, which makes a cycle symmetric; without,
 *               red-black sweeps smooth better
 */
public record CycleOptions(CycleShape shape, int before, int after, boolean mirror) {
    /** A V-cycle with a sweep on each level on the way down and one on the way up. */
    public static final CycleOptions V11 = new CycleOptions(CycleShape.V, 1, 1, true);

    /**
     * Checks that there are sweeps.
     *
     * @throws IllegalArgumentException if there are none, or a number is negative
     */
    public CycleOptions {
        Objects.requireNonNull(shape);
        Checks.notNegative("sweeps on the way down", before);
        Checks.notNegative("sweeps on the way up", after);
        if (before + after == 0) {
            throw new IllegalArgumentException("no sweeps on the way down and none up, expected one at least");
        }
    }

    @Override
    public String toString() {
        return shape + "(" + before + "," + after + ")";
    }
}
