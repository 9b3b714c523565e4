package org.trellis.adapt.metric;

/**
 * A metric everywhere in a domain. Methods may be called from several threads at once, and return the same for the same
 * point each time.
 */
@FunctionalInterface
public interface MetricSource {
    /**
     * Returns the metric at a point.
     *
     * @param x      coordinates
     * @param o      where those of the point start
     * @param metric gets the tensor, packed by rows of the upper triangle and positive definite
     * @param p      where the tensor starts
     */
    void at(double[] x, int o, double[] metric, int p);

    /**
     * Says whether this is the metric at the start only, and vertices carry it along from there.
     *
     * @return false for a metric that is asked wherever a vertex is put
     */
    default boolean isInterpolated() {
        return false;
    }

    /**
     * Returns the metric at all points.
     *
     * @param dimension   2 or 3
     * @param coordinates of the points
     * @return a tensor for each
     */
    default double[] atAll(int dimension, double[] coordinates) {
        int size = dimension * (dimension + 1) / 2;
        int points = coordinates.length / dimension;
        double[] metric = new double[points * size];
        for (int i = 0; i < points; i++) {
            at(coordinates, i * dimension, metric, i * size);
        }
        return metric;
    }
}
