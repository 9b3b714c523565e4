package org.trellis.tuner.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.tuner.contest.Contest;
import org.trellis.tuner.contest.TuningSettings;

/**
 * Decides how each run of a loop is done while it is tuned; knows no backend and no clock. First come hints, then one
 * set of parameters of each shape, then steps around the best, and around the best of each shape that is not much
 * slower. What a time means, {@link Contest} decides.
 */
public final class OnlineLoopSearch {
    private final TuningSettings settings;
    private final Contest<LoopParameters> contest;
    private final Deque<LoopParameters> queue = new ArrayDeque<>();
    private final Set<LoopParameters> seen = new HashSet<>();
    private final Set<LoopParameters> ruledOut;
    private LoopSpace space;
    private boolean shapesQueued;
    private int challengers;
    private int runs;
    private boolean finished;

    /**
     * Begins a search.
     *
     * @param advice   what to begin with and what is known
     * @param space    where to look
     * @param settings how far to go
     */
    public OnlineLoopSearch(LoopAdvice advice, LoopSpace space, TuningSettings settings) {
        this.settings = settings;
        this.space = space;
        this.contest = new Contest<>(advice.parameters(), settings.gain());
        this.ruledOut = advice.ruledOut();
        seen.add(advice.parameters());
        seen.addAll(advice.ruledOut());
        advice.promising().stream().limit(settings.promising()).forEach(queue::add);
        if (settings.products() == 0 || settings.trials() == 0) {
            stop();
        }
    }

    /**
     * Returns how to do the next run that is measured.
     *
     * @return parameters; those of {@link #best()} once the search has ended
     */
    public LoopParameters next() {
        if (!finished && contest.isIdle()) {
            Optional<LoopParameters> candidate = challengers < settings.trials() ? candidate() : Optional.empty();
            if (candidate.isEmpty()) {
                stop();
            } else {
                challengers++;
                contest.challenge(candidate.get());
            }
        }
        return contest.next();
    }

    private Optional<LoopParameters> candidate() {
        Optional<LoopParameters> queued = queued();
        if (queued.isEmpty() && !shapesQueued) {
            shapesQueued = true;
            // Of a shape that was slow before, no other block size is tried either.
            space.shapes(best().blockSize()).stream()
                    .filter(one -> ruledOut.stream().noneMatch(slow -> LoopSpace.sameShape(one, slow)))
                    .forEach(queue::add);
            queued = queued();
        }
        return queued.isPresent() ? queued : step();
    }

    private Optional<LoopParameters> queued() {
        while (!queue.isEmpty()) {
            LoopParameters candidate = queue.poll();
            if (seen.add(candidate) && space.fits(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** A step around the best; else around the best of another shape, unless that is far behind. */
    private Optional<LoopParameters> step() {
        List<Contest.Tried<LoopParameters>> sorted = new ArrayList<>(contest.history());
        sorted.sort(Comparator.comparing((Contest.Tried<LoopParameters> tried) -> !tried.parameters().equals(best()))
                .thenComparingDouble(OnlineLoopSearch::least));
        double most = least(sorted.getFirst()) * settings.likelySlowdown();
        List<LoopParameters> shapes = new ArrayList<>();
        for (Contest.Tried<LoopParameters> tried : sorted) {
            LoopParameters from = tried.parameters();
            if (least(tried) > most || shapes.stream().anyMatch(other -> LoopSpace.sameShape(other, from))) {
                continue;
            }
            for (LoopParameters step : space.around(from, shapes.isEmpty())) {
                if (seen.add(step)) {
                    return Optional.of(step);
                }
            }
            shapes.add(from);
        }
        return Optional.empty();
    }

    private static double least(Contest.Tried<LoopParameters> tried) {
        double least = Double.POSITIVE_INFINITY;
        for (double seconds : tried.seconds()) {
            least = Math.min(least, seconds);
        }
        return least;
    }

    /**
     * Takes how long a run took.
     *
     * @param parameters how it was done: what {@link #next()} had returned
     * @param seconds    its time
     */
    public void measured(LoopParameters parameters, double seconds) {
        if (finished) {
            return;
        }
        runs++;
        contest.measured(parameters, seconds);
        if (runs >= settings.products()) {
            stop();
        }
    }

    /**
     * Says that the set that {@link #next()} returned cannot be prepared or is too dear.
     *
     * @param parameters the set
     */
    public void refused(LoopParameters parameters) {
        if (!finished && !parameters.equals(best()) && parameters.equals(contest.next())) {
            contest.withdraw();
        }
    }

    /** Ends the search: the best so far is kept. */
    public void stop() {
        finished = true;
        contest.withdraw();
        queue.clear();
        // It holds the mesh.
        space = null;
    }

    /**
     * Returns whether the search has ended.
     *
     * @return true if every run is done the same way from now on
     */
    public boolean isFinished() {
        return finished;
    }

    /**
     * Returns the best that is believed so far.
     *
     * @return parameters
     */
    public LoopParameters best() {
        return contest.best();
    }

    /**
     * Returns the runs that were measured.
     *
     * @return at least 0
     */
    public int runs() {
        return runs;
    }

    /**
     * Returns what was tried, in order.
     *
     * @return the sets and their times in seconds
     */
    public List<Contest.Tried<LoopParameters>> history() {
        return contest.history();
    }
}
