package org.trellis.tuner.train;

import org.trellis.common.Checks;

/**
 * What a model is made of.
 *
 * @param candidates   sets of parameters that it chooses from
 * @param trees        number of trees
 * @param depth        largest depth of a tree
 * @param leaves       most leaves of a tree
 * @param missingShare share of the best that a set counts with on a matrix where it was not measured or did not work
 * @param seed         decides on the samples and projections of the trees
 */
public record TrainingSettings(int candidates, int trees, int depth, int leaves, double missingShare, long seed) {
    /** The settings that the profiles of the library were made with. */
    public static final TrainingSettings DEFAULT = new TrainingSettings(36, 40, 12, 200, 0.35, 20140801);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of its range; names it
     */
    public TrainingSettings {
        Checks.positive("candidates", candidates);
        Checks.positive("trees", trees);
        Checks.positive("depth", depth);
        Checks.positive("leaves", leaves);
        if (!(missingShare > 0) || missingShare > 1) {
            throw new IllegalArgumentException("missingShare is " + missingShare + ", expected more than 0, at most 1");
        }
    }
}
