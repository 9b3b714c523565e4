package org.trellis.tuner.profile;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.tuner.features.LoopFingerprint;

/**
 * What was measured of one set of parameters on one parallel loop.
 *
 * @param loop           the loop in certain layouts and a certain numbering
 * @param parameters     how it was run
 * @param runtimes       seconds of the runs that were timed; none if it did not work
 * @param prepareSeconds seconds that preparing the loop took, plan and code together
 * @param invalidity     whether it worked
 * @param timestamp      when it was measured
 */
public record LoopResult(LoopFingerprint loop, LoopParameters parameters, double[] runtimes, double prepareSeconds,
        Invalidity invalidity, Instant timestamp) implements Measured {
    /** Copies the array and checks the numbers. */
    public LoopResult {
        Objects.requireNonNull(loop);
        Objects.requireNonNull(parameters);
        Objects.requireNonNull(invalidity);
        Objects.requireNonNull(timestamp);
        runtimes = runtimes.clone();
        TuningResult.check(runtimes, prepareSeconds, invalidity);
    }

    @Override
    public double[] runtimes() {
        return runtimes.clone();
    }

    @Override
    public Object subject() {
        return List.of(loop, parameters);
    }

    @Override
    public Object group() {
        return loop;
    }
}
