package org.trellis.tuner.contest;

import org.trellis.common.Checks;

/**
 * How long a search goes on.
 *
 * @param seconds time after which nothing new is begun
 * @param trials  sets of parameters that are measured at most
 */
public record SearchBudget(double seconds, int trials) {
    /** Everything there is. */
    public static final SearchBudget EXHAUSTIVE = new SearchBudget(Double.POSITIVE_INFINITY, Integer.MAX_VALUE);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if time or number of trials is not above 0
     */
    public SearchBudget {
        if (!(seconds > 0)) {
            throw new IllegalArgumentException("seconds are " + seconds + ", expected more than 0");
        }
        Checks.positive("trials", trials);
    }

    /**
     * A limit of time.
     *
     * @param seconds time after which nothing new is begun
     * @return the budget
     */
    public static SearchBudget ofSeconds(double seconds) {
        return new SearchBudget(seconds, Integer.MAX_VALUE);
    }

    /**
     * A limit of trials.
     *
     * @param trials sets of parameters that are measured at most
     * @return the budget
     */
    public static SearchBudget ofTrials(int trials) {
        return new SearchBudget(Double.POSITIVE_INFINITY, trials);
    }

    /**
     * Says whether there is no limit.
     *
     * @return true if everything is measured
     */
    public boolean isExhaustive() {
        return Double.isInfinite(seconds) && trials == Integer.MAX_VALUE;
    }
}
