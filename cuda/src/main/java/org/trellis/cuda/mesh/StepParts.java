package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.PreparedStep;
import org.trellis.cuda.runtime.GraphPart;
import org.trellis.mesh.Global;

/** The steps that prepared steps consist of, combinations taken apart, in their order. */
final class StepParts {
    private final List<PreparedStep> steps;
    private final List<PreparedStep> flat = new ArrayList<>();
    /** The number of the first part of each step, and of all parts. */
    private final int[] firsts;
    private List<GraphPart> parts = List.of();

    private StepParts(List<PreparedStep> steps) {
        this.steps = steps;
        this.firsts = new int[steps.size() + 1];
    }

    static StepParts of(List<PreparedStep> steps) {
        StepParts all = new StepParts(steps);
        for (int i = 0; i < steps.size(); i++) {
            addParts(steps.get(i), all.flat);
            all.firsts[i + 1] = all.flat.size();
        }
        if (all.areOfGraphs()) {
            all.parts = all.flat.stream().map(GraphPart.class::cast).toList();
        }
        return all;
    }

    private static void addParts(PreparedStep step, List<PreparedStep> flat) {
        List<PreparedStep> parts = step.parts();
        if (parts.isEmpty()) {
            flat.add(step);
        } else {
            parts.forEach(part -> addParts(part, flat));
        }
    }

    /** Says whether all of them can be part of a graph. */
    boolean areOfGraphs() {
        return flat.stream().allMatch(GraphPart.class::isInstance);
    }

    /** Returns all parts in their order; none unless all can be part of a graph. */
    List<GraphPart> all() {
        return parts;
    }

    /** Returns the number of the first part of a step. */
    int first(int step) {
        return firsts[step];
    }

    int launchCount() {
        return parts.stream().mapToInt(GraphPart::launchCount).sum();
    }

    private List<CudaLoop> loops() {
        return parts.stream().filter(CudaLoop.class::isInstance).map(CudaLoop.class::cast).toList();
    }

    /** Returns the globals that loops reduce into. */
    List<Global> reduced() {
        return loops().stream().flatMap(loop -> loop.reduced().stream()).toList();
    }

    /** Says whether loops can read where it is what other loops have reduced. */
    boolean readOnDevice() {
        List<Global> reduced = reduced();
        return loops().stream().allMatch(loop -> reduced.stream().allMatch(loop::readsOnDevice));
    }

    /** Has a combination object if it may not run any more. */
    void check(int step) {
        steps.get(step).parts();
    }
}
