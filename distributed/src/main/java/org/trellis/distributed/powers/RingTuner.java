package org.trellis.distributed.powers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.HaloPlan;

/**
 * Chooses the number of rings by the times of a program's own steps: a {@link RingProduct} or a {@link RingSmoother}
 * does what it is asked for, now with this number of rings and now with that, until it is known which is the fastest.
 * Each of these steps is one that the program wanted, with the same bits as any other. From then on the best is used.
 *
 * <p>The numbers of rings take turns, several times, so that a disturbance of the machine hits all alike; of each the
 * fastest turn counts, and at the end the slowest rank's. Turns end with exchanges, whose number is the same on all
 * ranks, so that all of them change alike without a message; one all-reduce at the end decides. One ring is kept unless
 * another number is faster by more than two hundredths: what is measured beside much else is not more certain.
 */
public final class RingTuner {
    private static final double SLACK = 1.6;
    private static final int ROUNDS = 4;
    private static final int STEPS_OF_A_TURN = 16;
    private static final double MARGIN = 1.02;

    private final HaloPlan plan;
    private final int[] candidates;
    /** Times of a step, candidate by candidate in each round. */
    private final double[] turns;
    /** Counts turns over all rounds; −1 before the first exchange. */
    private int turn = -1;
    /** Exchanges of this turn that have begun; the first of a turn is not timed. */
    private int exchanges;
    private int steps;
    private long nanoseconds;
    /** On a device, when the timed steps of this turn began. */
    private long turnBegan;
    private int chosen;

    /**
     * Tries those numbers of rings of which a model thinks well.
     *
     * @param plan  the halo, with as many rings as the model knows
     * @param model the model of the same plan
     */
    public RingTuner(HaloPlan plan, RingModel model) {
        this(plan, model.candidates(SLACK).stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Tries given numbers of rings.
     *
     * @param plan       the halo
     * @param candidates the numbers, in the order in which they are tried, the same on all ranks
     * @throws IllegalArgumentException if there are none, or one is not between 1 and the plan's
     */
    public RingTuner(HaloPlan plan, int... candidates) {
        if (candidates.length == 0) {
            throw new IllegalArgumentException("there are no numbers of rings to try, expected at least one");
        }
        this.plan = plan;
        this.candidates = candidates.clone();
        this.turns = new double[ROUNDS * candidates.length];
        for (int candidate : candidates) {
            // Refuses what the plan does not have.
            plan.useRings(candidate);
        }
        plan.useRings(candidates[0]);
        if (candidates.length == 1) {
            chosen = candidates[0];
        }
    }

    RingTuner requirePlan(HaloPlan other) {
        if (other != plan) {
            throw new IllegalArgumentException("a tuner of " + plan + " was given to a product of " + other
                    + ", expected that of its plan");
        }
        return this;
    }

    /** Notes that a step begins; before one that exchanges, the number of rings may change. */
    long beginStep(boolean exchanges) {
        if (chosen != 0) {
            return 0;
        }
        if (exchanges) {
            exchangeIsDue();
        }
        return chosen == 0 ? System.nanoTime() : 0;
    }

    void endStep(long began) {
        if (began != 0 && exchanges > 1) {
            nanoseconds += System.nanoTime() - began;
            steps++;
        }
    }

    private void exchangeIsDue() {
        int wanted = turn < 0 ? 0 : Math.max(2, Math.ceilDiv(STEPS_OF_A_TURN, candidates[turn % candidates.length]));
        if (turn >= 0 && exchanges <= wanted) {
            exchanges++;
            if (exchanges == 2 && plan.isOnDevice()) {
                plan.synchronize();
                turnBegan = System.nanoTime();
            }
            return;
        }
        if (turn >= 0 && plan.isOnDevice()) {
            // Steps return before they are done: all of a turn are timed together.
            plan.synchronize();
            nanoseconds = System.nanoTime() - turnBegan;
        }
        if (turn >= 0) {
            turns[turn] = nanoseconds * 1e-9 / steps;
        }
        turn++;
        exchanges = 1;
        steps = 0;
        nanoseconds = 0;
        if (turn == ROUNDS * candidates.length) {
            choose();
        } else {
            plan.useRings(candidates[turn % candidates.length]);
        }
    }

    private void choose() {
        plan.communicator().allReduce(Reduction.MAX, turns);
        chosen = fastest(trials());
        plan.useRings(chosen);
    }

    /**
     * Decides between numbers of rings that were measured: that of the fastest turn, but one ring unless another is
     * faster by more than two hundredths.
     *
     * @param trials what was measured, at least one
     * @return the best number of rings
     * @throws IllegalArgumentException if nothing was measured
     */
    public static int fastest(List<Trial> trials) {
        Trial best = trials.stream().min(Comparator.comparingDouble(Trial::leastSeconds))
                .orElseThrow(() -> new IllegalArgumentException("no number of rings was tried, expected at least one"));
        boolean staysWithOne = trials.stream().anyMatch(
                trial -> trial.rings() == 1 && trial.leastSeconds() <= MARGIN * best.leastSeconds());
        return staysWithOne ? 1 : best.rings();
    }

    /**
     * Tells whether the number of rings stays the same from now on.
     *
     * @return false until enough steps were timed; with one candidate true at once
     */
    public boolean isFinished() {
        return chosen != 0;
    }

    /**
     * Returns the number of rings that is used.
     *
     * @return the best once this is finished, before that the one whose turn it is
     */
    public int rings() {
        return plan.activeRings();
    }

    /**
     * Lists what was measured.
     *
     * @return one for each number of rings that was tried, in that order; once this is finished the times of the
     *         slowest rank, the same on all, before that this rank's so far
     */
    public List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (int i = 0; i < candidates.length; i++) {
            List<Double> seconds = new ArrayList<>();
            for (int at = i; at < Math.min(Math.max(turn, 0), turns.length); at += candidates.length) {
                seconds.add(turns[at]);
            }
            trials.add(new Trial(candidates[i], seconds));
        }
        return trials;
    }

    /**
     * A number of rings and its times.
     *
     * @param rings   the number
     * @param seconds the mean time of a step in each turn
     */
    public record Trial(int rings, List<Double> seconds) {
        /** Copies the times. */
        public Trial {
            seconds = List.copyOf(seconds);
        }

        /**
         * Returns the time of a step in the fastest turn.
         *
         * @return seconds, infinite if there was no turn
         */
        public double leastSeconds() {
            return seconds.stream().mapToDouble(Double::doubleValue).min().orElse(Double.POSITIVE_INFINITY);
        }
    }

    @Override
    public String toString() {
        return (isFinished() ? "rings chosen: " : "rings being tried: ") + rings() + " of "
                + Arrays.toString(candidates);
    }
}
