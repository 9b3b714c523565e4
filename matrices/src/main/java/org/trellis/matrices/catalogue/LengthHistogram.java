package org.trellis.matrices.catalogue;

import java.util.Arrays;

/**
 * Numbers of rows by length with an exact sum and a given deviation: the distribution p(l) ∝ exp(a f + b f²) on a range
 * of lengths, where f is the length (normal) or its logarithm (lognormal; a power law for b = 0), with a and b chosen
 * to fit mean and deviation. Among all distributions on the range with that mean and deviation the first has the
 * largest entropy. Counts are rounded by largest remainders and mended until the sum is exact.
 */
final class LengthHistogram {
    private static final int INNER_STEPS = 60;
    private static final int OUTER_STEPS = 50;
    private static final double STEEPEST = 40;

    private final int shortest;
    private final double[] feature;
    private final double[] weights;

    private LengthHistogram(int shortest, int longest, boolean logarithmic, double deviation) {
        this.shortest = shortest;
        this.feature = new double[longest - shortest + 1];
        this.weights = new double[feature.length];
        double scale = logarithmic ? 1 : Math.max(1, deviation);
        double middle = logarithmic ? 0 : (shortest + longest) / 2.0;
        Arrays.setAll(feature, i -> logarithmic
                ? StrictMath.log(Math.max(0.5, shortest + i))
                : (shortest + i - middle) / scale);
    }

    /**
     * Fits a distribution.
     *
     * @param rows        number of rows, at least 1
     * @param sum         sum of their lengths
     * @param deviation   their standard deviation
     * @param shortest    shortest length allowed
     * @param longest     longest length allowed
     * @param logarithmic whether the logarithm of the length is normally distributed
     * @return lengths of all rows in increasing order; their deviation is as near as the range allows
     */
    static int[] fit(int rows, long sum, double deviation, int shortest, int longest, boolean logarithmic) {
        if (sum < (long) rows * shortest || sum > (long) rows * longest) {
            throw new IllegalArgumentException("row lengths: sum is " + sum + " for " + rows + " rows, expected "
                    + (long) rows * shortest + " to " + (long) rows * longest);
        }
        double mean = (double) sum / rows;
        LengthHistogram histogram = new LengthHistogram(shortest, longest, logarithmic, deviation);
        double low = -STEEPEST;
        double high = STEEPEST;
        for (int step = 0; step < OUTER_STEPS; step++) {
            double curvature = (low + high) / 2;
            histogram.fitMean(mean, curvature);
            if (histogram.variance(mean) < deviation * deviation) {
                low = curvature;
            } else {
                high = curvature;
            }
        }
        int[] counts = histogram.counts(rows);
        mendSum(counts, sum - weightedSum(counts, shortest));
        mendSquares(counts, shortest, Math.round(rows * (deviation * deviation + mean * mean)));
        return expand(counts, shortest, rows);
    }

    private void fitMean(double mean, double curvature) {
        double low = -STEEPEST * 100;
        double high = STEEPEST * 100;
        for (int step = 0; step < INNER_STEPS; step++) {
            double slope = (low + high) / 2;
            setWeights(slope, curvature);
            if (mean() < mean) {
                low = slope;
            } else {
                high = slope;
            }
        }
    }

    private void setWeights(double slope, double curvature) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = slope * feature[i] + curvature * feature[i] * feature[i];
            largest = Math.max(largest, weights[i]);
        }
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = weights[i] < largest - 60 ? 0 : StrictMath.exp(weights[i] - largest);
            sum += weights[i];
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] /= sum;
        }
    }

    private double mean() {
        double mean = 0;
        for (int i = 0; i < weights.length; i++) {
            mean += weights[i] * (shortest + i);
        }
        return mean;
    }

    private double variance(double mean) {
        double variance = 0;
        for (int i = 0; i < weights.length; i++) {
            double distance = shortest + i - mean;
            variance += weights[i] * distance * distance;
        }
        return variance;
    }

    /** Rounds by walking along the distribution function: each count differs by less than 1 from its share. */
    private int[] counts(int rows) {
        int[] counts = new int[weights.length];
        double cumulative = 0;
        long done = 0;
        for (int i = 0; i < counts.length; i++) {
            cumulative += weights[i];
            long next = i == counts.length - 1 ? rows : Math.min(rows, Math.round(cumulative * rows));
            counts[i] = (int) (next - done);
            done = next;
        }
        return counts;
    }

    private static long weightedSum(int[] counts, int shortest) {
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += (long) counts[i] * (shortest + i);
        }
        return sum;
    }

    /** Moves rows by one entry, first those of the most frequent length. */
    private static void mendSum(int[] counts, long missing) {
        int direction = missing > 0 ? 1 : -1;
        long left = Math.abs(missing);
        while (left > 0) {
            int best = -1;
            for (int i = 0; i < counts.length; i++) {
                boolean movable = i + direction >= 0 && i + direction < counts.length;
                if (movable && counts[i] > 0 && (best < 0 || counts[i] > counts[best])) {
                    best = i;
                }
            }
            int moved = (int) Math.min(left, Math.max(1, counts[best] / 2));
            counts[best] -= moved;
            counts[best + direction] += moved;
            left -= moved;
        }
    }

    /**
     * Mends the sum of squares, which few rows of a long tail decide: moves one row of the longest kind up or down, and
     * as many of the shortest ones the other way.
     */
    private static void mendSquares(int[] counts, int shortest, long wanted) {
        for (int round = 0; round < 10_000; round++) {
            long missing = wanted;
            int longest = 0;
            int least = -1;
            for (int i = 0; i < counts.length; i++) {
                missing -= (long) counts[i] * (shortest + i) * (shortest + i);
                longest = counts[i] > 0 ? i : longest;
                least = least < 0 && counts[i] > 1 ? i : least;
            }
            int up = missing > 0 ? 1 : -1;
            boolean possible = longest + up < counts.length && least >= 0 && longest - least > 2
                    && (up < 0 || firstAbove(counts, least) < longest);
            if (!possible || Math.abs(missing) < 2L * (longest + shortest)) {
                return;
            }
            int other = up > 0 ? firstAbove(counts, least) : least;
            counts[longest]--;
            counts[longest + up]++;
            counts[other]--;
            counts[other - up]++;
        }
    }

    /** The shortest length above the least that rows have. */
    private static int firstAbove(int[] counts, int least) {
        int i = least + 1;
        while (i < counts.length && counts[i] == 0) {
            i++;
        }
        return i;
    }

    private static int[] expand(int[] counts, int shortest, int rows) {
        int[] lengths = new int[rows];
        int at = 0;
        for (int i = 0; i < counts.length; i++) {
            Arrays.fill(lengths, at, at + counts[i], shortest + i);
            at += counts[i];
        }
        return lengths;
    }
}
