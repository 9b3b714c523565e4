package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.backend.PreparedStep;
import org.trellis.mesh.device.PreparedSequence;

/**
 * Steps of a sequence that a device may be given at once, with globals set in between, and a call of the program at the
 * end if there is one.
 */
final class SequencePart {
    private final Mesh mesh;
    private final Step[] steps;
    private final List<Step> listed;
    private final double[][] values;
    /** What was asked to be joined: for each step its work, or null if it has none. */
    private final PreparedStep[] bound;
    private final boolean whole;
    /** Whether the last step is a call of the program, which may look at data. */
    private final boolean calls;
    private boolean asked;
    private Optional<PreparedSequence> joined = Optional.empty();

    private SequencePart(Mesh mesh, List<Step> steps) {
        this.mesh = mesh;
        this.steps = steps.toArray(Step[]::new);
        this.listed = List.copyOf(steps);
        this.values = new double[this.steps.length][];
        this.bound = new PreparedStep[this.steps.length];
        boolean all = true;
        for (int i = 0; i < this.steps.length; i++) {
            if (this.steps[i] instanceof SetStep set) {
                values[i] = set.values().stream().mapToDouble(Double::doubleValue).toArray();
            }
            all &= !(this.steps[i] instanceof LoopStep loop) || loop.isWhole();
        }
        this.whole = all;
        this.calls = steps.getLast() instanceof CallStep;
    }

    /** Cuts steps behind calls of the program. */
    static List<SequencePart> of(Mesh mesh, List<Step> steps) {
        List<SequencePart> parts = new ArrayList<>();
        List<Step> next = new ArrayList<>();
        for (Step step : steps) {
            next.add(step);
            if (step instanceof CallStep) {
                parts.add(new SequencePart(mesh, next));
                next.clear();
            }
        }
        if (!next.isEmpty()) {
            parts.add(new SequencePart(mesh, next));
        }
        return parts;
    }

    /** Gives a step that sets a global other values. */
    void values(int step, double... next) {
        values[step] = next;
    }

    /** Returns the number of loops and other work. */
    int size() {
        return (int) Arrays.stream(steps).filter(SequencePart::isWork).count();
    }

    private static boolean isWork(Step step) {
        return step instanceof LoopStep || step instanceof WorkStep;
    }

    boolean isJoined() {
        return joined.isPresent();
    }

    /** Runs the steps, as one if they are joined and that is requested. */
    void run(boolean whole) {
        Passage passage = mesh.running().passage();
        if (!whole || !isJoined()) {
            if (!calls && passage.passes(listed)) {
                mesh.running().passed(this::runNoted);
            } else {
                runApart(passage);
            }
        } else if (passage.enterAll(listed, true)) {
            try {
                runJoined(passage);
            } finally {
                passage.leave();
            }
        } else {
            runApart(passage);
        }
    }

    private void runJoined(Passage passage) {
        PreparedSequence sequence = joined.get();
        int number = 0;
        boolean queued = false;
        for (int i = 0; i < steps.length; i++) {
            Step step = steps[i];
            if (step instanceof CallStep) {
                sequence.run();
                queued = true;
                passage.leave();
            }
            mesh.submitting(step);
            switch (step) {
                case LoopStep loop -> {
                    sequence.pass(number++);
                    loop.loop().countRun();
                }
                case WorkStep work -> sequence.pass(number++);
                case SetStep set -> set.global().set(values[i]);
                case CallStep call -> call.call().run();
            }
        }
        if (!queued) {
            sequence.run();
        }
    }

    /** Runs steps that have been noted, and pass nothing more. */
    private void runNoted() {
        runApart(Passage.FREE);
    }

    private void runApart(Passage passage) {
        for (int i = 0; i < steps.length; i++) {
            if (!(steps[i] instanceof LoopStep)) {
                passage.note(steps[i]);
            }
            switch (steps[i]) {
                case LoopStep loop -> loop.loop().runNow(loop.part()); // what is noted would pass the gate later
                case WorkStep work -> {
                    mesh.submitting(work);
                    work.work().run();
                }
                case SetStep set -> {
                    mesh.submitting(set);
                    set.global().set(values[i]);
                }
                case CallStep call -> {
                    mesh.submitting(call);
                    call.call().run();
                }
            }
        }
    }

    void join() {
        release();
        for (int i = 0; i < steps.length; i++) {
            bound[i] = now(steps[i]);
        }
        asked = true;
        if (isCurrent() && whole && size() > 0) {
            joined = mesh.kernels().join(Arrays.stream(bound).filter(Objects::nonNull).toList());
        }
    }

    private static PreparedStep now(Step step) {
        return switch (step) {
            case LoopStep loop -> loop.loop().current();
            case WorkStep work -> work.work();
            case SetStep set -> null;
            case CallStep call -> null;
        };
    }

    /** Says whether the loops are prepared, and those that were asked to be joined. */
    @SuppressWarnings("ReferenceEquality") // a loop that was prepared anew is another
    boolean isCurrent() {
        for (int i = 0; i < steps.length; i++) {
            if (isWork(steps[i]) && (bound[i] == null || now(steps[i]) != bound[i])) {
                return false;
            }
        }
        return asked;
    }

    OptionalDouble deviceSeconds() {
        return joined.isPresent() ? joined.get().deviceSeconds() : OptionalDouble.empty();
    }

    Map<String, String> deviceFigures() {
        return joined.isPresent() ? joined.get().deviceFigures() : Map.of();
    }

    void resetTimes() {
        joined.ifPresent(PreparedSequence::resetTimes);
    }

    void release() {
        joined.ifPresent(PreparedSequence::close);
        joined = Optional.empty();
        asked = false;
        Arrays.fill(bound, null);
    }
}
