package org.trellis.mesh.checkpoint;

import java.util.List;
import org.trellis.kernel.Access;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Step;
import org.trellis.mesh.WorkStep;

/**
 * Loops that run within a step of a solver, such as those of an operator or a smoother without a matrix. They are part
 * of that step, and no steps themselves. What they read has to be saved; what they write belongs to them, and no code
 * reads it after the step, which this makes sure of: a program that starts again has not run them.
 */
final class InnerLoops {
    private final StepLog log;
    private final Decision decision;
    /** Which step of a solver is at work, counted from 1; 0 for none. */
    private long working;
    private long count;
    private int depth;
    private boolean any;

    /** Decides what becomes of a dat that is about to be touched. */
    @FunctionalInterface
    interface Decision {
        /**
         * Decides.
         *
         * @param state   the dat
         * @param drops   whether all values are overwritten
         * @param changes whether some are
         */
        void decide(DatState state, boolean drops, boolean changes);
    }

    InnerLoops(StepLog log, Decision decision) {
        this.log = log;
        this.decision = decision;
    }

    /** A step runs; what runs until it is left is within it if it is a solver's. */
    void begin(Step step) {
        if (step instanceof WorkStep) {
            working = ++count;
        }
    }

    /** Says whether loops run within a step of a solver; takes note of what they do. */
    boolean enters(Step step) {
        if (working == 0) {
            return false;
        }
        touch(log.within(step));
        depth++;
        return true;
    }

    /** The same of steps that run as one. */
    boolean enters(List<Step> steps) {
        if (working == 0) {
            return false;
        }
        steps.forEach(step -> touch(log.within(step)));
        depth++;
        return true;
    }

    private void touch(StepUse use) {
        if (!use.values().isEmpty()) {
            throw new IllegalStateException(use.description() + " within a solver's step changes " + use.values()
                    + ", expected loops that change dats only on a mesh with checkpoints");
        }
        for (int d = 0; d < use.size(); d++) {
            DatState state = use.dat(d);
            boolean drops = use.access(d) == Access.WRITE;
            if (!drops && state.within() != 0 && state.within() != working) {
                throw StepUse.leftWithin(state, use.description());
            }
            decision.decide(state, drops, use.access(d) != Access.READ);
            if (use.access(d) != Access.READ) {
                leave(state);
            }
        }
    }

    private void leave(DatState state) {
        any = true;
        state.leftWithin(working);
    }

    /** Says whether no solver is at work, and none has left anything that must not be read. */
    boolean isQuiet() {
        return working == 0 && !any;
    }

    /** Says whether what ends ran within a step of a solver; otherwise that step ends. */
    boolean leaves() {
        if (depth > 0) {
            depth--;
            return true;
        }
        working = 0;
        return false;
    }

    /** All values of a dat are about to be overwritten within a step of a solver. */
    void overwrites(Dat dat) {
        if (working == 0) {
            throw DryRun.refused("overwriting " + dat + " by its vector, outside of a solver's steps,");
        }
        DatState state = log.state(dat);
        decision.decide(state, true, true);
        leave(state);
    }

    /** Makes sure that a step of the program reads nothing that was left within one. */
    void requireOwn(StepUse use) {
        if (any) {
            use.requireOwn();
        }
    }

    /** Makes sure that the program reads nothing that was left within a step. */
    DatState own(DatState state) {
        if (state.within() != 0) {
            throw StepUse.leftWithin(state, "the program");
        }
        return state;
    }

    @Override
    public String toString() {
        return count + " steps of solvers";
    }
}
