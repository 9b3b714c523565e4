package org.trellis.bench.report;

import java.util.List;
import java.util.Map;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.Outcome;

/**
 * Everything about a run of products.
 *
 * @param provenance what the results come from
 * @param settings   how contenders were timed
 * @param bandwidths what memory and processor gave, the run's number of threads first
 * @param matrices   the matrices measured
 * @param peers      versions of the peers that took part, by name
 * @param outcome    the measurements and the failures
 */
public record RunReport(Provenance provenance, MeasureSettings settings, List<Bandwidth> bandwidths,
        List<MatrixFacts> matrices, Map<String, String> peers, Outcome outcome) {
    /** Copies the lists. */
    public RunReport {
        bandwidths = List.copyOf(bandwidths);
        matrices = List.copyOf(matrices);
        peers = Map.copyOf(peers);
    }

    /**
     * Returns what the memory gave to as many threads as a measurement used.
     *
     * @param measurement a measurement of this run
     * @return the bandwidth for its threads, or for the run's threads if that was not measured
     */
    public Bandwidth bandwidthOf(Measurement measurement) {
        return bandwidths.stream()
                .filter(bandwidth -> bandwidth.threads() == measurement.threads())
                .findFirst()
                .orElse(bandwidths.getFirst());
    }

    /**
     * Returns the share of the measured bandwidth that a product reaches.
     *
     * @param measurement a measurement of this run
     * @return its minimum bandwidth over the triad's with as many threads; above 1 where caches help
     */
    public double bandwidthShare(Measurement measurement) {
        return measurement.minimumGBs() / bandwidthOf(measurement).triadGBs();
    }
}
