package org.trellis.internal.threads.loop;

import org.trellis.mesh.plan.LoopPlan;

/** Adds stored contributions, by the blocks of one colour. */
final class ApplyPhase extends LoopPhase {
    private final Contribution[] contributions;
    private final LoopPlan plan;
    private final int firstBlock;

    ApplyPhase(Contribution[] contributions, LoopPlan plan, int colour, int maxUnits) {
        super(plan.colourOffsets()[colour + 1] - plan.colourOffsets()[colour], maxUnits);
        this.contributions = contributions;
        this.plan = plan;
        this.firstBlock = plan.colourOffsets()[colour];
    }

    @Override
    void run(int unit, int from, int to) {
        for (int i = from; i < to; i++) {
            int block = plan.blockMap()[firstBlock + i];
            for (Contribution contribution : contributions) {
                contribution.apply(plan.order(), plan.blockOffsets()[block], plan.blockOffsets()[block + 1]);
            }
        }
    }
}
