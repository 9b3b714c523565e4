package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.powers.RingContest;
import org.trellis.distributed.powers.RingModel;

/**
 * How many rings the smoothers of levels exchange at once: given numbers, finest level first, of which the last holds
 * for all further levels; what {@link RingModel} proposes for each level; or what it proposes, corrected by the times
 * of the levels' own visits ({@link RingContest}).
 *
 * @param rings numbers of rings of 1 or more, perhaps none; if they are tuned, those that are known already, by level,
 *              0 where nothing is known
 * @param tuned whether times decide
 */
public record RingChoice(List<Integer> rings, boolean tuned) {
    /** What the model proposes. */
    public static final RingChoice AUTOMATIC = new RingChoice(List.of(), false);
    /** What the model proposes and times of visits correct. */
    public static final RingChoice TUNED = new RingChoice(List.of(), true);

    private static final String WORD = "auto";
    private static final String TUNED_WORD = "tuned";
    /** How many times the time of the proposal a sweep may be predicted to take that is worth trying. */
    private static final double SLACK = 2;

    /**
     * Copies the numbers.
     *
     * @throws IllegalArgumentException if one is below 1, or below 0 where times decide
     */
    public RingChoice {
        rings = List.copyOf(rings);
        for (int count : rings) {
            if (tuned) {
                Checks.notNegative("number of rings", count);
            } else {
                Checks.positive("number of rings", count);
            }
        }
    }

    /**
     * Takes given numbers.
     *
     * @param rings for each level, the last for all further ones
     * @return the choice
     * @throws IllegalArgumentException if one is below 1
     */
    public static RingChoice of(Integer... rings) {
        return new RingChoice(Arrays.asList(rings), false);
    }

    /**
     * Takes numbers that were tuned before, so that only the other levels are.
     *
     * @param known for each level from the finest on, 0 where nothing is known; further levels are tuned
     * @return the choice
     * @throws IllegalArgumentException if one is below 0
     */
    public static RingChoice knowing(List<Integer> known) {
        return new RingChoice(known, true);
    }

    /**
     * Reads a choice.
     *
     * @param text {@code auto}, {@code tuned}, or numbers separated by commas
     * @return the choice
     * @throws IllegalArgumentException if it is none of them
     */
    public static RingChoice parse(String text) {
        if (text.equals(WORD)) {
            return AUTOMATIC;
        }
        if (text.equals(TUNED_WORD)) {
            return TUNED;
        }
        if (!text.matches("[1-9][0-9]?(,[1-9][0-9]?)*")) {
            throw new IllegalArgumentException("rings '" + text + "', expected " + WORD + ", " + TUNED_WORD
                    + ", or numbers from 1 to 99 separated by commas, finest level first");
        }
        return new RingChoice(Arrays.stream(text.split(",")).map(Integer::valueOf).toList(), false);
    }

    /**
     * Returns the number for a level that is given or known.
     *
     * @param level its number, 0 for the finest
     * @return at least 1, or 0 if nothing is
     */
    public int given(int level) {
        if (rings.isEmpty() || (tuned && level >= rings.size())) {
            return 0;
        }
        return rings.get(Math.min(level, rings.size() - 1));
    }

    /** Says how many rings a level's plan is to have. */
    int most(int level, int degree) {
        int given = given(level);
        return given == 0 ? degree : given;
    }

    /**
     * Begins to decide how many rings of a plan are used. Collective.
     *
     * @param level  its number
     * @param plan   the halo of the level
     * @param degree products that follow one another in a sweep with its residual
     * @return the contest, finished unless times are to decide
     */
    RingContest contest(int level, HaloPlan plan, int degree) {
        return contest(level, plan, degree, 1);
    }

    /**
     * Begins to decide how many rings of a plan are used by steps that compute some of the rows only. Collective.
     *
     * @param level its number
     * @param plan  the halo of the level
     * @param steps that follow one another
     * @param share of the rows that a step computes
     * @return the contest, finished unless times are to decide
     */
    public RingContest contest(int level, HaloPlan plan, int steps, double share) {
        if (given(level) > 0 || plan.rings() == 1) {
            return new RingContest(plan.rings());
        }
        return among(RingModel.measure(plan, share).secondsPerStep(), steps);
    }

    private RingContest among(double[] steps, int degree) {
        int[] candidates = candidates(steps, degree);
        return tuned ? new RingContest(candidates) : new RingContest(candidates[0]);
    }

    /**
     * Lists the numbers that are worth trying: that of the shortest sweep by the model, one ring, and the others of
     * which it thinks well. Numbers that save no exchange against a smaller one are none of them.
     */
    static int[] candidates(double[] steps, int degree) {
        List<Integer> useful = new ArrayList<>();
        for (int count = 1; count <= steps.length; count++) {
            if (count == 1 || Math.ceilDiv(degree, count) < Math.ceilDiv(degree, count - 1)) {
                useful.add(count);
            }
        }
        useful.sort(Comparator.comparingDouble(count -> seconds(steps, count, degree)));
        int best = useful.getFirst();
        List<Integer> all = new ArrayList<>(best == 1 ? List.of(1) : List.of(best, 1));
        for (int count : useful) {
            if (!all.contains(count) && seconds(steps, count, degree) <= SLACK * seconds(steps, best, degree)) {
                all.add(count);
            }
        }
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Predicts a sweep: as many exchanges as it takes, each with all its redundant work. */
    private static double seconds(double[] steps, int rings, int degree) {
        return (double) Math.ceilDiv(degree, rings) * rings * steps[rings - 1];
    }

    @Override
    public String toString() {
        String word = tuned ? TUNED_WORD : WORD;
        return rings.isEmpty() ? word : tuned ? word + ", known " + rings : rings.toString();
    }
}
