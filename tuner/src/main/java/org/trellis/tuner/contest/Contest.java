package org.trellis.tuner.contest;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Compares variants by their times, one challenger after the other with the best so far. Knows neither what is
 * run nor a clock.
 *
 * <p>What disturbs a time makes it longer, so of several times of one way the least counts. The first one finds the
 * caches cold and the code not loaded, which on a GPU costs anything from nothing to five times the product; by itself
 * it sends away only what is far slower. After the second, the least of the challenger's times is compared with the
 * least of as many of the latest of the present way. A difference above the noise decides; a smaller one asks for
 * another time of both, and the noise that is allowed for falls with their number. Before the present way gives way it
 * is measured once more, in case the device has become faster meanwhile.
 *
 * @param <P> parameters that say how something is run, with {@code equals}
 */
public final class Contest<P> {
    /** Noise that is assumed until times of the same way of running show more. */
    private static final double LEAST_NOISE = 0.02;
    /** Beyond this, noise shows nothing but that others use the machine, and waiting for better times would not end. */
    private static final double MOST_NOISE = 0.1;
    /** First times differ by up to so much for reasons that have nothing to do with the second. */
    private static final double FAR_SLOWER = 3;
    /** Times of a challenger after which it is decided whatever the noise. */
    private static final int MOST_TIMES = 4;

    private final double gain;
    private final List<Trial<P>> trials = new ArrayList<>();
    private Trial<P> incumbent;
    private Trial<P> challenger;
    private boolean wantsIncumbent;
    private boolean confirmed;

    /**
     * What became of a challenger.
     *
     * @param accepted whether it is the best now
     * @param change   the share of the time that it saves, or, if it was not accepted, by which its time is longer
     *                 (negative if it is shorter, by less than is believed)
     */
    public record Verdict(boolean accepted, double change) {}

    /**
     * A way that was tried.
     *
     * @param <P>        the parameters
     * @param parameters how it was run
     * @param seconds    its times in the order in which they were measured
     */
    public record Tried<P>(P parameters, double[] seconds) {
        /** Copies the array. */
        public Tried {
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

    /**
     * Begins without a challenger.
     *
     * @param first the present way of running
     * @param gain  the least relative gain for which it gives way, at least 0
     */
    public Contest(P first, double gain) {
        this.gain = gain;
        this.incumbent = new Trial<>(first);
        trials.add(incumbent);
    }

    /**
     * Returns the best that is believed so far.
     *
     * @return how it is run
     */
    public P best() {
        return incumbent.parameters();
    }

    /**
     * Returns whose time is requested next.
     *
     * @return the challenger's or the present way's parameters
     */
    public P next() {
        return wantsIncumbent || challenger == null ? incumbent.parameters() : challenger.parameters();
    }

    /**
     * Returns whether a challenger can come.
     *
     * @return true if there is none and the present way was measured
     */
    public boolean isIdle() {
        return challenger == null && incumbent.count() > 0 && !wantsIncumbent;
    }

    /**
     * Brings a challenger.
     *
     * @param parameters how it is run
     * @throws IllegalStateException unless {@link #isIdle()}
     */
    public void challenge(P parameters) {
        if (!isIdle()) {
            throw new IllegalStateException("a challenger " + parameters + " while " + next() + " is to be measured");
        }
        challenger = new Trial<>(parameters);
        trials.add(challenger);
    }

    /** Sends the challenger away: it cannot be run, or its times are not needed any more. */
    public void withdraw() {
        if (challenger != null && challenger.count() == 0) {
            trials.remove(challenger);
        }
        challenger = null;
        wantsIncumbent = false;
    }

    /**
     * Takes a time.
     *
     * @param parameters how it was run: what {@link #next()} had returned, now or before
     * @param seconds    the time
     * @return what became of the challenger, if that is decided now
     */
    public Optional<Verdict> measured(P parameters, double seconds) {
        if (challenger != null && parameters.equals(challenger.parameters())) {
            return measuredChallenger(seconds);
        }
        return parameters.equals(incumbent.parameters()) ? measuredIncumbent(seconds) : Optional.empty();
    }

    private Optional<Verdict> measuredIncumbent(double seconds) {
        incumbent.add(seconds);
        if (!wantsIncumbent) {
            return Optional.empty();
        }
        wantsIncumbent = false;
        confirmed = true;
        return challenger.count() > 1 ? judge() : Optional.empty();
    }

    private Optional<Verdict> measuredChallenger(double seconds) {
        challenger.add(seconds);
        confirmed = false;
        if (challenger.count() > 1) {
            return judge();
        }
        if (seconds > FAR_SLOWER * incumbent.first()) {
            return reject(seconds / incumbent.first() - 1);
        }
        wantsIncumbent = incumbent.count() < 2;
        return Optional.empty();
    }

    /** Looks at the times so far, at least two of each way. */
    private Optional<Verdict> judge() {
        int times = challenger.count();
        double ratio = challenger.least() / incumbent.leastOfLatest(times);
        double noise = Math.max(LEAST_NOISE, Math.min(MOST_NOISE, incumbent.spread())) / (times - 1);
        if (ratio > 1 + noise || (times > 2 && ratio > 1 - gain)) {
            return reject(ratio - 1);
        }
        boolean wins = ratio < 1 - Math.max(gain, noise) || (times >= MOST_TIMES && ratio <= 1 - gain);
        if (wins && confirmed) {
            return accept(1 - ratio);
        }
        wantsIncumbent = wins || incumbent.count() <= times;
        return Optional.empty();
    }

    private Optional<Verdict> accept(double saved) {
        incumbent = challenger;
        challenger = null;
        wantsIncumbent = false;
        return Optional.of(new Verdict(true, saved));
    }

    private Optional<Verdict> reject(double loss) {
        challenger = null;
        wantsIncumbent = false;
        return Optional.of(new Verdict(false, loss));
    }

    /**
     * Returns what was tried.
     *
     * @return the variants that were measured and their times, in the order in which they came
     */
    public List<Tried<P>> history() {
        return trials.stream().filter(trial -> trial.count() > 0)
                .map(trial -> new Tried<>(trial.parameters(), trial.samples())).toList();
    }
}
