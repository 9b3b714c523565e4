package org.trellis.adapt.metric;

import java.util.Objects;

/**
 * A metric that vertices carry along: it is asked where vertices are at the start; where one is put later, adaptation
 * interpolates linearly between the tensors of the mesh as it is then. Programs without a background mesh do so, among
 * them pragmatic. It costs no search, but tensors are convex in lengths, so they grow with each interpolation: the
 * quality that comes out is that of another metric than the one at the start.
 *
 * @param start the metric at the start
 */
public record InterpolatedMetric(MetricSource start) implements MetricSource {
    /** Checks that there is a metric. */
    public InterpolatedMetric {
        Objects.requireNonNull(start, "metric at the start");
    }

    @Override
    public void at(double[] x, int o, double[] metric, int p) {
        start.at(x, o, metric, p);
    }

    @Override
    public boolean isInterpolated() {
        return true;
    }
}
