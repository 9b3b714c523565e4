package org.trellis.tuner.profile;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.Fingerprint;

/**
 * What was measured of one set of parameters on one matrix.
 *
 * @param matrix         the structure of the matrix
 * @param precision      the type of its values
 * @param parameters     how the product was run
 * @param runtimes       seconds of the products that were timed; none if it did not work
 * @param prepareSeconds seconds that preparing the product took, conversion and compilation together
 * @param invalidity     whether it worked
 * @param timestamp      when it was measured
 */
public record TuningResult(Fingerprint matrix, Precision precision, SpmvParameters parameters, double[] runtimes,
        double prepareSeconds, Invalidity invalidity, Instant timestamp) implements Measured {
    /**
     * Copies the array and checks the numbers.
     *
     * @throws IllegalArgumentException if a time is not a positive number, or a correct result has none
     */
    public TuningResult {
        Objects.requireNonNull(matrix);
        Objects.requireNonNull(precision);
        Objects.requireNonNull(parameters);
        Objects.requireNonNull(invalidity);
        Objects.requireNonNull(timestamp);
        runtimes = runtimes.clone();
        check(runtimes, prepareSeconds, invalidity);
    }

    /**
     * Returns the seconds of the products that were timed.
     *
     * @return a copy
     */
    @Override
    public double[] runtimes() {
        return runtimes.clone();
    }

    @Override
    public Object subject() {
        return List.of(matrix, precision, parameters);
    }

    @Override
    public Object group() {
        return List.of(matrix, precision);
    }

    /** Checks the numbers of a result. */
    static void check(double[] runtimes, double prepareSeconds, Invalidity invalidity) {
        for (double seconds : runtimes) {
            if (!(seconds > 0) || !Double.isFinite(seconds)) {
                throw new IllegalArgumentException("a run time of " + seconds + " s, expected a positive number");
            }
        }
        if (!(prepareSeconds >= 0) || !Double.isFinite(prepareSeconds)) {
            throw new IllegalArgumentException("a preparation of " + prepareSeconds + " s, expected at least 0");
        }
        if (invalidity == Invalidity.CORRECT && runtimes.length == 0) {
            throw new IllegalArgumentException("a correct result without run times, expected at least one");
        }
    }
}
