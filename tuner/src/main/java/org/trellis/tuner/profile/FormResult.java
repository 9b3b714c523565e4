package org.trellis.tuner.profile;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.trellis.fem.FormChoice;

/**
 * What was measured of one way to store and compute a finite element system.
 *
 * @param setting        the kind of system
 * @param choice         the way
 * @param runtimes       seconds of an assembly and the setting's products, one for each turn that was timed; none if it
 *                       did not work
 * @param prepareSeconds seconds that structures and plans took
 * @param invalidity     whether it worked
 * @param timestamp      when it was measured
 */
public record FormResult(FormSetting setting, FormChoice choice, double[] runtimes, double prepareSeconds,
        Invalidity invalidity, Instant timestamp) implements Measured {
    /** Copies the array and checks the numbers. */
    public FormResult {
        Objects.requireNonNull(setting);
        Objects.requireNonNull(choice);
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
        return List.of(setting, choice);
    }

    @Override
    public Object group() {
        return setting;
    }
}
