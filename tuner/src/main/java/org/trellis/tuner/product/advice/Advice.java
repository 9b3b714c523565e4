package org.trellis.tuner.product.advice;

import java.util.List;
import java.util.Objects;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.AdviceOrigin;
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
public record Advice(SpmvParameters parameters, AdviceOrigin origin, SpmvParameters rule,
        List<SpmvModel.Ranked> ranking,
        MatrixFeatures features) {
    /** Copies the list. */
    public Advice {
        Objects.requireNonNull(parameters);
        Objects.requireNonNull(origin);
        Objects.requireNonNull(rule);
        Objects.requireNonNull(features);
        ranking = List.copyOf(ranking);
    }
}
