package org.trellis.tuner.profile;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.trellis.fem.FormChoice;

/**
 * What was measured of one way to store and compute a finite element system. The choice is kept by its names, so that a
 * profile with results of forms can be read, joined and written without finite elements.
 *
 * @param setting        the kind of system
 * @param configuration  the choice by name, as {@link FormChoice#toMap} makes it
 * @param runtimes       seconds of an assembly and the setting's products, one for each turn that was timed; none if it
 *                       did not work
 * @param prepareSeconds seconds that structures and plans took
 * @param invalidity     whether it worked
 * @param timestamp      when it was measured
 */
public record FormResult(FormSetting setting, Map<String, Object> configuration, double[] runtimes,
        double prepareSeconds, Invalidity invalidity, Instant timestamp) implements Measured {
    /** Copies map and array and checks the numbers. */
    public FormResult {
        Objects.requireNonNull(setting);
        configuration = Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
        Objects.requireNonNull(invalidity);
        Objects.requireNonNull(timestamp);
        runtimes = runtimes.clone();
        TuningResult.check(runtimes, prepareSeconds, invalidity);
    }

    /**
     * Makes a result of a choice.
     *
     * @param setting        the kind of system
     * @param choice         the choice
     * @param runtimes       seconds, one for each turn that was timed
     * @param prepareSeconds seconds that structures and plans took
     * @param invalidity     whether it worked
     * @param timestamp      when it was measured
     */
    public FormResult(FormSetting setting, FormChoice choice, double[] runtimes, double prepareSeconds,
            Invalidity invalidity, Instant timestamp) {
        this(setting, choice.toMap(), runtimes, prepareSeconds, invalidity, timestamp);
    }

    /**
     * Returns what was measured. Needs module {@code fem}.
     *
     * @return the choice
     * @throws IllegalArgumentException if the configuration is none; says what is wrong
     */
    public FormChoice choice() {
        return FormChoice.fromMap(configuration);
    }

    @Override
    public double[] runtimes() {
        return runtimes.clone();
    }

    @Override
    public Object subject() {
        return List.of(setting, configuration);
    }

    @Override
    public Object group() {
        return setting;
    }
}
