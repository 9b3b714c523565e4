package org.trellis.internal.threads;

import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopRange;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.plan.LoopPlan;

/** Runs the kernel on the blocks of one colour. */
final class ElementPhase extends LoopPhase {
    private final RangeLoop loop;
    private final LoopArguments arguments;
    private final LoopRange[] ranges;
    private final LoopPlan plan;
    private final Reductions reductions;
    private final int firstBlock;
    private int limit = Integer.MAX_VALUE;

    /**
     * Creates a phase.
     *
     * @param loop       the loop
     * @param arguments  its data
     * @param ranges     one for each unit
     * @param plan       the plan
     * @param reductions keeps what each block reduces
     * @param colour     a colour of the plan
     */
    ElementPhase(RangeLoop loop, LoopArguments arguments, LoopRange[] ranges, LoopPlan plan, Reductions reductions,
            int colour) {
        super(plan.colourOffsets()[colour + 1] - plan.colourOffsets()[colour], ranges.length);
        this.loop = loop;
        this.arguments = arguments;
        this.ranges = ranges;
        this.plan = plan;
        this.reductions = reductions;
        this.firstBlock = plan.colourOffsets()[colour];
    }

    @Override
    void limit(int end) {
        limit = end;
    }

    @Override
    void run(int unit, int from, int to) {
        LoopRange range = ranges[unit];
        int[] offsets = plan.blockOffsets();
        for (int i = from; i < to; i++) {
            int block = plan.blockMap()[firstBlock + i];
            if (offsets[block] >= limit) {
                continue;
            }
            if (plan.order() == null) {
                range.elements(offsets[block], offsets[block + 1]);
            } else {
                range.elements(plan.order(), offsets[block], offsets[block + 1]);
            }
            if (plan.ownedOffsets() != null) {
                range.owned(plan.ownedOffsets()[block], plan.ownedOffsets()[block + 1]);
            }
            reductions.start(range);
            loop.run(arguments, range);
            reductions.keep(block, range);
        }
    }
}
