package org.trellis.bench.tune;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;

/**
 * How run-time tuning did on one matrix, judged by an exhaustive search.
 *
 * @param matrix             the matrix's name
 * @param precision          the type of its values
 * @param seconds            the median time of each set of parameters, by the exhaustive search and for those that only
 *                           tuning tried
 * @param rule               what the rule proposed
 * @param start              what tuning began with
 * @param used               what the first, second, ... product was run with
 * @param measured           seconds of the first, second, ... product by the clock that tuning read, as far as it timed
 *                           them
 * @param believed           the best way after the first, second, ... product
 * @param tunedAfter         products after which tuning ended, or 0 if it had not ended
 * @param preparationSeconds conversions and compilations while tuning
 * @param adviceSeconds      time to the first guess, the pass over the row offsets included
 */
public record TuningOutcome(String matrix, Precision precision, Map<SpmvParameters, Double> seconds,
        SpmvParameters rule, SpmvParameters start, List<SpmvParameters> used, List<Double> measured,
        List<SpmvParameters> believed, int tunedAfter, double preparationSeconds, double adviceSeconds) {
    /** Copies the collections. */
    public TuningOutcome {
        Objects.requireNonNull(matrix);
        Objects.requireNonNull(precision);
        Objects.requireNonNull(rule);
        Objects.requireNonNull(start);
        seconds = Map.copyOf(seconds);
        used = List.copyOf(used);
        measured = List.copyOf(measured);
        believed = List.copyOf(believed);
    }

    /**
     * Returns the best time.
     *
     * @return seconds
     */
    public double best() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    /**
     * Returns the share of the best speed that a set of parameters reaches.
     *
     * @param parameters a set that was measured
     * @return a number from 0 to 1
     */
    public double share(SpmvParameters parameters) {
        return best() / seconds.get(parameters);
    }

    /**
     * Returns the share of the best speed after some products.
     *
     * @param products number of products, at least 1
     * @return the share of what tuning took for best then
     */
    public double shareAfter(int products) {
        return share(believed.get(Math.min(products, believed.size()) - 1));
    }

    /**
     * Returns the slowest way that a product was run, over the rule's.
     *
     * @return a ratio of median times
     */
    public double slowestOverRule() {
        return used.stream().mapToDouble(seconds::get).max().orElseThrow() / seconds.get(rule);
    }
}
