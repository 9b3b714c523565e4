package org.trellis.tuner.advice;

import java.util.List;
import java.util.Objects;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;

/**
 * What is known of a matrix before its first product.
 *
 * @param parameters what to begin with; fits the matrix
 * @param origin     where that comes from
 * @param rule       what the backend's rule proposes
 * @param ranking    what to try next, the most promising first; need not fit the matrix
 * @param features   the features of the matrix
 */
public record Advice(SpmvParameters parameters, Origin origin, SpmvParameters rule, List<SpmvModel.Ranked> ranking,
        MatrixFeatures features) {
    /** Where parameters come from. */
    public enum Origin {
        /** The same structure was measured on this device. */
        PROFILE,
        /** The model of this device, which may have chosen what the rule says. */
        MODEL,
        /** The backend's rule. */
        RULE
    }

    /** Copies the list. */
    public Advice {
        Objects.requireNonNull(parameters);
        Objects.requireNonNull(origin);
        Objects.requireNonNull(rule);
        Objects.requireNonNull(features);
        ranking = List.copyOf(ranking);
    }
}
