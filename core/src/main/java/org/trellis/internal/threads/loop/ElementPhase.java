package org.trellis.internal.threads.loop;

import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopRange;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.plan.LoopPlan;

/** Runs the kernel on the blocks of one colour. */
final class ElementPhase extends LoopPhase {
    private RangeLoop loop;
    private final LoopArguments arguments;
    private final LoopRange[] ranges;
    private final LoopPlan plan;
    private final Reductions reductions;
    private final int firstBlock;
    private int first;
    private int limit = Integer.MAX_VALUE;
    /** Elements of the first block that have been run before the rest. */
    private int head;

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

    /** Begins a run in some code. */
    void code(RangeLoop other) {
        loop = other;
        head = 0;
    }

    /**
     * Runs the next elements of the first block before the rest, in another code.
     *
     * @param other the code
     * @param count how many elements
     * @return false if the first block has not as many left
     */
    boolean runHead(RangeLoop other, int count) {
        int block = plan.blockMap()[firstBlock];
        int from = plan.blockOffsets()[block] + head;
        if (first > 0 || from >= limit || plan.blockOffsets()[block + 1] - from < count) {
            return false;
        }
        LoopRange range = ranges[0];
        if (head == 0) {
            reductions.start(range);
        }
        select(range, block, from, from + count);
        other.run(arguments, range);
        head += count;
        return true;
    }

    private void select(LoopRange range, int block, int from, int to) {
        if (plan.order() == null) {
            range.elements(from, to);
        } else {
            range.elements(plan.order(), from, to);
        }
        if (plan.ownedOffsets() != null) {
            range.owned(plan.ownedOffsets()[block], plan.ownedOffsets()[block + 1]);
        }
    }

    @Override
    void limit(int from, int to) {
        first = from;
        limit = to;
    }

    @Override
    void run(int unit, int from, int to) {
        LoopRange range = ranges[unit];
        int[] offsets = plan.blockOffsets();
        for (int i = from; i < to; i++) {
            int block = plan.blockMap()[firstBlock + i];
            if (offsets[block] < first || offsets[block] >= limit) {
                continue;
            }
            int begun = i == 0 ? head : 0;
            if (begun == 0) {
                reductions.start(range);
            } else {
                head = 0;
            }
            select(range, block, offsets[block] + begun, offsets[block + 1]);
            loop.run(arguments, range);
            reductions.keep(block, range);
        }
    }
}
