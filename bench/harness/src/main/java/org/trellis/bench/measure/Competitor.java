package org.trellis.bench.measure;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;

/** A contender with its prepared product and the samples taken so far. */
final class Competitor implements AutoCloseable {
    private static final int MAXIMUM_BATCH = 1 << 20;
    private static final int MAXIMUM_SAMPLES = 20_000;
    /** Flushing caches may take far longer than the product: a turn lasts at most so many times the time asked for. */
    private static final double LONGEST_TURN = 5;
    /** Products of a turn that are timed on the device's own clock, where there is one. */
    private static final int DEVICE_SAMPLES_OF_TURN = 20;

    private final Contender contender;
    private final TimedProduct product;
    private final double prepareSeconds;
    private final List<Double> samples = new ArrayList<>();
    private final List<Double> deviceSamples = new ArrayList<>();
    private double fastestWarmUp = Double.POSITIVE_INFINITY;
    private int batch = 1;
    private long collections;

    @MustBeClosed
    Competitor(Contender contender, TimedProduct product, double prepareSeconds) {
        this.contender = contender;
        this.product = product;
        this.prepareSeconds = prepareSeconds;
    }

    Contender contender() {
        return contender;
    }

    TimedProduct product() {
        return product;
    }

    /** Runs for a while without keeping the times. */
    void warmUp(double seconds) {
        fastestWarmUp = Math.min(fastestWarmUp, product.warmUp(seconds));
    }

    /** Returns the seconds of the fastest product of the warm-up. */
    double fastestWarmUp() {
        return fastestWarmUp;
    }

    /** Decides how many products make a sample. */
    void chooseBatch(double minimumSampleSeconds) {
        double wanted = Math.ceil(minimumSampleSeconds / Math.max(fastestWarmUp, 1e-9));
        batch = (int) Math.max(1, Math.min(MAXIMUM_BATCH, wanted));
    }

    /** Takes samples for a given time, at least one. */
    void takeTurn(double seconds, CacheFlush flush) {
        long before = product.collections();
        product.run();
        long start = System.nanoTime();
        double measured = 0;
        do {
            product.flush(flush);
            double sample = product.seconds(batch);
            samples.add(sample / batch);
            measured += sample;
        } while (measured < seconds && (System.nanoTime() - start) * 1e-9 < LONGEST_TURN * seconds
                && samples.size() < MAXIMUM_SAMPLES);
        for (double sample : product.deviceSeconds(DEVICE_SAMPLES_OF_TURN)) {
            deviceSamples.add(sample);
        }
        collections += product.collections() - before;
    }

    Measurement measurement(String matrix, Traffic traffic, ErrorCheck.Verdict verdict) {
        double[] times = samples.stream().mapToDouble(Double::doubleValue).toArray();
        double[] deviceTimes = deviceSamples.stream().mapToDouble(Double::doubleValue).toArray();
        return new Measurement(matrix, traffic, contender.name(), contender.parameters(), contender.precision(),
                contender.threads(), times, deviceTimes, batch, verdict, prepareSeconds, product.preparedBytes(),
                collections);
    }

    @Override
    public void close() {
        product.close();
    }
}
