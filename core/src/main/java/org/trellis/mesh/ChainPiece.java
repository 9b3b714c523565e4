package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.common.DeferredLoopException;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.TileStatistics;

/**
 * Steps of a chain between two places where something has to be known. Run step by step: from the third time on a
 * device that can is told all of them at once, as those of a sequence.
 */
class ChainPiece {
    private static final int RUNS_APART = 2;

    private final Mesh mesh;
    private final Step[] steps;
    private final int[] places;
    private final SequencePart part;
    private long runs;

    ChainPiece(Mesh mesh, List<Step> all, List<Integer> places) {
        this.mesh = mesh;
        this.places = places.stream().mapToInt(Integer::intValue).toArray();
        this.steps = places.stream().map(all::get).toArray(Step[]::new);
        this.part = SequencePart.of(mesh, List.of(steps)).getFirst();
    }

    /** Makes a piece that runs in tiles, if it may and there are loops enough. */
    static ChainPiece of(Mesh mesh, ChainOptions options, List<Step> all, List<Integer> places, boolean tiled) {
        long loops = places.stream().filter(place -> all.get(place) instanceof LoopStep).count();
        return tiled && loops > 1
                ? new TiledPiece(mesh, options, all, places)
                : new ChainPiece(mesh, all, places);
    }

    final Mesh mesh() {
        return mesh;
    }

    final int size() {
        return steps.length;
    }

    final Step step(int i) {
        return steps[i];
    }

    /** Returns what a step was noted as this time. */
    final NotedStep noted(List<NotedStep> all, int i) {
        return all.get(places[i]);
    }

    /** Runs the steps. */
    void run(List<NotedStep> noted) {
        runs++;
        boolean joins = runs > RUNS_APART && !mesh.isWatched();
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
    final void runApart(List<NotedStep> noted) {
        for (int i = 0; i < steps.length; i++) {
            if (steps[i] instanceof LoopStep loop) {
                attempt(noted, i, i + 1, () -> loop.loop().runNow(loop.part()));
            } else {
                runSet(noted, i);
            }
        }
    }

    /** Sets a global to what it is to be this time. */
    final void runSet(List<NotedStep> noted, int i) {
        NotedStep now = noted(noted, i);
        mesh.submitting(now.step());
        ((SetStep) now.step()).global().set(values(now));
    }

    private static double[] values(NotedStep now) {
        return now.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Does what some steps stand for; if it fails, says what was noted where. */
    final void attempt(List<NotedStep> noted, int from, int to, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            if (noted(noted, from).where().isEmpty()) {
                throw e; // the step did not wait: whoever called sees where
            }
            List<String> names = new ArrayList<>();
            for (int i = from; i < to; i++) {
                if (steps[i] instanceof LoopStep loop) {
                    names.add(loop.loop().declaration() + ", noted at " + noted(noted, i).where());
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

    final ChainReport report(int dead, Optional<TileStatistics> tiles, String decision) {
        List<String> names = new ArrayList<>();
        for (Step step : steps) {
            if (step instanceof LoopStep) {
                names.add(step.name());
            }
        }
        return new ChainReport(names, dead, runs, tiles, decision);
    }

    ChainReport report(int dead) {
        return report(dead, Optional.empty(), part.isJoined() ? "the device is told all at once" : "loop by loop");
    }

    /** Releases what has been prepared. */
    void release() {
        part.release();
    }
}
