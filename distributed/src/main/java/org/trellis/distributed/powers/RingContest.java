package org.trellis.distributed.powers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;

/**
 * Decides between numbers of rings by the times of turns that they take in a program's own work, whatever a turn
 * consists of. They take turns in {@value #ROUNDS} rounds, so that a disturbance of the machine hits all alike; the
 * slowest rank's times count. If another number than one ring has the fastest turn, the two take as many turns again.
 *
 * <p>A number is chosen if its fastest turn is faster than that of one ring by more than {@value #PERCENT} per cent,
 * and so are three quarters of its turns than those of one ring in the same rounds: a single lucky turn does not
 * decide. All ranks end their turns alike, so that they agree without a message; an all-reduce at the end of each half
 * decides.
 */
public final class RingContest {
    private static final int ROUNDS = 4;
    private static final int PERCENT = 3;
    private static final double MARGIN = 1 + PERCENT / 100.0;

    private final int[] candidates;
    /** The times of each turn. */
    private double[] turns;
    /** Which candidate has which turn. */
    private int[] order;
    /** Counts turns over all rounds. */
    private int turn;
    private int chosen;

    /**
     * Begins a contest.
     *
     * @param candidates numbers of rings, in the order in which they are tried, the same on all ranks; one alone has
     *                   won
     * @throws IllegalArgumentException if there are none
     */
    public RingContest(int... candidates) {
        if (candidates.length == 0) {
            throw new IllegalArgumentException("there are no numbers of rings to try, expected at least one");
        }
        this.candidates = candidates.clone();
        this.turns = new double[ROUNDS * candidates.length];
        this.order = new int[turns.length];
        Arrays.setAll(order, i -> i % candidates.length);
        if (candidates.length == 1) {
            chosen = candidates[0];
        }
    }

    /**
     * Ends the turn of {@link #rings} and begins the next one. Collective where it decides.
     *
     * @param seconds      what the turn took on this rank, by the step or altogether
     * @param communicator the ranks
     * @throws IllegalStateException if the contest is finished
     */
    public void endTurn(double seconds, Communicator communicator) {
        if (isFinished()) {
            throw new IllegalStateException("a turn of " + this + " has ended, expected none after the choice");
        }
        turns[turn++] = seconds;
        if (turn == order.length) {
            decide(communicator);
        }
    }

    /** Ends, or has the best number of rings and one ring take further turns. */
    private void decide(Communicator communicator) {
        boolean again = turns.length > ROUNDS * candidates.length;
        int from = again ? ROUNDS * candidates.length : 0;
        reduce(from, turns.length, communicator);
        List<Trial> trials = trials();
        int one = indexOf(1);
        int best = indexOf(quickest(trials).rings());
        if (again || one < 0 || best == one) {
            chosen = fastest(trials);
            return;
        }
        int first = turns.length;
        turns = Arrays.copyOf(turns, first + 2 * ROUNDS);
        order = Arrays.copyOf(order, turns.length);
        for (int i = first; i < order.length; i++) {
            order[i] = (i - first) % 2 == 0 ? best : one;
        }
    }

    /** Takes the times of the slowest rank. */
    private void reduce(int from, int to, Communicator communicator) {
        double[] latest = Arrays.copyOfRange(turns, from, to);
        communicator.allReduce(Reduction.MAX, latest);
        System.arraycopy(latest, 0, turns, from, latest.length);
    }

    /**
     * Decides with the rounds that there were, where the program has ended before the contest; what stands first, which
     * is what a model has proposed, wins if there was none. Collective, after as many turns on each rank.
     *
     * @param communicator the ranks
     */
    public void settle(Communicator communicator) {
        if (isFinished()) {
            return;
        }
        int first = ROUNDS * candidates.length;
        int width = turn < first ? candidates.length : 2;
        int from = turn < first ? 0 : first;
        turn -= (turn - from) % width;
        reduce(from, turn, communicator);
        chosen = turn == 0 ? candidates[0] : fastest(trials());
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
     * Returns whether the choice is made.
     *
     * @return false until all turns were taken or it was settled; with one candidate true at once
     */
    public boolean isFinished() {
        return chosen != 0;
    }

    /**
     * Returns the number of rings that is to be used.
     *
     * @return the best once this is finished, before that the one whose turn it is
     */
    public int rings() {
        return isFinished() ? chosen : candidates[order[turn]];
    }

    /**
     * Lists the numbers that are tried.
     *
     * @return a copy, in the order in which they are tried
     */
    public int[] candidates() {
        return candidates.clone();
    }

    /**
     * Lists what was measured.
     *
     * @return one for each number of rings that is tried, in that order; once this is finished the times of the slowest
     *         rank, the same on all, before that this rank's so far
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
     * @param seconds the time of each turn, or the mean time of a step in it
     */
    public record Trial(int rings, List<Double> seconds) {
        /** Copies the times. */
        public Trial {
            seconds = List.copyOf(seconds);
        }

        /**
         * Returns the time of the fastest turn.
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
