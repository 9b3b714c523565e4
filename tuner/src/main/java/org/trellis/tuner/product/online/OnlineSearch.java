package org.trellis.tuner.product.online;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.Contest;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.product.advice.Advice;

/**
 * Decides how each product is run while a matrix is tuned; knows no backend and no clock. First come the most promising
 * sets of parameters of a ranking, then the steps of the thesis around the best of them.
 *
 * <p>What a time means, {@link Contest} decides.
 */
public final class OnlineSearch {
    /** A set that a model expects to take so many times the best's time is never tried. */
    private static final double HOPELESS = 3;

    private final TuningSettings settings;
    private Neighbourhood neighbourhood;
    private final Deque<SpmvParameters> ranked = new ArrayDeque<>();
    private final Set<SpmvParameters> tried = new HashSet<>();
    private final Set<SpmvParameters> unlikely = new HashSet<>();
    private final Contest<SpmvParameters> contest;
    private ThesisClimb climb;
    private int products;
    private int fromRanking;
    private int hopeless;
    private boolean finished;

    /**
     * Begins a search.
     *
     * @param advice        what to begin with and what to try
     * @param neighbourhood the steps around a set
     * @param settings      how far to go
     */
    public OnlineSearch(Advice advice, Neighbourhood neighbourhood, TuningSettings settings) {
        this.settings = Objects.requireNonNull(settings);
        this.neighbourhood = Objects.requireNonNull(neighbourhood);
        this.contest = new Contest<>(advice.parameters(), settings.gain());
        tried.add(advice.parameters());
        queue(advice);
        if (settings.products() == 0 || settings.trials() == 0) {
            stop();
        }
    }

    /**
     * The rule's set is tried first, wherever the ranking has it: it was made for the backend as it is, and one of it
     * and the model's favourite is most often near the best.
     */
    private void queue(Advice advice) {
        ranked.add(advice.rule());
        Set<SpmvParameters> shapes = new HashSet<>(List.of(shape(advice.parameters()), shape(advice.rule())));
        double best = advice.ranking().isEmpty() ? 1 : advice.ranking().getFirst().slowdown();
        for (SpmvModel.Ranked candidate : advice.ranking()) {
            if (candidate.slowdown() <= settings.likelySlowdown() * best) {
                if (shapes.add(shape(candidate.parameters()))) {
                    ranked.add(candidate.parameters());
                }
            } else if (!candidate.parameters().equals(advice.rule())) {
                if (candidate.slowdown() <= HOPELESS * best) {
                    unlikely.add(candidate.parameters());
                } else if (tried.add(candidate.parameters())) {
                    hopeless++;
                }
            }
        }
    }

    private static SpmvParameters shape(SpmvParameters parameters) {
        return parameters.withBlockSize(0);
    }

    /**
     * Returns how to run the next product that is measured.
     *
     * @return parameters; those of {@link #best()} once the search has ended
     */
    public SpmvParameters next() {
        if (!finished && contest.isIdle()) {
            challenge();
        }
        return contest.next();
    }

    private void challenge() {
        Optional<SpmvParameters> candidate =
                tried.size() - hopeless > settings.trials() ? Optional.empty() : nextCandidate();
        if (candidate.isEmpty()) {
            stop();
            return;
        }
        tried.add(candidate.get());
        contest.challenge(candidate.get());
    }

    private Optional<SpmvParameters> nextCandidate() {
        while (climb == null && fromRanking < settings.promising() && !ranked.isEmpty()) {
            SpmvParameters candidate = ranked.poll();
            if (!tried.contains(candidate) && neighbourhood.fits(candidate)) {
                fromRanking++;
                return Optional.of(candidate);
            }
        }
        if (climb == null) {
            climb = new ThesisClimb(neighbourhood, best(), tried, unlikely, this::slowdowns);
        }
        return climb.next();
    }

    /** What each set that was measured took over the best. */
    private Map<SpmvParameters, Double> slowdowns() {
        Map<SpmvParameters, Double> least = new LinkedHashMap<>();
        contest.history().forEach(one -> least.merge(one.parameters(),
                Arrays.stream(one.seconds()).min().orElseThrow(), Math::min));
        double best = least.get(best());
        least.replaceAll((parameters, seconds) -> Math.max(1, seconds / best));
        return least;
    }

    /**
     * Takes how long a product took.
     *
     * @param parameters how it was run: what {@link #next()} had returned
     * @param seconds    its time
     */
    public void measured(SpmvParameters parameters, double seconds) {
        if (finished) {
            return;
        }
        products++;
        contest.measured(parameters, seconds).ifPresent(verdict -> {
            if (climb != null && verdict.accepted()) {
                climb.improved(best(), verdict.change());
            } else if (climb != null) {
                climb.failed(Math.max(0, verdict.change()));
            }
        });
        if (products >= settings.products()) {
            stop();
        }
    }

    /**
     * Says that the set that {@link #next()} returned cannot be prepared or is too dear.
     *
     * @param parameters the set
     */
    public void refused(SpmvParameters parameters) {
        if (!finished && !parameters.equals(best())) {
            contest.withdraw();
            if (climb != null) {
                climb.failed(0);
            }
        }
    }

    /** Ends the search: the best so far is kept. */
    public void stop() {
        finished = true;
        contest.withdraw();
        // These hold the matrix.
        neighbourhood = null;
        climb = null;
    }

    /**
     * Returns whether the search has ended.
     *
     * @return true if every product is run the same way from now on
     */
    public boolean isFinished() {
        return finished;
    }

    /**
     * Returns what is tried first, apart from the set that the search begins with.
     *
     * @return sets of the ranking in their order; empty once they have been tried
     */
    public List<SpmvParameters> promising() {
        return finished
                ? List.of()
                : ranked.stream().filter(candidate -> !tried.contains(candidate) && neighbourhood.fits(candidate))
                        .limit(settings.promising()).toList();
    }

    /**
     * Returns whether a set has been tried and more times are needed to choose it or send it away.
     *
     * @return false once it is decided about, and before the next one
     */
    public boolean isDeciding() {
        return !finished && !contest.isIdle();
    }

    /**
     * Returns the best that is believed so far.
     *
     * @return parameters
     */
    public SpmvParameters best() {
        return contest.best();
    }

    /**
     * Returns the products that were measured.
     *
     * @return at least 0
     */
    public int products() {
        return products;
    }

    /**
     * Returns what was tried, in order.
     *
     * @return the sets and their times in seconds
     */
    public List<Sampled> history() {
        return contest.history().stream().map(tried -> new Sampled(tried.parameters(), tried.seconds())).toList();
    }

    /**
     * A set of parameters that was tried.
     *
     * @param parameters the set
     * @param seconds    its times in the order in which they were measured
     */
    public record Sampled(SpmvParameters parameters, double[] seconds) {
        /** Copies the array. */
        public Sampled {
            Objects.requireNonNull(parameters);
            seconds = seconds.clone();
        }

        /**
         * Returns the times.
         *
         * @return a copy, in seconds
         */
        @Override
        public double[] seconds() {
            return seconds.clone();
        }
    }
}
