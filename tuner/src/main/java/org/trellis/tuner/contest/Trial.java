package org.trellis.tuner.contest;

import java.util.Arrays;

/**
 * A way of running with the times measured so far.
 *
 * @param <P> the parameters that say how
 */
final class Trial<P> {
    private final P parameters;
    private double[] samples = new double[4];
    private int count;

    Trial(P parameters) {
        this.parameters = parameters;
    }

    P parameters() {
        return parameters;
    }

    void add(double seconds) {
        if (count == samples.length) {
            samples = Arrays.copyOf(samples, 2 * count);
        }
        samples[count++] = seconds;
    }

    int count() {
        return count;
    }

    double first() {
        return samples[0];
    }

    double least() {
        return leastOfLatest(count);
    }

    /** The least of the last few times; infinite if there is none. */
    double leastOfLatest(int few) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = Math.max(0, count - few); i < count; i++) {
            least = Math.min(least, samples[i]);
        }
        return least;
    }

    /** The largest time but the first, which finds caches cold, over the least. */
    double spread() {
        double most = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 1; i < count; i++) {
            most = Math.max(most, samples[i]);
            least = Math.min(least, samples[i]);
        }
        return count < 3 ? 0 : most / least - 1;
    }

    double[] samples() {
        return Arrays.copyOf(samples, count);
    }
}
