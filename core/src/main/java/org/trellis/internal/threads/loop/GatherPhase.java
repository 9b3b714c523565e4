package org.trellis.internal.threads.loop;

import org.trellis.mesh.plan.InverseMap;

/** Adds stored contributions of one argument, target by target. */
final class GatherPhase extends LoopPhase {
    private final Contribution contribution;
    private final InverseMap[] inverse;

    GatherPhase(Contribution contribution, InverseMap[] inverse, int targets, int maxUnits) {
        super(targets, maxUnits);
        this.contribution = contribution;
        this.inverse = inverse;
    }

    @Override
    void run(int unit, int from, int to) {
        contribution.gather(inverse, from, to);
    }
}
