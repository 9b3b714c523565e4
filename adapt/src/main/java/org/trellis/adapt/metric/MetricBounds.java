package org.trellis.adapt.metric;

import org.trellis.adapt.geometry.Tensors;

/**
 * Bounds on what a metric may ask for.
 *
 * @param least    the least length of edges, or 0
 * @param greatest the greatest length, or infinity
 * @param aspect   the greatest ratio of lengths in two directions, at least 1, or infinity
 */
public record MetricBounds(double least, double greatest, double aspect) {
    /** No bounds. */
    public static final MetricBounds NONE =
            new MetricBounds(0, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if they contradict each other
     */
    public MetricBounds {
        if (!(least >= 0) || !(greatest > least) || !(aspect >= 1)) {
            throw new IllegalArgumentException("bounds are lengths from " + least + " to " + greatest
                    + " and aspect ratio " + aspect + ", expected 0 <= least < greatest and a ratio of at least 1");
        }
    }

    /**
     * Changes the bounds on lengths.
     *
     * @param shortest the least length
     * @param longest  the greatest
     * @return a copy of these bounds
     */
    public MetricBounds withLengths(double shortest, double longest) {
        return new MetricBounds(shortest, longest, aspect);
    }

    /**
     * Changes the bound on the aspect ratio.
     *
     * @param ratio the greatest ratio
     * @return a copy of these bounds
     */
    public MetricBounds withAspect(double ratio) {
        return new MetricBounds(least, greatest, ratio);
    }

    /**
     * Makes a metric keep the bounds: eigenvalues are clamped, and the small ones are raised until the aspect ratio
     * is kept.
     *
     * @param dimension 2 or 3
     * @param metric    tensors; the one at the offset is changed
     * @param o         where the tensor starts
     */
    public void apply(int dimension, double[] metric, int o) {
        double[] values = new double[dimension];
        double[] vectors = new double[dimension * dimension];
        Tensors.eigen(dimension, metric, o, values, vectors);
        double highest = 1 / (least * least);
        double lowest = 1 / (greatest * greatest);
        double most = 0;
        for (int k = 0; k < dimension; k++) {
            values[k] = Math.clamp(values[k], lowest, highest);
            most = Math.max(most, values[k]);
        }
        for (int k = 0; k < dimension; k++) {
            values[k] = Math.max(values[k], most / (aspect * aspect));
        }
        Tensors.compose(dimension, values, vectors, metric, o);
    }
}
