package org.trellis.tuner.online;

import java.util.Arrays;
import org.trellis.sparse.SpmvParameters;

/** A set of parameters with the times measured so far. */
final class Trial {
    private final SpmvParameters parameters;
    private double[] samples = new double[4];
    private int count;

    Trial(SpmvParameters parameters) {
        this.parameters = parameters;
    }

    SpmvParameters parameters() {
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

    double last() {
        return samples[count - 1];
    }

    double least() {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < count; i++) {
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
