package org.trellis.distributed.powers;

import java.util.List;
import org.trellis.distributed.halo.HaloPlan;

/**
 * Chooses the number of rings by the times of a program's own steps: a {@link RingProduct} or a {@link RingSmoother}
 * does what it is asked for, now with this number of rings and now with that, until it is known which is the fastest.
 * Each of these steps is one that the program requested, with the same bits as any other. From then on the best is
 * used.
 *
 * <p>A {@link RingContest} says whose turn it is and decides. Turns end with exchanges, whose number is the same on all
 * ranks, so that all of them change alike without a message.
 */
public final class RingTuner {
    private static final double SLACK = 1.6;
    private static final int STEPS_OF_A_TURN = 16;

    private final HaloPlan plan;
    private final RingContest contest;
    /** Exchanges of this turn that have begun, the first of which is not timed; 0 before the first turn. */
    private int exchanges;
    private int steps;
    private long nanoseconds;
    /** On a device, when the timed steps of this turn began. */
    private long turnBegan;

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
        this.plan = plan;
        this.contest = new RingContest(candidates);
        for (int candidate : candidates) {
            // Refuses what the plan does not have.
            plan.useRings(candidate);
        }
        plan.useRings(candidates[0]);
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
        if (contest.isFinished()) {
            return 0;
        }
        if (exchanges) {
            exchangeIsDue();
        }
        return contest.isFinished() ? 0 : System.nanoTime();
    }

    void endStep(long began) {
        if (began != 0 && exchanges > 1) {
            nanoseconds += System.nanoTime() - began;
            steps++;
        }
    }

    private void exchangeIsDue() {
        int wanted = exchanges == 0 ? 0 : Math.max(2, Math.ceilDiv(STEPS_OF_A_TURN, contest.rings()));
        if (exchanges > 0 && exchanges <= wanted) {
            exchanges++;
            if (exchanges == 2 && plan.isOnDevice()) {
                plan.synchronize();
                turnBegan = System.nanoTime();
            }
            return;
        }
        if (exchanges > 0) {
            if (plan.isOnDevice()) {
                // Steps return before they are done: all of a turn are timed together.
                plan.synchronize();
                nanoseconds = System.nanoTime() - turnBegan;
            }
            contest.endTurn(nanoseconds * 1e-9 / steps, plan.communicator());
        }
        exchanges = 1;
        steps = 0;
        nanoseconds = 0;
        plan.useRings(contest.rings());
    }

    /**
     * Returns whether the number of rings stays the same from now on.
     *
     * @return false until enough steps were timed; with one candidate true at once
     */
    public boolean isFinished() {
        return contest.isFinished();
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
     * @return one for each number of rings that was tried, in that order, with the mean time of a step in each turn;
     *         once this is finished the times of the slowest rank, the same on all, before that this rank's so far
     */
    public List<RingContest.Trial> trials() {
        return contest.trials();
    }

    @Override
    public String toString() {
        return contest.toString();
    }
}
