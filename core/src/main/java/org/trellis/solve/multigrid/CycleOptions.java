package org.trellis.solve.multigrid;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * What a cycle does.
 *
 * @param shape  in which order levels are visited
 * @param before sweeps on a level on the way down
 * @param after  sweeps on a level on the way up
 */
public record CycleOptions(CycleShape shape, int before, int after) {
    /** A V-cycle with a sweep on each level on the way down and one on the way up. */
    public static final CycleOptions V11 = new CycleOptions(CycleShape.V, 1, 1);

    /** Checks that there are sweeps. */
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
