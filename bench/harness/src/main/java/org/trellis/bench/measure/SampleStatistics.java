package org.trellis.bench.measure;

import java.util.Arrays;

/**
 * Robust statistics of a set of times. Quantiles interpolate linearly between order statistics (Hyndman and Fan 1996,
 * definition 7), so the median of an even number is the mean of the middle two.
 *
 * @param count         number of samples
 * @param minimum       smallest
 * @param lowerQuartile 25 % quantile
 * @param median        50 % quantile
 * @param upperQuartile 75 % quantile
 * @param maximum       largest
 * @param medianDeviation median of the distances from the median (MAD), not scaled
 */
public record SampleStatistics(int count, double minimum, double lowerQuartile, double median, double upperQuartile,
        double maximum, double medianDeviation) {
    /**
     * Computes the statistics.
     *
     * @param samples at least one number; not changed
     * @return the statistics
     * @throws IllegalArgumentException if there is no sample
     */
    public static SampleStatistics of(double... samples) {
        if (samples.length == 0) {
            throw new IllegalArgumentException("statistics of 0 samples, expected at least 1");
        }
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        double median = quantile(sorted, 0.5);
        double[] distances = Arrays.stream(sorted).map(sample -> Math.abs(sample - median)).sorted().toArray();
        return new SampleStatistics(sorted.length, sorted[0], quantile(sorted, 0.25), median, quantile(sorted, 0.75),
                sorted[sorted.length - 1], quantile(distances, 0.5));
    }

    private static double quantile(double[] sorted, double share) {
        double position = share * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    /**
     * Returns the spread relative to the median.
     *
     * @return the interquartile range over the median, 0 if the median is 0
     */
    public double relativeSpread() {
        return median == 0 ? 0 : (upperQuartile - lowerQuartile) / median;
    }
}
