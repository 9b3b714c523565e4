package org.trellis.bench.report.html;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis of a chart.
 *
 * @param low  smallest value
 * @param high largest value
 * @param from coordinate of the smallest
 * @param to   coordinate of the largest
 */
record LogAxis(double low, double high, double from, double to) {
    double at(double value) {
        double share = Math.log(Math.max(value, low) / low) / Math.log(high / low);
        return from + Math.min(1, share) * (to - from);
    }

    /** Returns powers of ten in the range, with 2 and 5 times them where the range is short. */
    List<Double> ticks() {
        double decades = Math.log10(high / low);
        double[] factors = decades > 3.5 ? new double[]{1} : decades > 1.6 ? new double[]{1, 3} : new double[]{1, 2, 5};
        List<Double> ticks = new ArrayList<>();
        for (int exponent = (int) Math.floor(Math.log10(low)); exponent <= Math.log10(high); exponent++) {
            for (double factor : factors) {
                double tick = factor * Math.pow(10, exponent);
                if (tick >= low * 0.999 && tick <= high * 1.001) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
