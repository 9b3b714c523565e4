package org.trellis.tuner.profile;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trellis.tuner.features.Fingerprint;

/**
 * What was measured of one choice of a solver for the systems of one structure. The choice is kept by its names.
 *
 * @param matrix         the structure of the matrix
 * @param setting        precision, tolerance, ranks, and whether values changed
 * @param configuration  the choice by name
 * @param runtimes       seconds of each solution that it found; none if it did not work
 * @param prepareSeconds seconds that its set-up took; where values change, its renewal for other ones
 * @param invalidity     whether it worked; {@link Invalidity#CORRECTNESS} if it reported a solution whose recomputed
 *                       residual was none, {@link Invalidity#TIMEOUT} if it was cut off
 * @param chosen         whether it was the one that the program went on with at the end
 * @param calibrated     whether another machine measured it, and times were scaled to this device
 * @param timestamp      when it was measured
 */
public record SolverResult(Fingerprint matrix, SolverSetting setting, Map<String, Object> configuration,
        double[] runtimes, double prepareSeconds, Invalidity invalidity, boolean chosen, boolean calibrated,
        Instant timestamp) implements Measured {
    /** Copies map and array and checks the numbers. */
    public SolverResult {
        Objects.requireNonNull(matrix);
        Objects.requireNonNull(setting);
        configuration = Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
        Objects.requireNonNull(invalidity);
        Objects.requireNonNull(timestamp);
        runtimes = runtimes.clone();
        TuningResult.check(runtimes, prepareSeconds, invalidity);
    }

    /**
     * Takes what was measured on the device itself.
     *
     * @param matrix         the structure of the matrix
     * @param setting        precision, tolerance, ranks, and whether values changed
     * @param configuration  the choice by name
     * @param runtimes       seconds of each solution that it found; none if it did not work
     * @param prepareSeconds seconds that its set-up took; where values change, its renewal for other ones
     * @param invalidity     whether it worked
     * @param chosen         whether it was the one that the program went on with at the end
     * @param timestamp      when it was measured
     */
    public SolverResult(Fingerprint matrix, SolverSetting setting, Map<String, Object> configuration,
            double[] runtimes, double prepareSeconds, Invalidity invalidity, boolean chosen, Instant timestamp) {
        this(matrix, setting, configuration, runtimes, prepareSeconds, invalidity, chosen, false, timestamp);
    }

    @Override
    public double[] runtimes() {
        return runtimes.clone();
    }

    /**
     * Returns what a solution costs, the set-up included.
     *
     * @param solves how many solutions a set-up serves where values do not change
     * @return seconds, infinite if it did not work
     */
    public double secondsOfSolution(int solves) {
        return medianSeconds() + (setting.updated() ? prepareSeconds : prepareSeconds / Math.max(1, solves));
    }

    @Override
    public Object subject() {
        return List.of(matrix, setting, configuration);
    }

    @Override
    public Object group() {
        return List.of(matrix, setting);
    }
}
