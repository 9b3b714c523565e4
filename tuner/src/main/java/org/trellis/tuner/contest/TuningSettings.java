package org.trellis.tuner.contest;

import org.trellis.common.Checks;

/**
 * How far run-time tuning goes.
 *
 * @param products           products after which it stops, whatever it has found
 * @param trials             sets of parameters that are tried at most
 * @param promising          of these, how many come from the ranking before the neighbourhood of the best is searched
 * @param preparationSeconds time that preparing other variants may take in all; beyond it nothing more is
 *                           prepared
 * @param likelySlowdown     expected time over that of the best from which a set is not tried; keeps products from
 *                           becoming slow
 * @param gain               least relative gain for which the way of running is changed
 * @param storedBytes        largest memory of a way of running over that of the present one; what reads more can
 *                           hardly be faster
 * @param preparesWithinProducts whether a product prepares the way that it tries; if not, products go on in the present
 *                           way until the program asks for the preparation
 */
public record TuningSettings(int products, int trials, int promising, double preparationSeconds, double likelySlowdown,
        double gain, double storedBytes, boolean preparesWithinProducts) {
    /** The usual settings. */
    public static final TuningSettings DEFAULT = new TuningSettings(100, 24, 8, 10, 1.25, 0.01, 1.7, true);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of its range; names it
     */
    public TuningSettings {
        Checks.notNegative("products", products);
        Checks.notNegative("trials", trials);
        Checks.notNegative("promising", promising);
        if (!(preparationSeconds >= 0) || !(likelySlowdown >= 1) || !(gain >= 0) || !(gain < 1)
                || !(storedBytes >= 1)) {
            throw new IllegalArgumentException("preparationSeconds, likelySlowdown, gain and storedBytes are "
                    + preparationSeconds + ", " + likelySlowdown + ", " + gain + " and " + storedBytes
                    + ", expected at least 0, at least 1, from 0 to below 1 and at least 1");
        }
    }

    /**
     * Returns these settings with another limit of products.
     *
     * @param value the new {@link #products}
     * @return new settings
     */
    public TuningSettings withProducts(int value) {
        return new TuningSettings(value, trials, promising, preparationSeconds, likelySlowdown, gain, storedBytes,
                preparesWithinProducts);
    }

    /**
     * Returns these settings with another limit of trials.
     *
     * @param value the new {@link #trials}
     * @return new settings
     */
    public TuningSettings withTrials(int value) {
        return new TuningSettings(products, value, promising, preparationSeconds, likelySlowdown, gain, storedBytes,
                preparesWithinProducts);
    }

    /**
     * Returns these settings with another limit of preparation.
     *
     * @param value the new {@link #preparationSeconds}
     * @return new settings
     */
    public TuningSettings withPreparationSeconds(double value) {
        return new TuningSettings(products, trials, promising, value, likelySlowdown, gain, storedBytes,
                preparesWithinProducts);
    }

    /**
     * Returns these settings with or without preparations within products.
     *
     * @param value the new {@link #preparesWithinProducts}
     * @return new settings
     */
    public TuningSettings withPreparationWithinProducts(boolean value) {
        return new TuningSettings(products, trials, promising, preparationSeconds, likelySlowdown, gain, storedBytes,
                value);
    }
}
