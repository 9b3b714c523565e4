package org.trellis.bench.report;

import java.util.List;
import java.util.Objects;
import org.trellis.bench.tune.SearchedMatrix;
import org.trellis.bench.tune.TuningOutcome;
import org.trellis.tuner.profile.TuningDevice;

/**
 * Everything about a run of searches or of run-time tuning.
 *
 * @param provenance what the results come from
 * @param device     what products ran on
 * @param searches   what was measured of each matrix
 * @param outcomes   how run-time tuning did, if that was judged
 */
public record TuningReport(Provenance provenance, TuningDevice device, List<SearchedMatrix> searches,
        List<TuningOutcome> outcomes) {
    /** Copies the lists. */
    public TuningReport {
        Objects.requireNonNull(provenance);
        Objects.requireNonNull(device);
        searches = List.copyOf(searches);
        outcomes = List.copyOf(outcomes);
    }
}
