package org.trellis.solve.multigrid;

/**
 * What is known of the levels of a hierarchy that may be replaced, for smoothers that would find it out once more:
 * ρ(D⁻¹A), and whether matrices are symmetric.
 */
final class KnownLevels {
    private Hierarchy hierarchy;

    /** Takes what a hierarchy knows. */
    KnownLevels take(Hierarchy known) {
        hierarchy = known;
        return this;
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
