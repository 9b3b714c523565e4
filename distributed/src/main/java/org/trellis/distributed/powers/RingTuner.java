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
 * <p>The numbers of rings take turns, in several rounds, so that a disturbance of the machine hits all alike; the
 * slowest rank's times count. If another number than one ring has the fastest turn, the two take as many turns again.
 * It is chosen if its fastest turn is faster than that of one ring by more than {@value #PERCENT} per cent, and so are
 * three quarters of its turns than those of one ring in the same rounds: a single lucky turn does not decide. Turns end
 * with exchanges, whose number is the same on all ranks, so that all of them change alike without a message; an
 * all-reduce at the end of each half decides.
 */
public final class RingTuner {
    private static final double SLACK = 1.6;
    private static final int ROUNDS = 4;
    private static final int STEPS_OF_A_TURN = 16;
    private static final int PERCENT = 3;
    private static final double MARGIN = 1 + PERCENT / 100.0;

    private final HaloPlan plan;
    private final int[] candidates;
    /** The times of a step in each turn. */
    private double[] turns;
    /** Which candidate has which turn. */
    private int[] order;
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
        this.order = new int[turns.length];
        Arrays.setAll(order, i -> i % candidates.length);
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
        int wanted = turn < 0 ? 0 : Math.max(2, Math.ceilDiv(STEPS_OF_A_TURN, candidates[order[turn]]));
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
        if (turn == order.length) {
            decide();
        }
        plan.useRings(chosen == 0 ? candidates[order[turn]] : chosen);
    }

    /** Ends, or has the best number of rings and one ring take further turns. */
    private void decide() {
        boolean again = turns.length > ROUNDS * candidates.length;
        int from = again ? ROUNDS * candidates.length : 0;
        double[] latest = Arrays.copyOfRange(turns, from, turns.length);
        plan.communicator().allReduce(Reduction.MAX, latest);
        System.arraycopy(latest, 0, turns, from, latest.length);
        List<Trial> trials = trials();
        int one = indexOf(1);
        int best = indexOf(quickest(trials).rings());
        if (again || one < 0 || best == one) {
            chosen = fastest(trials);
            return;
        }
        turns = Arrays.copyOf(turns, from + latest.length + 2 * ROUNDS);
        order = Arrays.copyOf(order, turns.length);
        for (int i = latest.length; i < order.length; i++) {
            order[i] = (i - latest.length) % 2 == 0 ? best : one;
        }
    }

    private int indexOf(int rings) {
        int found = candidates.length - 1;
        while (found >= 0 && candidates[found] != rings) {
            found--;
        }
        return found;
    }

    private static Trial quickest(List<Trial> trials) {
        return trials.stream().min(Comparator.comparingDouble(Trial::leastSeconds))
                .orElseThrow(() -> new IllegalArgumentException("no number of rings was tried, expected at least one"));
    }

    /**
     * Decides between numbers of rings that were measured: that of the fastest turn, but one ring unless the other is
     * faster by more than {@value #PERCENT} per cent, in its fastest turn and in three quarters of the rounds.
     *
     * @param trials what was measured, at least one; turns of the same place were taken in the same round
     * @return the best number of rings
     * @throws IllegalArgumentException if nothing was measured
     */
    public static int fastest(List<Trial> trials) {
        Trial best = quickest(trials);
        for (Trial one : trials) {
            if (one.rings() == 1 && best.rings() != 1 && !best.isSurelyFasterThan(one)) {
                return 1;
            }
        }
        return best.rings();
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
            for (int at = 0; at < turn; at++) {
                if (order[at] == i) {
                    seconds.add(turns[at]);
                }
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

        private boolean isSurelyFasterThan(Trial one) {
            int rounds = Math.min(seconds.size(), one.seconds.size());
            int won = 0;
            for (int round = 0; round < rounds; round++) {
                won += MARGIN * seconds.get(round) < one.seconds.get(round) ? 1 : 0;
            }
            return MARGIN * leastSeconds() < one.leastSeconds() && 4 * won >= 3 * rounds;
        }
    }

    @Override
    public String toString() {
        return (isFinished() ? "rings chosen: " : "rings being tried: ") + rings() + " of "
                + Arrays.toString(candidates);
    }
}
