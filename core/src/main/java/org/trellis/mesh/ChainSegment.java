package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.common.DeferredLoopException;
import org.trellis.mesh.loop.ChainReport;

/**
 * Steps of a chain between two places where something has to be known. Run step by step: from the third time on a
 * device that can is given all of them at once, as those of a sequence.
 */
class ChainSegment {
    private static final int RUNS_APART = 2;

    private final Mesh mesh;
    private final Step[] steps;
    /** For each step the places of what it stands for in the chain. */
    private final int[][] places;
    private final SequencePart part;
    private long runs;
    private long runsInOrder;

    ChainSegment(Mesh mesh, List<Step> steps, List<int[]> places) {
        this.mesh = mesh;
        this.places = places.toArray(int[][]::new);
        this.steps = steps.toArray(Step[]::new);
        this.part = SequencePart.of(mesh, steps).getFirst();
    }

    /** Makes a piece of some steps of a chain, each by itself. */
    static ChainSegment of(Mesh mesh, List<Step> all, List<Integer> places) {
        return new ChainSegment(mesh, places.stream().map(all::get).toList(),
                places.stream().map(place -> new int[]{place}).toList());
    }

    final Mesh mesh() {
        return mesh;
    }

    final int size() {
        return steps.length;
    }

    final List<Step> steps() {
        return Arrays.asList(steps);
    }

    final Step step(int i) {
        return steps[i];
    }

    /** Returns what a step was noted as this time; the first of what it stands for. */
    final QueuedStep noted(List<QueuedStep> all, int i) {
        return all.get(places[i][0]);
    }

    /** Runs the steps. */
    void run(List<QueuedStep> noted) {
        runs++;
        runInOrder(noted);
    }

    /** Runs the steps in their order, from the third time on joined where a device can. */
    final void runInOrder(List<QueuedStep> noted) {
        runsInOrder++;
        boolean joins = runsInOrder > RUNS_APART && !mesh.isWatched();
        if (joins && !part.isCurrent()) {
            part.join();
        }
        if (joins && part.isJoined() && part.isCurrent()) {
            for (int i = 0; i < steps.length; i++) {
                part.values(i, values(noted(noted, i)));
            }
            attempt(noted, 0, steps.length, () -> part.run(true));
        } else {
            runApart(noted);
        }
    }

    /** Runs one step after the other. */
    final void runApart(List<QueuedStep> noted) {
        for (int i = 0; i < steps.length; i++) {
            if (steps[i] instanceof LoopStep loop) {
                attempt(noted, i, i + 1, () -> loop.loop().runNow(loop.part()));
            } else {
                runSet(noted, i);
            }
        }
    }

    /** Sets a global to what it is to be this time. */
    final void runSet(List<QueuedStep> noted, int i) {
        QueuedStep now = noted(noted, i);
        mesh.running().passage().note(steps[i]); // the same step each time, whatever the value
        mesh.submitting(now.step());
        ((SetStep) now.step()).global().set(values(now));
    }

    private static double[] values(QueuedStep now) {
        return now.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Does what some steps stand for; if it fails, says what was noted where. */
    final void attempt(List<QueuedStep> noted, int from, int to, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            if (noted(noted, from).where().isEmpty()) {
                throw e; // the step did not wait: the caller sees where
            }
            List<String> names = new ArrayList<>();
            for (int i = from; i < to; i++) {
                for (int place : places[i]) {
                    if (noted.get(place).step() instanceof LoopStep loop) {
                        names.add(loop.loop().declaration() + ", noted at " + noted.get(place).where());
                    }
                }
            }
            throw new DeferredLoopException("failed when a value was needed: " + String.join("; ", names)
                    + "; the steps noted after it are dropped: " + e.getMessage(), e);
        }
    }

    final long runs() {
        return runs;
    }

    final void countRun() {
        runs++;
    }

    /** Returns the names of loops in their order; of a loop that stands for several, its own. */
    final List<String> names() {
        return Arrays.stream(steps).filter(LoopStep.class::isInstance).map(Step::name).toList();
    }

    /** Says whether a device is given all steps at once. */
    final boolean isJoined() {
        return part.isJoined();
    }

    /** Returns how long a run takes on a device that is given all at once. */
    final OptionalDouble deviceSeconds() {
        return part.deviceSeconds();
    }

    final String how() {
        return isJoined() ? "the device gets all at once" : "loop by loop";
    }

    ChainReport report(int dead) {
        return new ChainReport(names(), dead, runs, Optional.empty(), Optional.empty(), List.of(), how());
    }

    /** Releases what has been prepared. */
    void release() {
        part.release();
    }
}
