package org.trellis.adapt.metric;

import java.util.Arrays;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.common.Checks;

/**
 * A metric sampled on a regular grid and interpolated linearly along each axis in between (Rokos 2010, section
 * 4.5.1): finding
 * the values takes a multiplication instead of a search, whatever the mesh. Points outside have the metric of the
 * nearest point
 * of the grid.
 */
public final class RasterMetric implements MetricSource {
    private final int dimension;
    private final double[] origin;
    private final double[] step;
    private final int samples;
    private final int size;
    private final double[] tensors;

    private RasterMetric(int dimension, double[] origin, double[] step, int samples, double[] tensors) {
        this.dimension = dimension;
        this.origin = origin;
        this.step = step;
        this.samples = samples;
        this.size = Tensors.size(dimension);
        this.tensors = tensors;
    }

    /**
     * Samples a metric over the box of some points.
     *
     * @param dimension   2 or 3
     * @param coordinates of points; the grid covers them all
     * @param samples     samples along each axis, at least 2
     * @param source      the metric
     * @return its raster, of {@code samples} to the power {@code dimension} tensors
     * @throws IllegalArgumentException if there are too few samples or too many
     */
    public static RasterMetric of(int dimension, double[] coordinates, int samples, MetricSource source) {
        if (samples < 2) {
            throw new IllegalArgumentException(
                    "number of samples along an axis is " + samples + ", expected at least 2");
        }
        double[] least = new double[dimension];
        double[] step = new double[dimension];
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        Arrays.fill(step, Double.NEGATIVE_INFINITY);
        for (int i = 0; i < coordinates.length; i++) {
            least[i % dimension] = Math.min(least[i % dimension], coordinates[i]);
            step[i % dimension] = Math.max(step[i % dimension], coordinates[i]);
        }
        long points = 1;
        for (int k = 0; k < dimension; k++) {
            step[k] = (step[k] - least[k]) / (samples - 1);
            points *= samples;
        }
        int size = Tensors.size(dimension);
        double[] tensors = new double[Checks.arrayLength("numbers of the raster", points * size)];
        double[] x = new double[dimension];
        for (int i = 0; i < points; i++) {
            int rest = i;
            for (int k = 0; k < dimension; k++) {
                x[k] = least[k] + rest % samples * step[k];
                rest /= samples;
            }
            source.at(x, 0, tensors, i * size);
        }
        return new RasterMetric(dimension, least, step, samples, tensors);
    }

    @Override
    public void at(double[] x, int o, double[] metric, int p) {
        int base = 0;
        int stride = 1;
        double[] part = new double[dimension];
        for (int k = 0; k < dimension; k++) {
            double place = Math.clamp((x[o + k] - origin[k]) / step[k], 0, samples - 1);
            int cell = Math.min((int) place, samples - 2);
            part[k] = place - cell;
            base += cell * stride;
            stride *= samples;
        }
        Arrays.fill(metric, p, p + size, 0);
        for (int corner = 0; corner < 1 << dimension; corner++) {
            double weight = 1;
            int at = base;
            stride = 1;
            for (int k = 0; k < dimension; k++) {
                boolean upper = (corner >> k & 1) == 1;
                weight *= upper ? part[k] : 1 - part[k];
                at += upper ? stride : 0;
                stride *= samples;
            }
            for (int i = 0; i < size; i++) {
                metric[p + i] += weight * tensors[at * size + i];
            }
        }
    }

    /**
     * Measures what the raster loses: the greatest relative error of the length of an axis-parallel edge at the given
     * points.
     *
     * @param source      the metric that was sampled
     * @param coordinates of the points
     * @return the greatest of |sqrt(m / n) - 1| over diagonal entries m of this and n of the source
     */
    public double lengthError(MetricSource source, double[] coordinates) {
        double[] mine = new double[size];
        double[] exact = new double[size];
        double greatest = 0;
        for (int o = 0; o < coordinates.length; o += dimension) {
            at(coordinates, o, mine, 0);
            source.at(coordinates, o, exact, 0);
            for (int k = 0; k < dimension; k++) {
                int diagonal = Tensors.index(dimension, k, k);
                greatest = Math.max(greatest, Math.abs(Math.sqrt(mine[diagonal] / exact[diagonal]) - 1));
            }
        }
        return greatest;
    }
}
