package org.trellis.mesh;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.trellis.memory.DenseVector;

/**
 * What steps of a mesh pass before they run, and what the program's reading and writing passes: nothing ({@link
 * #FREE}), the gate of the mesh itself, such as its checkpoints ({@link #guarded}), or, for the mesh of a solver that
 * works on data of another one, the gate of that ({@link #guest}). A free passage lets everything pass and costs
 * nothing.
 */
sealed class Passage {
    /** No gate at all, or one that the steps which are run have passed already. */
    static final Passage FREE = new Passage();

    private Passage() {}

    /** Steps and values are seen by a gate, which ends with the mesh. */
    static Passage guarded(StepInterceptor gate) {
        return new Guarded(gate);
    }

    /** Sequences are steps of another mesh, and its gate sees them; what else happens here is the solver's own. */
    static Passage guest(Passage host) {
        return switch (host) {
            case Guarded seen -> new Guest(seen.gate);
            default -> throw new IllegalStateException(
                    "a solver's mesh that is a guest of a mesh without a gate, expected one with checkpoints");
        };
    }

    boolean isFree() {
        return true;
    }

    /** Asks whether a step is to run; {@link #leave} follows if it is. */
    boolean enter(Step step) {
        return true;
    }

    void leave() {}

    /** Asks for a step between which and the next the program does not come: whatever the answer, it is carried out. */
    final void note(Step step) {
        enter(step);
        leave();
    }

    /** Asks whether steps are to run as one; {@link #leave} follows if they are. */
    boolean enterAll(List<Step> steps, boolean separable) {
        return true;
    }

    /** Asks, as {@link #enterAll}, for steps some of which may be calls of the program, which a gate has to see. */
    boolean enterTogether(List<Step> steps, boolean calls) {
        return true;
    }

    /** Says whether steps that are run one by one have been noted by a gate all at once and pass it no more. */
    boolean passes(List<Step> steps) {
        return false;
    }

    boolean skips() {
        return false;
    }

    /** Runs a sequence, as one step or as those that it has. */
    void run(LoopSequence sequence) {
        sequence.runSteps();
    }

    void opening() {}

    void reading(Dat dat) {}

    void reading(Dat dat, int element, int component) {}

    void reading(Global global) {}

    void reading(Scalars scalars) {}

    /** The program is about to overwrite one value of a dat, or all with one, with what has the hash. */
    void writing(Dat dat, boolean whole, long hash) {}

    /** The program is about to overwrite all values of a dat. */
    void writing(Dat dat, double... values) {}

    /** The program is about to overwrite all values of a dat. */
    void writing(Dat dat, int... values) {}

    void overwriting(Dat dat) {}

    /** The values of a dat are about to move within its memory; they stay what they are. */
    void moving(Dat dat) {}

    double number(String what, DoubleSupplier value, List<Dat> data) {
        return value.getAsDouble();
    }

    /** Returns the vector of a dat that the program gets. */
    DenseVector vector(Dat dat, DenseVector view) {
        return view;
    }

    /** Refuses work with vectors outside of what a gate sees. */
    void bypass(Object what, String where) {}

    /** Refuses what the gate of this mesh would miss. */
    void requireSeen(String what) {}

    /** Refuses another structure of the mesh once its gate has seen steps. */
    void requireUnseen(String what) {}

    void admit(Mesh guest, String method) {}

    void dismiss(Mesh guest) {}

    /** Ends the gate with its mesh. */
    void close() {}

    /** Everything is seen. */
    private static sealed class Guarded extends Passage {
        private final StepInterceptor gate;

        Guarded(StepInterceptor gate) {
            this.gate = gate;
        }

        @Override
        final boolean isFree() {
            return false;
        }

        @Override
        final boolean enter(Step step) {
            return gate.enter(step);
        }

        @Override
        final void leave() {
            gate.leave();
        }

        @Override
        final boolean enterAll(List<Step> steps, boolean separable) {
            return gate.enterAll(steps, separable);
        }

        @Override
        final boolean enterTogether(List<Step> steps, boolean calls) {
            return !calls && gate.enterAll(steps, false);
        }

        @Override
        final boolean passes(List<Step> steps) {
            return gate.passes(steps);
        }

        @Override
        final boolean skips() {
            return gate.skips();
        }

        @Override
        final void opening() {
            gate.opening();
        }

        @Override
        final void reading(Dat dat) {
            gate.reading(dat);
        }

        @Override
        final void reading(Dat dat, int element, int component) {
            gate.reading(dat, element, component);
        }

        @Override
        final void reading(Global global) {
            gate.reading(global);
        }

        @Override
        final void reading(Scalars scalars) {
            gate.reading(scalars);
        }

        @Override
        final void writing(Dat dat, boolean whole, long hash) {
            gate.writing(dat, whole, hash);
        }

        @Override
        final void writing(Dat dat, double... values) {
            gate.writing(dat, true, Arrays.hashCode(values));
        }

        @Override
        final void writing(Dat dat, int... values) {
            gate.writing(dat, true, Arrays.hashCode(values));
        }

        @Override
        final void overwriting(Dat dat) {
            gate.overwriting(dat);
        }

        @Override
        final void moving(Dat dat) {
            gate.moving(dat);
        }

        @Override
        final double number(String what, DoubleSupplier value, List<Dat> data) {
            return gate.number(what, value, data);
        }

        @Override
        DenseVector vector(Dat dat, DenseVector view) {
            return new CheckpointedVector(dat, view);
        }

        @Override
        final void bypass(Object what, String where) {
            gate.bypass(what + where);
        }

        @Override
        void requireSeen(String what) {
            gate.bypass(what);
        }

        @Override
        void requireUnseen(String what) {
            gate.restructuring(what);
        }

        @Override
        final void admit(Mesh guest, String method) {
            gate.admit(guest, method);
        }

        @Override
        final void dismiss(Mesh guest) {
            gate.dismiss(guest);
        }

        @Override
        void close() {
            gate.close();
        }
    }

    /** Sequences are seen, as one step each; the gate is not this mesh's. */
    private static final class Guest extends Guarded {
        Guest(StepInterceptor gate) {
            super(gate);
        }

        @Override
        void run(LoopSequence sequence) {
            if (enter(sequence.asOne())) {
                try {
                    sequence.runPassed();
                } finally {
                    leave();
                }
            }
        }

        @Override
        DenseVector vector(Dat dat, DenseVector view) {
            return view;
        }

        @Override
        void requireSeen(String what) {}

        @Override
        void requireUnseen(String what) {}

        @Override
        void close() {}
    }
}
