package org.trellis.solve.multigrid;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.sparse.SparseMatrix;

/**
 * What a cycle does.
 *
 * @param shape     in which order levels are visited
 * @param before    sweeps on a level on the way down
 * @param after     sweeps on a level on the way up
 * @param mirror    whether sweeps on the way up go in the opposite direction, which makes a cycle symmetric; without,
 *                  red-black sweeps smooth better
 * @param twiceFrom the first level that shapes other than V visit more than once, 1 for all below the finest;
 *                  {@link #CHOSEN} in a V-cycle that {@link #on} may make another one
 */
public record CycleOptions(CycleShape shape, int before, int after, boolean mirror, int twiceFrom) {
    /** In the place of a level: {@link #on} decides. */
    public static final int CHOSEN = 0;
    /** A V-cycle with a sweep on each level on the way down and one on the way up. */
    public static final CycleOptions V11 = new CycleOptions(CycleShape.V, 1, 1, true);

    /** Rows from which on iterations that are saved outweigh the launches of further visits. */
    private static final int LEAST_ROWS = 1_000_000;
    /** The first level that is visited twice where the hierarchy decides. */
    private static final int THIRD = 2;
    /** Entries of the finest level for each of the third one, so that visiting that twice costs little. */
    private static final int LEAST_COARSENING = 8;

    /**
     * Checks that there are sweeps.
     *
     * @throws IllegalArgumentException if there are none, a number is negative, or a shape other than V is left open
     */
    public CycleOptions {
        Objects.requireNonNull(shape);
        Checks.notNegative("sweeps on the way down", before);
        Checks.notNegative("sweeps on the way up", after);
        if (before + after == 0) {
            throw new IllegalArgumentException("no sweeps on the way down and none up, expected one at least");
        }
        Checks.notNegative("first level that is visited twice", twiceFrom);
        if (twiceFrom == CHOSEN && shape != CycleShape.V) {
            throw new IllegalArgumentException("a " + shape + "-cycle whose first level that is visited twice is "
                    + "left open, expected a level from 1 on");
        }
    }

    /**
     * Takes a cycle that visits all levels below the finest as its shape says.
     *
     * @param shape  in which order levels are visited
     * @param before sweeps on a level on the way down
     * @param after  sweeps on a level on the way up
     * @param mirror whether sweeps on the way up go in the opposite direction
     */
    public CycleOptions(CycleShape shape, int before, int after, boolean mirror) {
        this(shape, before, after, mirror, 1);
    }

    /**
     * Returns the cycle for a hierarchy. One that is {@linkplain #CHOSEN left open} becomes a W-cycle from the third
     * level on where that is worth it: in large hierarchies of which all couplings count, whose iterations grow with
     * their size in V-cycles, and whose third level is small. Elsewhere it stays a V-cycle.
     *
     * @param hierarchy the hierarchy
     * @return a cycle that is not left open
     */
    public CycleOptions on(Hierarchy hierarchy) {
        if (twiceFrom != CHOSEN) {
            return this;
        }
        return pays(hierarchy)
                ? new CycleOptions(CycleShape.W, before, after, mirror, THIRD)
                : new CycleOptions(shape, before, after, mirror);
    }

    private static boolean pays(Hierarchy hierarchy) {
        boolean all = hierarchy.strength().filter(found -> found.measure() == StrengthMeasure.SYMMETRIC).isPresent();
        SparseMatrix finest = hierarchy.level(0).stored();
        return all && hierarchy.size() > THIRD + 1 && finest.rows() >= LEAST_ROWS
                && LEAST_COARSENING * hierarchy.level(THIRD).stored().nonZeros() <= finest.nonZeros();
    }

    @Override
    public String toString() {
        return shape + "(" + before + "," + after + ")" + (twiceFrom > 1 ? " from level " + twiceFrom : "");
    }
}
