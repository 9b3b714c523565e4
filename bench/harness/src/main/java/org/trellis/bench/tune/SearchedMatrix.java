package org.trellis.bench.tune;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.profile.TuningResult;

/**
 * What a search measured of a matrix in one precision.
 *
 * @param matrix    the matrix's name
 * @param precision the type of its values
 * @param rule      what the rule proposed
 * @param start     the first guess
 * @param results   a result for each set of parameters
 */
public record SearchedMatrix(String matrix, Precision precision, SpmvParameters rule, SpmvParameters start,
        List<TuningResult> results) {
    /** Copies the list. */
    public SearchedMatrix {
        Objects.requireNonNull(matrix);
        Objects.requireNonNull(precision);
        Objects.requireNonNull(rule);
        Objects.requireNonNull(start);
        results = List.copyOf(results);
    }

    /**
     * Returns the fastest.
     *
     * @return the result of the shortest median time, or empty if nothing worked
     */
    public Optional<TuningResult> best() {
        return results.stream().filter(TuningResult::isCorrect)
                .min(Comparator.comparingDouble(TuningResult::medianSeconds));
    }

    /**
     * Returns the sets that failed.
     *
     * @return their number
     */
    public long failures() {
        return results.stream().filter(result -> !result.isCorrect()).count();
    }

    /**
     * Returns the share of the best speed that a set reaches.
     *
     * @param parameters a set
     * @return a number from 0 to 1, or NaN if it was not measured or did not work
     */
    public double share(SpmvParameters parameters) {
        return best().map(best -> best.medianSeconds() / seconds(parameters)).orElse(Double.NaN);
    }

    /**
     * Returns the time of a product with a set.
     *
     * @param parameters a set
     * @return median seconds, or NaN if it was not measured or did not work
     */
    public double seconds(SpmvParameters parameters) {
        return results.stream().filter(r -> r.isCorrect() && r.parameters().equals(parameters))
                .mapToDouble(TuningResult::medianSeconds).findFirst().orElse(Double.NaN);
    }
}
