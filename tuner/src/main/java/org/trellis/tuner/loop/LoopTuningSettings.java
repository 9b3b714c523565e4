package org.trellis.tuner.loop;

import java.util.Objects;
import org.trellis.tuner.contest.TuningSettings;

/**
 * How far run-time tuning of parallel loops goes.
 *
 * @param limits            limits for each loop: {@code products} are timed runs; {@code promising} is how many hints
 *                          are tried before the schemes; {@code likelySlowdown} is how much slower than the best a
 *                          scheme may be for its variants to be tried; {@code storedBytes} and
 *                          {@code preparesWithinProducts} are not used
 * @param allowUnrepeatable whether schemes are tried whose results differ in rounding from run to run (atomics)
 * @param warmUpSeconds     on the host, how long code that the JVM has not run before is run without being timed: until
 *                          its runs have not become notably shorter for so long
 */
public record LoopTuningSettings(TuningSettings limits, boolean allowUnrepeatable, double warmUpSeconds) {
    /** The usual settings: 200 timed runs and 48 sets of parameters of a loop, 10 s of preparation, repeatable. */
    public static final LoopTuningSettings DEFAULT =
            new LoopTuningSettings(TuningSettings.DEFAULT.withProducts(200).withTrials(48), false, 0.1);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the seconds are negative
     */
    public LoopTuningSettings {
        Objects.requireNonNull(limits);
        if (!(warmUpSeconds >= 0)) {
            throw new IllegalArgumentException("warmUpSeconds is " + warmUpSeconds + ", expected at least 0");
        }
    }

    /**
     * Returns these settings with other limits.
     *
     * @param value the new {@link #limits}
     * @return new settings
     */
    public LoopTuningSettings withLimits(TuningSettings value) {
        return new LoopTuningSettings(value, allowUnrepeatable, warmUpSeconds);
    }

    /**
     * Returns these settings with schemes tried that do not give the same bits in each run, or not.
     *
     * @param value the new {@link #allowUnrepeatable}
     * @return new settings
     */
    public LoopTuningSettings withUnrepeatable(boolean value) {
        return new LoopTuningSettings(limits, value, warmUpSeconds);
    }

    /**
     * Returns these settings with another time to warm up.
     *
     * @param value the new {@link #warmUpSeconds}
     * @return new settings
     */
    public LoopTuningSettings withWarmUpSeconds(double value) {
        return new LoopTuningSettings(limits, allowUnrepeatable, value);
    }
}
