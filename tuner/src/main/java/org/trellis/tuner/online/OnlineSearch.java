package org.trellis.tuner.online;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.advice.Advice;
import org.trellis.tuner.model.SpmvModel;

/**
 * Decides how each product is run while a matrix is tuned; knows no backend and no clock. First come the most promising
 * sets of parameters of a ranking, then the steps of the thesis around the best of them.
 *
 * <p>First products find the caches cold, so they are compared with first products: a set whose first is slower than
 * the present one's, by more than the noise, is dropped. One that looks faster is run once more before it is believed,
 * after the present one was if it has only its first; it takes over if both its times are below those of the present
 * one by more than the noise, and if they disagree a third decides.
 */
public final class OnlineSearch {
    /** Noise that is assumed until times of the same way of running show more. */
    private static final double LEAST_NOISE = 0.01;
    /** Beyond this noise tells nothing but that others use the machine, and waiting for better times would not end. */
    private static final double MOST_NOISE = 0.1;
    /** First products take longer than later ones by at most so much. */
    private static final double COLDEST = 1.6;
    /** Above this noise the present way of running is measured again before another takes over. */
    private static final double NOISY = 0.02;
    private static final int SAMPLES_OF_DISAGREEMENT = 3;

    private final TuningSettings settings;
    private Neighbourhood neighbourhood;
    private final Deque<SpmvParameters> ranked = new ArrayDeque<>();
    private final Set<SpmvParameters> tried = new HashSet<>();
    private final List<Trial> trials = new ArrayList<>();
    private Trial incumbent;
    private Trial challenger;
    private ThesisClimb climb;
    private boolean wantsIncumbent;
    private int products;
    private int fromRanking;
    private int ruledOut;
    private boolean finished;
    private double noise = LEAST_NOISE;

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
        this.incumbent = new Trial(advice.parameters());
        trials.add(incumbent);
        tried.add(advice.parameters());
        queue(advice);
        if (settings.products() == 0 || settings.trials() == 0) {
            stop();
        }
    }

    /** The rule's set is tried too, wherever the ranking has it, since it was made for the backend as it is. */
    private void queue(Advice advice) {
        double best = advice.ranking().isEmpty() ? 1 : advice.ranking().getFirst().slowdown();
        for (SpmvModel.Ranked candidate : advice.ranking()) {
            if (candidate.slowdown() <= settings.likelySlowdown() * best) {
                ranked.add(candidate.parameters());
            } else if (!candidate.parameters().equals(advice.rule())) {
                // The steps around the best do not lead there either.
                tried.add(candidate.parameters());
                ruledOut++;
            }
        }
        if (!ranked.contains(advice.rule())) {
            ranked.add(advice.rule());
        }
    }

    /**
     * Returns how to run the next product that is measured.
     *
     * @return parameters; those of {@link #best()} once the search has ended
     */
    public SpmvParameters next() {
        if (!finished && challenger == null && incumbent.count() > 0 && !wantsIncumbent) {
            challenge();
        }
        return finished || wantsIncumbent || challenger == null ? incumbent.parameters() : challenger.parameters();
    }

    private void challenge() {
        Optional<SpmvParameters> candidate =
                tried.size() - ruledOut > settings.trials() ? Optional.empty() : nextCandidate();
        if (candidate.isEmpty()) {
            stop();
            return;
        }
        tried.add(candidate.get());
        challenger = new Trial(candidate.get());
        trials.add(challenger);
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
            climb = new ThesisClimb(neighbourhood, incumbent.parameters(), tried);
        }
        return climb.next();
    }

    /**
     * Tells how long a product took.
     *
     * @param parameters how it was run: what {@link #next()} had returned
     * @param seconds    its time
     */
    public void measured(SpmvParameters parameters, double seconds) {
        if (finished) {
            return;
        }
        products++;
        if (challenger != null && parameters.equals(challenger.parameters())) {
            challenger.add(seconds);
            judge();
        } else if (parameters.equals(incumbent.parameters())) {
            measuredIncumbent(seconds);
        }
        if (products >= settings.products()) {
            stop();
        }
    }

    private void measuredIncumbent(double seconds) {
        incumbent.add(seconds);
        noise = Math.max(noise, Math.min(MOST_NOISE, incumbent.spread()));
        if (wantsIncumbent) {
            wantsIncumbent = false;
            if (challenger.count() > 1) {
                decide();
            } else if (looksSlower()) {
                reject(challenger.first() / incumbent.first() - 1);
            }
        }
    }

    /** How much longer the first product of the present way took than later ones, whose data are in the caches. */
    private double cold() {
        return incumbent.count() < 2 ? 1 : Math.max(1, Math.min(COLDEST, incumbent.first() / incumbent.least()));
    }

    /** Compares first products, both of which find the caches cold; the present way's may have been disturbed. */
    private boolean looksSlower() {
        return challenger.first() > Math.min(incumbent.first(), incumbent.least() * cold()) * (1 + noise);
    }

    /** Looks at the challenger's last time. */
    private void judge() {
        if (challenger.count() == 1) {
            if (looksSlower()) {
                reject(challenger.first() / incumbent.first() - 1);
            } else {
                wantsIncumbent = incumbent.count() < 2;
            }
            return;
        }
        double present = incumbent.least();
        double warmed = challenger.first() / cold();
        double wanted = present * (1 - Math.max(settings.gain(), noise));
        double later = challenger.last();
        if (challenger.count() == 2 && warmed <= wanted != later <= wanted && challenger.least() <= wanted) {
            return;
        }
        if (Math.min(later, challenger.least()) > wanted) {
            reject(challenger.least() / present - 1);
        } else if (noise > NOISY && incumbent.count() < challenger.count() + SAMPLES_OF_DISAGREEMENT) {
            wantsIncumbent = true;
        } else {
            decide();
        }
    }

    /** The median of the challenger's times, the first one warmed, against the least of the present way's. */
    private void decide() {
        double present = incumbent.least();
        double[] times = challenger.samples();
        times[0] /= cold();
        Arrays.sort(times);
        double middle = times[times.length / 2];
        // Of two the larger: both have to be better.
        double typical = times.length == 2 ? times[1] : middle;
        if (typical <= present * (1 - Math.max(settings.gain(), noise))) {
            accept(1 - typical / present);
        } else {
            reject(typical / present - 1);
        }
    }

    private void accept(double gain) {
        incumbent = challenger;
        challenger = null;
        if (climb != null) {
            climb.improved(incumbent.parameters(), gain);
        }
    }

    private void reject(double loss) {
        challenger = null;
        if (climb != null) {
            climb.failed(Math.max(0, loss));
        }
    }

    /**
     * Says that the set that {@link #next()} returned cannot be prepared or is too dear.
     *
     * @param parameters the set
     */
    public void refused(SpmvParameters parameters) {
        if (challenger != null && challenger.parameters().equals(parameters)) {
            trials.remove(challenger);
            reject(0);
        }
    }

    /** Ends the search: the best so far is kept. */
    public void stop() {
        finished = true;
        challenger = null;
        wantsIncumbent = false;
        // These hold the matrix.
        neighbourhood = null;
        climb = null;
    }

    /**
     * Tells whether the search has ended.
     *
     * @return true if every product is run the same way from now on
     */
    public boolean isFinished() {
        return finished;
    }

    /**
     * Returns the best that is believed so far.
     *
     * @return parameters
     */
    public SpmvParameters best() {
        return incumbent.parameters();
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
        return trials.stream().filter(trial -> trial.count() > 0)
                .map(trial -> new Sampled(trial.parameters(), trial.samples())).toList();
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
