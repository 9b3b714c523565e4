package org.trellis.bench.report;

import java.util.List;
import java.util.Map;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.DeviceBandwidth;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.measure.Measurement;
import org.trellis.bench.measure.Outcome;

/**
 * Everything about a run of products.
 *
 * @param provenance what the results come from
 * @param settings   how contenders were timed
 * @param bandwidths what memory and processor gave, the run's number of threads first
 * @param devices    what the memory of devices gave
 * @param matrices   the matrices measured
 * @param peers      versions of the peers that took part, by name
 * @param outcome    the measurements and the failures
 * @param job        the ranks, null for one
 */
public record RunReport(Provenance provenance, MeasureSettings settings, List<Bandwidth> bandwidths,
        List<DeviceBandwidth> devices, List<MatrixFacts> matrices, Map<String, String> peers, Outcome outcome,
        JobFacts job) {
    /** Copies the lists. */
    public RunReport {
        bandwidths = List.copyOf(bandwidths);
        devices = List.copyOf(devices);
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
     * @return its minimum bandwidth over the triad's with as many threads, or over the copy's of the device that
     *         computed it; above 1 where caches help
     */
    public double bandwidthShare(Measurement measurement) {
        return measurement.minimumGBs() / limitOf(measurement);
    }

    /** Peers on a device do not say which: it is the one that was measured. */
    private double limitOf(Measurement measurement) {
        if (measurement.deviceSamples().length == 0 || devices.isEmpty()) {
            return bandwidthOf(measurement).triadGBs();
        }
        return devices.stream().filter(device -> device.backend().equals(measurement.backend())).findFirst()
                .orElse(devices.getFirst()).copyGBs();
    }

    /**
     * Returns the share of the measured bandwidth that a product reaches by the device's own clock.
     *
     * @param measurement a measurement with device times
     * @param seconds     one of them
     * @return bytes of equation (4.6) of the thesis in that time over the measured bandwidth
     */
    public double deviceBandwidthShare(Measurement measurement, double seconds) {
        return measurement.traffic().minimumBytes() * 1e-9 / seconds / limitOf(measurement);
    }
}
