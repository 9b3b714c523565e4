package org.trellis.solve.multigrid;

/**
 * What is known of the levels of a hierarchy that may be replaced, for smoothers that would find it out once more:
 * ρ(D⁻¹A), whether matrices are symmetric, and how many unknowns follow one another in a node.
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

    /** Says whether matrices of all levels are known to be symmetric. */
    boolean symmetric() {
        return hierarchy != null && hierarchy.knownSymmetric();
    }
}
