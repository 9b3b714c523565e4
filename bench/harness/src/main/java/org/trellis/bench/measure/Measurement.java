package org.trellis.bench.measure;

import java.util.Map;
import java.util.Optional;
import org.trellis.common.Precision;

/**
 * One contender on one matrix.
 *
 * @param matrix          name of the matrix
 * @param traffic         the work of one product
 * @param backend         name of the backend or peer
 * @param parameters      how it was run
 * @param precision       the type of the values
 * @param threads         threads that it used
 * @param samples         seconds of one product, in the order in which they were taken
 * @param deviceSamples   seconds of one product on the clock of the device that computed it; none if this process did
 * @param batch           products in each sample, whose time was divided by it
 * @param verdict         the comparison with the reference after the last product
 * @param prepareSeconds  shortest time to prepare the product
 * @param preparedBytes   memory of the prepared matrix, negative if not known
 * @param collections     garbage collections that ended during this contender's turns
 */
public record Measurement(String matrix, Traffic traffic, String backend, Map<String, Object> parameters,
        Precision precision, int threads, double[] samples, double[] deviceSamples, int batch,
        ErrorCheck.Verdict verdict,
        double prepareSeconds, long preparedBytes, long collections) {

    /**
     * Returns the statistics of the samples.
     *
     * @return seconds of one product
     */
    public SampleStatistics statistics() {
        return SampleStatistics.of(samples);
    }

    /**
     * Returns the statistics of the device's own times.
     *
     * @return seconds of one product, or empty if this process computed it
     */
    public Optional<SampleStatistics> deviceStatistics() {
        return deviceSamples.length == 0 ? Optional.empty() : Optional.of(SampleStatistics.of(deviceSamples));
    }

    /**
     * Returns the speed at the median.
     *
     * @return 10⁹ floating-point operations in a second
     */
    public double gflops() {
        return traffic.flops() / statistics().median() * 1e-9;
    }

    /**
     * Returns the bandwidth of equation (4.4) of the thesis at the median.
     *
     * @return 10⁹ bytes in a second
     */
    public double effectiveGBs() {
        return traffic.effectiveBytes() / statistics().median() * 1e-9;
    }

    /**
     * Returns the bandwidth of equation (4.6) of the thesis at the median.
     *
     * @return 10⁹ bytes in a second
     */
    public double minimumGBs() {
        return traffic.minimumBytes() / statistics().median() * 1e-9;
    }
}
