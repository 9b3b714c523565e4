package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trellis.kernel.Access;

/**
 * Steps of a chain of which loops that can run as one do. A loop joins an earlier one also over steps in between that
 * have nothing to do with it, or the earlier one waits for it, and a global is set as early as it can be.
 */
final class FusedSteps {
    /** How far back a loop looks for others to join. */
    private static final int WINDOW = 12;

    private final Mesh mesh;
    private final List<Slot> slots = new ArrayList<>();
    private final List<ParallelLoop> made = new ArrayList<>();

    /** Steps that run as one. */
    private static final class Slot {
        private final List<Step> steps = new ArrayList<>();
        private final List<Integer> places = new ArrayList<>();
        private FusedGroup group;

        void add(Step step, int place) {
            steps.add(step);
            places.add(place);
        }

        boolean commutes(Step other) {
            return steps.stream().allMatch(step -> FusedSteps.commute(step, other));
        }
    }

    FusedSteps(Mesh mesh, List<Step> all, List<Integer> places) {
        this.mesh = mesh;
        for (int place : places) {
            if (all.get(place) instanceof LoopStep loop) {
                add(loop, place);
            } else {
                addEarly(all.get(place), place);
            }
        }
        for (Slot slot : slots) {
            if (slot.steps.size() > 1) {
                ParallelLoop loop = slot.group.make();
                made.add(loop);
                slot.steps.clear();
                slot.steps.add(loop.step());
            }
        }
    }

    private void addEarly(Step step, int place) {
        int at = slots.size();
        while (at > 0 && slots.get(at - 1).commutes(step)) {
            at--;
        }
        Slot slot = new Slot();
        slot.add(step, place);
        slots.add(at, slot);
    }

    private void add(LoopStep step, int place) {
        boolean suits = FusedGroup.suits(mesh, step);
        boolean free = suits;
        int last = Math.max(0, slots.size() - WINDOW);
        for (int at = slots.size() - 1; at >= last && free; at--) {
            Slot slot = slots.get(at);
            if (slot.group != null && slot.group.join(step.loop())) {
                slot.add(step, place);
                return;
            }
            free = slot.commutes(step);
        }
        if (suits && joinLate(step, place)) {
            return;
        }
        Slot slot = new Slot();
        slot.add(step, place);
        slot.group = suits ? new FusedGroup(mesh, step.loop()) : null;
        slots.add(slot);
    }

    /** Has an earlier loop wait for one that it can run with, if the steps in between do not mind. */
    private boolean joinLate(LoopStep step, int place) {
        int last = Math.max(0, slots.size() - WINDOW);
        for (int at = slots.size() - 1; at >= last; at--) {
            Slot slot = slots.get(at);
            boolean free = slots.subList(at + 1, slots.size()).stream()
                    .allMatch(later -> slot.steps.stream().allMatch(later::commutes));
            if (slot.group != null && free && slot.group.join(step.loop())) {
                slots.remove(at);
                slot.add(step, place);
                slots.add(slot);
                return true;
            }
        }
        return false;
    }

    /** Says whether two steps give the same in both orders: what one changes the other does not touch. */
    private static boolean commute(Step one, Step other) {
        if (one instanceof LoopStep first) {
            LoopDeclaration loop = first.loop().declaration();
            for (int a = 0; a < loop.arity(); a++) {
                if (touches(other, loop.argument(a), loop.access(a))) {
                    return false;
                }
            }
            return true;
        }
        return !touches(other, ((SetStep) one).global(), Access.WRITE);
    }

    /** Says whether a step changes some data, or reads them although they are changed elsewhere. */
    private static boolean touches(Step step, LoopArgument argument, Access access) {
        if (step instanceof SetStep set) {
            return set.global().equals(argument);
        }
        LoopDeclaration loop = ((LoopStep) step).loop().declaration();
        for (int a = 0; a < loop.arity(); a++) {
            if (LoopChecks.share(loop.argument(a), argument)
                    && (access != Access.READ || loop.access(a) != Access.READ)) {
                return true;
            }
        }
        return false;
    }

    /** Says whether no loop has joined another. */
    boolean isEmpty() {
        return made.isEmpty();
    }

    /** Returns the loops that stand for several. */
    List<ParallelLoop> made() {
        return made;
    }

    /** Makes what runs the steps. */
    ChainSegment piece() {
        Stream<Step> steps = slots.stream().map(slot -> slot.steps.getFirst());
        return new ChainSegment(mesh, steps.toList(),
                slots.stream().map(slot -> slot.places.stream().mapToInt(Integer::intValue).toArray()).toList());
    }
}
