package org.trellis.bench.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * What a measurement gave.
 *
 * @param measurements the contenders that were right, in the order in which they were given
 * @param failures     the others
 */
public record Outcome(List<Measurement> measurements, List<Failure> failures) {
    /** Copies the lists. */
    public Outcome {
        measurements = List.copyOf(measurements);
        failures = List.copyOf(failures);
    }

    /**
     * Joins two outcomes.
     *
     * @param other another outcome
     * @return this one's lists followed by the other's
     */
    public Outcome plus(Outcome other) {
        List<Measurement> all = new ArrayList<>(measurements);
        all.addAll(other.measurements);
        List<Failure> failed = new ArrayList<>(failures);
        failed.addAll(other.failures);
        return new Outcome(all, failed);
    }

    /**
     * Returns an outcome without anything in it.
     *
     * @return two empty lists
     */
    public static Outcome none() {
        return new Outcome(List.of(), List.of());
    }
}
