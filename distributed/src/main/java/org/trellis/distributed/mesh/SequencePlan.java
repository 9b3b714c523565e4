package org.trellis.distributed.mesh;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.LoopStep;
import org.trellis.mesh.SetStep;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepListener;
import org.trellis.mesh.WorkStep;

/**
 * How the loops of a sequence are run with few exchanges. Going backwards, each loop is run for the ring that makes
 * what it writes right as far as the loops behind it read it; where that would take more rings than there are, a new
 * stretch of loops begins. Before a stretch everything is exchanged that its loops read and none of them writes before.
 *
 * <p>This is the idea of several rings of I. Z. Reguly, PhD thesis, 2014, section 4.5.3, with rings derived from access
 * descriptors instead of the powers of a matrix.
 */
final class SequencePlan {
    private final RankShare share;
    private final List<Stretch> stretches = new ArrayList<>();

    /** A step and, for a loop, the ring for which it is run. */
    private record Placed(Step step, RankLoop loop, int ring) {}

    /** Steps that one exchange serves. */
    private record Stretch(List<Placed> steps, StaleNeeds needs) {}

    SequencePlan(RankShare share, LoopSequence sequence) {
        this.share = share;
        List<Step> next = new ArrayList<>();
        for (Step step : sequence.steps()) {
            next.add(step);
            if (step instanceof CallStep) {
                cut(next, sequence.rings());
                next.clear();
            }
        }
        cut(next, sequence.rings());
    }

    /** Cuts steps without a call between them into stretches. */
    private void cut(List<Step> steps, int rings) {
        Deque<Deque<Placed>> found = new ArrayDeque<>();
        found.push(new ArrayDeque<>());
        Map<Dat, Integer> wanted = new HashMap<>();
        for (Step step : steps.reversed()) {
            if (!(step instanceof LoopStep loopStep)) {
                found.peek().push(new Placed(step, null, 0));
                continue;
            }
            RankLoop loop = share.ranked(loopStep.loop());
            int ring = ringFor(loop, wanted);
            if (ring > rings) {
                found.push(new ArrayDeque<>());
                wanted.clear();
                ring = loop.leastRing();
            }
            found.peek().push(new Placed(step, loop, ring));
            before(loop, ring, wanted);
        }
        for (Deque<Placed> stretch : found) {
            List<Placed> list = List.copyOf(stretch);
            stretches.add(new Stretch(list, new StaleNeeds(share.messages(), needs(list))));
        }
    }

    private static int ringFor(RankLoop loop, Map<Dat, Integer> wanted) {
        LoopDeclaration declaration = loop.whole().declaration();
        int ring = loop.leastRing();
        for (int a = 0; a < declaration.arity() && !declaration.set().isReplicated(); a++) {
            if (LoopNeeds.writes(declaration, a)) {
                int level = wanted.getOrDefault(declaration.dat(a), 0);
                ring = Math.max(ring, loop.access().ringFor(a, level));
            }
        }
        return ring;
    }

    /** Turns what is wanted behind a loop into what is wanted before it. */
    private static void before(RankLoop loop, int ring, Map<Dat, Integer> wanted) {
        LoopDeclaration declaration = loop.whole().declaration();
        for (int a = 0; a < declaration.arity(); a++) {
            if (LoopNeeds.writes(declaration, a)) {
                wanted.remove(declaration.dat(a));
            }
        }
        for (int a = 0; a < declaration.arity(); a++) {
            HaloKey key = loop.access().of(a, ring);
            if (key != null) {
                wanted.merge(declaration.dat(a), key.enough(), Math::max);
            }
        }
    }

    /** Lists what the loops of a stretch read before one of them writes it. */
    private static List<HaloNeed> needs(List<Placed> steps) {
        List<HaloNeed> needs = new ArrayList<>();
        Set<LocalDat> written = new HashSet<>();
        for (Placed placed : steps) {
            if (placed.loop() != null) {
                placed.loop().needs(placed.ring()).stream().filter(need -> !written.contains(need.dat()))
                        .forEach(needs::add);
                written.addAll(placed.loop().writes());
            }
        }
        return needs;
    }

    /** Runs all steps. */
    void run(StepListener listener) {
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

    private static void run(Step step) {
        switch (step) {
            case SetStep set -> set.global().set(set.values().stream().mapToDouble(Double::doubleValue).toArray());
            case CallStep call -> call.call().run();
            case LoopStep loop -> throw new IllegalStateException(loop + " is run as a loop");
            case WorkStep work -> throw new IllegalStateException(work + " is not run on ranks");
        }
    }
}
