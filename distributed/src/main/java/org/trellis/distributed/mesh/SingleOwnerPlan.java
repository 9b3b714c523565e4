package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.LoopStep;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.SetStep;
import org.trellis.mesh.Step;
import org.trellis.mesh.StepListener;
import org.trellis.mesh.WorkStep;

/**
 * How a sequence is run where one rank has everything: between calls of the program as a sequence of that rank's mesh,
 * so that its backend can give its device all at once. The other ranks note what has become of globals.
 */
final class SingleOwnerPlan implements AutoCloseable {
    private final SingleOwnerRank sole;
    private final List<Piece> pieces = new ArrayList<>();

    /**
     * Steps up to a call of the program.
     *
     * @param steps    all, the call included
     * @param joins    whether they are run as a sequence; otherwise one by one
     * @param sequence that sequence, on the rank that has everything; else null
     * @param loops    their loops
     * @param globals  those that they use, with what becomes of them
     * @param call     the call, or null
     */
    private record Piece(List<Step> steps, boolean joins, LoopSequence sequence, List<RankLoop> loops,
            List<Use> globals, CallStep call) {}

    /**
     * What steps do with a global.
     *
     * @param whole   the global of the whole mesh
     * @param own     what the rank has of it
     * @param needed  whether the first of them needs the value of before
     * @param reduces whether one of them reduces into it
     * @param set     what it is set to last, or null if it is not, or a loop reduces into it afterwards
     */
    private record Use(Global whole, RankGlobal own, boolean needed, boolean reduces, double[] set) {}

    SingleOwnerPlan(RankMesh share, SingleOwnerRank sole, LoopSequence sequence) {
        this.sole = sole;
        List<Step> next = new ArrayList<>();
        for (Step step : sequence.steps()) {
            next.add(step);
            if (step instanceof CallStep) {
                pieces.add(piece(share, sequence, next));
                next.clear();
            }
        }
        if (!next.isEmpty()) {
            pieces.add(piece(share, sequence, next));
        }
    }

    private Piece piece(RankMesh share, LoopSequence sequence, List<Step> steps) {
        List<RankLoop> loops = steps.stream().filter(LoopStep.class::isInstance)
                .map(step -> share.ranked(((LoopStep) step).loop())).toList();
        CallStep call = steps.getLast() instanceof CallStep last ? last : null;
        boolean joins = !loops.isEmpty() && loops.stream().noneMatch(RankLoop::usesScalars)
                && steps.stream().noneMatch(WorkStep.class::isInstance);
        Map<Global, Use> uses = new LinkedHashMap<>();
        if (joins) {
            steps.forEach(step -> use(share, step, uses));
        }
        return new Piece(List.copyOf(steps), joins, joins && sole.isHere() ? own(share, sequence, steps) : null,
                loops, List.copyOf(uses.values()), call);
    }

    private static void use(RankMesh share, Step step, Map<Global, Use> uses) {
        if (step instanceof SetStep set) {
            Use before = uses.get(set.global());
            uses.put(set.global(), new Use(set.global(), share.global(set.global()), before != null && before.needed(),
                    before != null && before.reduces(), values(set)));
        } else if (step instanceof LoopStep loop) {
            for (RankReduction value : share.ranked(loop.loop()).globals()) {
                Use before = uses.get(value.whole());
                boolean reduces = value.reduces();
                uses.put(value.whole(), new Use(value.whole(), share.global(value.whole()),
                        before == null || before.needed(), reduces || (before != null && before.reduces()),
                        before == null || reduces ? null : before.set()));
            }
        }
    }

    private static double[] values(SetStep set) {
        return set.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static LoopSequence own(RankMesh share, LoopSequence sequence, List<Step> steps) {
        Mesh mesh = share.mesh();
        LoopSequence.Builder own = mesh.sequence(sequence.toString());
        for (Step step : steps) {
            if (step instanceof LoopStep loop) {
                own.run(share.ranked(loop.loop()).own());
            } else if (step instanceof SetStep set) {
                own.set(share.global(set.global()).own(), values(set));
            }
        }
        return own.build().joining(sequence.joins());
    }

    /** Runs all steps. */
    void run(StepListener listener) {
        for (int p = 0; p < pieces.size(); p++) {
            Piece piece = pieces.get(p);
            if (piece.joins()) {
                runWhole(piece, listener);
            } else {
                runEach(piece, listener);
            }
            if (piece.call() != null) {
                listener.submitting(piece.call());
                piece.call().call().run();
            }
        }
    }

    private static void runEach(Piece piece, StepListener listener) {
        for (Step step : piece.steps()) {
            if (step instanceof LoopStep loop) {
                loop.loop().run(loop.part());
            } else if (step instanceof SetStep set) {
                listener.submitting(set);
                set.global().set(values(set));
            } else if (step instanceof WorkStep work) {
                listener.submitting(work);
                work.work().run();
            }
        }
    }

    private void runWhole(Piece piece, StepListener listener) {
        for (int i = 0; i < piece.steps().size(); i++) {
            if (!(piece.steps().get(i) instanceof CallStep)) {
                listener.submitting(piece.steps().get(i));
            }
        }
        for (int g = 0; g < piece.globals().size(); g++) {
            Use use = piece.globals().get(g);
            if (use.reduces()) {
                use.own().changing();
            }
            if (use.needed() && sole.isHere()) {
                use.own().load();
            }
        }
        if (sole.isHere()) {
            piece.sequence().run();
        }
        for (int l = 0; l < piece.loops().size(); l++) {
            piece.loops().get(l).counted();
        }
        for (int g = 0; g < piece.globals().size(); g++) {
            Use use = piece.globals().get(g);
            if (use.set() != null) {
                use.whole().set(use.set());
            } else if (use.reduces()) {
                use.own().changed();
            }
        }
    }

    /** Releases what the rank's mesh has of it. */
    @Override
    public void close() {
        for (Piece piece : pieces) {
            if (piece.sequence() != null) {
                piece.sequence().close();
            }
        }
    }
}
