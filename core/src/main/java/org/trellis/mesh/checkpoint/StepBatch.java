package org.trellis.mesh.checkpoint;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.trellis.mesh.Step;

/**
 * Steps that are always run one after the other, and what they change together: noting them at once costs less than one
 * by one.
 */
final class StepBatch {
    private final List<Step> steps;
    private final StepUse[] uses;
    private final int[] ids;
    private int counted = -1;
    private int count;
    private final DatState[] changing;
    /** Where it is kept whether the program has a value, and what that is after the steps. */
    private final boolean[][] unknown;
    private final boolean[] afterwards;

    StepBatch(List<Step> steps, Function<Step, StepUse> finder) {
        this.steps = steps;
        this.uses = steps.stream().map(finder).toArray(StepUse[]::new);
        this.ids = Arrays.stream(uses).mapToInt(StepUse::id).toArray();
        Set<DatState> dats = new LinkedHashSet<>();
        IdentityHashMap<boolean[], Boolean> values = new IdentityHashMap<>();
        for (StepUse use : uses) {
            dats.addAll(use.changing());
            for (boolean[] one : use.unknown()) {
                values.put(one, use.isPlace());
            }
        }
        this.changing = dats.toArray(DatState[]::new);
        this.unknown = values.keySet().toArray(boolean[][]::new);
        this.afterwards = new boolean[unknown.length];
        for (int v = 0; v < unknown.length; v++) {
            afterwards[v] = values.get(unknown[v]);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a sequence has one list
    boolean isOf(List<Step> others) {
        return steps == others;
    }

    /** Says whether the same is bound to the steps as when this was made. */
    boolean isCurrent() {
        for (int s = 0; s < uses.length; s++) {
            if (!uses[s].isOf(steps.get(s))) {
                return false;
            }
        }
        return true;
    }

    int size() {
        return uses.length;
    }

    StepUse use(int index) {
        return uses[index];
    }

    /** Returns the numbers of the steps; not to be changed. */
    int[] ids() {
        return ids;
    }

    /** Says how often a step is among them. */
    int count(int id) {
        if (counted != id) {
            counted = id;
            count = (int) Arrays.stream(ids).filter(own -> own == id).count();
        }
        return count;
    }

    /** Returns the number of the first step before which a checkpoint may begin; -1 if there is none. */
    int firstPlace() {
        for (StepUse use : uses) {
            if (use.isPlace()) {
                return use.id();
            }
        }
        return -1;
    }

    /** Notes what the steps change. */
    void change() {
        for (DatState state : changing) {
            state.changedByStep();
        }
        for (int v = 0; v < unknown.length; v++) {
            unknown[v][0] = afterwards[v];
        }
    }
}
