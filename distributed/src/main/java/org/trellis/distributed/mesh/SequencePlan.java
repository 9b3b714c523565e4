package org.trellis.distributed.mesh;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.LoopStep;
import org.trellis.mesh.SetStep;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepListener;
import org.trellis.mesh.WorkStep;

/**
 * How the loops of a sequence are run with few exchanges: each for the ring that {@link RingSearch} finds, with a new
 * stretch of loops where that would take more rings than there are. Before a stretch everything is exchanged that its
 * loops read and none of them writes before.
 */
final class SequencePlan {
    private final RankMesh share;
    private final List<Stretch> stretches = new ArrayList<>();

    /** A step and, for a loop, the ring for which it is run. */
    private record Placed(Step step, RankLoop loop, int ring) {}

    /** Steps that one exchange serves. */
    private record Stretch(List<Placed> steps, StaleNeeds needs) {}

    SequencePlan(RankMesh share, LoopSequence sequence, int rings) {
        this.share = share;
        List<Step> next = new ArrayList<>();
        for (Step step : sequence.steps()) {
            next.add(step);
            if (step instanceof CallStep || step instanceof WorkStep) {
                cut(next, rings);
                next.clear();
            }
        }
        cut(next, rings);
    }

    /** Cuts steps without a call or other work between them into stretches. */
    private void cut(List<Step> steps, int rings) {
        Deque<Deque<Placed>> found = new ArrayDeque<>();
        found.push(new ArrayDeque<>());
        RingSearch search = new RingSearch(rings);
        for (Step step : steps.reversed()) {
            if (!(step instanceof LoopStep loopStep)) {
                found.peek().push(new Placed(step, null, 0));
                continue;
            }
            RankLoop loop = share.ranked(loopStep.loop());
            int ring = search.before(loop.whole().declaration(), loop.access());
            if (search.isAnew()) {
                found.push(new ArrayDeque<>());
            }
            found.peek().push(new Placed(step, loop, ring));
        }
        for (Deque<Placed> stretch : found) {
            List<Placed> list = List.copyOf(stretch);
            stretches.add(new Stretch(list, new StaleNeeds(share.messages(), needs(list))));
        }
    }

    private static List<HaloNeed> needs(List<Placed> steps) {
        List<Placed> loops = steps.stream().filter(placed -> placed.loop() != null).toList();
        return HaloNeed.of(loops.stream().map(Placed::loop).toList(), loops.stream().map(Placed::ring).toList());
    }

    /** Returns how many exchanges there may be. */
    int stretches() {
        return stretches.size();
    }

    /** Runs all steps. */
    void run(StepListener listener) {
        share.left();
        for (int s = 0; s < stretches.size(); s++) {
            Stretch stretch = stretches.get(s);
            HaloMessage message = stretch.needs().message();
            for (int i = 0; i < stretch.steps().size(); i++) {
                Placed placed = stretch.steps().get(i);
                listener.submitting(placed.step());
                if (placed.loop() == null) {
                    run(placed.step());
                } else if (message != null) {
                    placed.loop().run(placed.ring(), message);
                    message = null;
                } else {
                    placed.loop().run(placed.ring());
                }
            }
        }
    }

    private void run(Step step) {
        switch (step) {
            case SetStep set -> set.global().set(set.values().stream().mapToDouble(Double::doubleValue).toArray());
            case CallStep call -> {
                call.call().run();
                share.left();
            }
            case LoopStep loop -> throw new IllegalStateException(loop + " is run as a loop");
            case WorkStep work -> {
                work.work().run();
                share.left();
            }
        }
    }
}
