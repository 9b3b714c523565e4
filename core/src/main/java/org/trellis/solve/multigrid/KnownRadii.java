package org.trellis.solve.multigrid;

import java.util.function.IntToDoubleFunction;

/** ρ(D⁻¹A) of the levels of a hierarchy that may be replaced, for smoothers that would estimate it once more. */
final class KnownRadii implements IntToDoubleFunction {
    private Hierarchy hierarchy;

    /** Takes what a hierarchy knows. */
    KnownRadii take(Hierarchy known) {
        hierarchy = known;
        return this;
    }

    @Override
    public double applyAsDouble(int level) {
        return hierarchy.radius(level);
    }
}
