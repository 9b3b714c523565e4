package org.trellis.solve.multigrid;

import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * What is known of the levels of a hierarchy that may be replaced, for smoothers that would find it out once more:
 * ρ(D⁻¹A), whether matrices are symmetric, and how many unknowns follow one another in a node; and for those that
 * could not, which unknowns stay on the next level.
 */
final class KnownLevels {
    private Hierarchy hierarchy;
    private int finestNodes = 1;
    private int coarseNodes = 1;

    /** Takes what a hierarchy knows. */
    KnownLevels take(Hierarchy known) {
        hierarchy = known;
        return this;
    }

    /** Takes how many unknowns nodes have, on the finest level and on others. */
    KnownLevels nodes(int finest, int coarse) {
        finestNodes = finest;
        coarseNodes = coarse;
        return this;
    }

    /** Returns how many unknowns a node of a level has. */
    int nodeSize(int level) {
        return level == 0 ? finestNodes : coarseNodes;
    }

    /** Returns ρ(D⁻¹A) of a level, not a number where it is to be estimated. */
    double radius(int level) {
        return hierarchy == null ? Double.NaN : hierarchy.radius(level);
    }

    /**
     * Says which unknowns of a level are to be C for a smoother that treats them apart: those that stay; none on the
     * coarsest level.
     *
     * @throws IllegalArgumentException if that is not known
     */
    IntPredicate coarse(int level, String smoother) {
        if (hierarchy != null && level == hierarchy.size() - 1) {
            return row -> false;
        }
        Optional<Splitting> splitting = hierarchy == null ? Optional.empty() : hierarchy.splitting(level);
        return splitting.orElseThrow(() -> new IllegalArgumentException("smoother " + smoother + " on level " + level
                + ", whose unknowns are not split into C and F, expected coarsening=air"))::isCoarse;
    }

    /** Says whether matrices of all levels are known to be symmetric. */
    boolean symmetric() {
        return hierarchy != null && hierarchy.knownSymmetric();
    }
}
