package org.trellis.distributed.multigrid;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.powers.RingModel;

/**
 * How many rings the smoothers of levels exchange at once: given numbers, finest level first, of which the last holds
 * for all further levels; or, if there are none, what {@link RingModel} proposes for each level.
 *
 * @param rings numbers of rings of 1 or more, perhaps none
 */
public record RingChoice(List<Integer> rings) {
    /** What the model proposes. */
    public static final RingChoice AUTOMATIC = new RingChoice(List.of());

    private static final String WORD = "auto";

    /**
     * Copies the numbers.
     *
     * @throws IllegalArgumentException if one is below 1
     */
    public RingChoice {
        rings = List.copyOf(rings);
        rings.forEach(count -> Checks.positive("number of rings", count));
    }

    /**
     * Takes given numbers.
     *
     * @param rings for each level, the last for all further ones
     * @return the choice
     * @throws IllegalArgumentException if one is below 1
     */
    public static RingChoice of(Integer... rings) {
        return new RingChoice(Arrays.asList(rings));
    }

    /**
     * Reads a choice.
     *
     * @param text {@code auto}, or numbers separated by commas
     * @return the choice
     * @throws IllegalArgumentException if it is neither
     */
    public static RingChoice parse(String text) {
        if (text.equals(WORD)) {
            return AUTOMATIC;
        }
        if (!text.matches("[1-9][0-9]?(,[1-9][0-9]?)*")) {
            throw new IllegalArgumentException("rings '" + text + "', expected " + WORD
                    + ", or numbers from 1 to 99 separated by commas, finest level first");
        }
        return new RingChoice(Arrays.stream(text.split(",")).map(Integer::valueOf).toList());
    }

    /** Says how many rings a level's plan is to have. */
    int most(int level, int degree) {
        return rings.isEmpty() ? degree : rings.get(Math.min(level, rings.size() - 1));
    }

    /**
     * Decides how many rings of a plan are used. Collective.
     *
     * @param plan   the halo of a level
     * @param degree products that follow one another in a sweep with its residual
     */
    void decide(HaloPlan plan, int degree) {
        if (!rings.isEmpty() || plan.rings() == 1) {
            return;
        }
        double[] steps = RingModel.measure(plan).secondsPerStep();
        int best = 1;
        for (int count = 2; count <= plan.rings(); count++) {
            if (seconds(steps, count, degree) < seconds(steps, best, degree)) {
                best = count;
            }
        }
        plan.useRings(best);
    }

    /** Predicts a sweep: as many exchanges as it takes, each with all its redundant work. */
    private static double seconds(double[] steps, int rings, int degree) {
        return (double) Math.ceilDiv(degree, rings) * rings * steps[rings - 1];
    }

    @Override
    public String toString() {
        return rings.isEmpty() ? WORD : rings.toString();
    }
}
