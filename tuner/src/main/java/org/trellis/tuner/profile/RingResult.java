package org.trellis.tuner.profile;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.tuner.features.Fingerprint;

/**
 * What was measured of a number of rings of the halos of one matrix on several ranks.
 *
 * @param matrix    the structure of the matrix
 * @param precision the type of its values
 * @param setting   ranks, transport, partitioner and program
 * @param rings     the number of rings, at least 1
 * @param runtimes  seconds of a step, one for each turn that was timed
 * @param timestamp when it was measured
 */
public record RingResult(Fingerprint matrix, Precision precision, RingSetting setting, int rings, double[] runtimes,
        Instant timestamp) implements Measured {
    /**
     * Copies the array and checks the numbers.
     *
     * @throws IllegalArgumentException if there is no ring or no time, or a time is not a positive number
     */
    public RingResult {
        Objects.requireNonNull(matrix);
        Objects.requireNonNull(precision);
        Objects.requireNonNull(setting);
        Checks.positive("number of rings", rings);
        Objects.requireNonNull(timestamp);
        runtimes = runtimes.clone();
        TuningResult.check(runtimes, 0, Invalidity.CORRECT);
    }

    @Override
    public double[] runtimes() {
        return runtimes.clone();
    }

    /** Returns 0: halos are made once, for whatever number of rings is tried. */
    @Override
    public double prepareSeconds() {
        return 0;
    }

    /** Returns that it worked: there is no result otherwise. */
    @Override
    public Invalidity invalidity() {
        return Invalidity.CORRECT;
    }

    @Override
    public Object subject() {
        return List.of(group(), rings);
    }

    @Override
    public Object group() {
        return List.of(matrix, precision, setting);
    }
}
