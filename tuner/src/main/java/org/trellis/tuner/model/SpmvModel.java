package org.trellis.tuner.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.MatrixFeatures;

/**
 * Predicts how much slower than the best each of a few sets of parameters is on a matrix. It was learnt from measured
 * searches of one device; its sets are those that together are nearly best on every matrix of these searches.
 *
 * <p>A prediction is a walk through some dozen small trees and costs one or two microseconds. Immutable and safe for
 * several threads.
 */
public final class SpmvModel {
    private final List<String> featureNames;
    private final List<SpmvParameters> candidates;
    private final TreeEnsemble trees;
    /** Where the inputs stand among the features. */
    private final int[] places;

    /**
     * A set of parameters with what is expected of it.
     *
     * @param parameters how to run the product
     * @param slowdown   its expected time over that of the best parameters, about 1 or more
     */
    public record Ranked(SpmvParameters parameters, double slowdown) {
        /** Checks that there are parameters. */
        public Ranked {
            Objects.requireNonNull(parameters);
        }
    }

    /**
     * Makes a model.
     *
     * @param featureNames names of the inputs, some of those of {@link MatrixFeatures#vectorNames()}: a model that was
     *                     learnt from fewer features than this version finds reads those only
     * @param candidates   the sets of parameters, one for each output of the trees
     * @param trees        predict logarithms of slow-downs
     * @throws IllegalArgumentException if an input is none that this version of the library finds, or the numbers do
     *         not fit each other
     */
    public SpmvModel(List<String> featureNames, List<SpmvParameters> candidates, TreeEnsemble trees) {
        this.featureNames = List.copyOf(featureNames);
        this.candidates = List.copyOf(candidates);
        this.trees = Objects.requireNonNull(trees);
        this.places = this.featureNames.stream().mapToInt(MatrixFeatures.vectorNames()::indexOf).toArray();
        if (Arrays.stream(places).anyMatch(place -> place < 0)) {
            throw new IllegalArgumentException("a model of the features " + featureNames
                    + ", expected some of those of this version of Trellis, " + MatrixFeatures.vectorNames());
        }
        if (trees.inputs() != this.featureNames.size() || trees.outputs() != this.candidates.size()) {
            throw new IllegalArgumentException("trees of " + trees.inputs() + " inputs and " + trees.outputs()
                    + " outputs, expected " + this.featureNames.size() + " and " + this.candidates.size());
        }
    }

    /**
     * Returns the names of the inputs.
     *
     * @return some of those of {@link MatrixFeatures#vectorNames()}
     */
    public List<String> featureNames() {
        return featureNames;
    }

    /**
     * Returns the sets of parameters that this model chooses from.
     *
     * @return in the order of the outputs
     */
    public List<SpmvParameters> candidates() {
        return candidates;
    }

    /**
     * Returns the trees.
     *
     * @return the trees, which predict logarithms of slow-downs
     */
    public TreeEnsemble trees() {
        return trees;
    }

    /**
     * Predicts.
     *
     * @param features  the matrix
     * @param precision the type of its values
     * @return the natural logarithm of each candidate's time over that of the best, in the order of
     *         {@link #candidates()}; a new array
     * @throws IllegalArgumentException if a feature that this model reads is not known of the matrix
     */
    public double[] logSlowdowns(MatrixFeatures features, Precision precision) {
        double[] prediction = new double[candidates.size()];
        double[] all = features.vector(precision);
        double[] inputs = new double[places.length];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = all[places[i]];
            if (Double.isNaN(inputs[i])) {
                throw new IllegalArgumentException("the feature " + featureNames.get(i)
                        + " is not known of this matrix, expected a number: " + features);
            }
        }
        trees.predict(inputs, prediction);
        return prediction;
    }

    /**
     * Chooses.
     *
     * @param features  the matrix
     * @param precision the type of its values
     * @return the candidate of the smallest expected time, which need not fit the matrix
     * @throws IllegalArgumentException if a feature that this model reads is not known of the matrix
     */
    public SpmvParameters best(MatrixFeatures features, Precision precision) {
        double[] slowdowns = logSlowdowns(features, precision);
        int best = 0;
        for (int k = 1; k < slowdowns.length; k++) {
            best = slowdowns[k] < slowdowns[best] ? k : best;
        }
        return candidates.get(best);
    }

    /**
     * Ranks the candidates.
     *
     * @param features  the matrix
     * @param precision the type of its values
     * @return all of them, the most promising first; some need not fit the matrix
     * @throws IllegalArgumentException if a feature that this model reads is not known of the matrix
     */
    public List<Ranked> ranking(MatrixFeatures features, Precision precision) {
        double[] slowdowns = logSlowdowns(features, precision);
        int[] order = new int[slowdowns.length];
        for (int k = 0; k < order.length; k++) {
            // So few are sorted fastest by insertion.
            int place = k;
            while (place > 0 && slowdowns[order[place - 1]] > slowdowns[k]) {
                order[place] = order[place - 1];
                place--;
            }
            order[place] = k;
        }
        List<Ranked> ranked = new ArrayList<>(order.length);
        for (int k : order) {
            ranked.add(new Ranked(candidates.get(k), Math.exp(slowdowns[k])));
        }
        return ranked;
    }
}
