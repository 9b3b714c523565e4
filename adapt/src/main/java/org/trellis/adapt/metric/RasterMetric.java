package org.trellis.adapt.metric;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.common.Checks;
import org.trellis.kernel.Raster;

/**
 * A metric sampled on a regular grid and interpolated linearly along each axis in between (Rokos 2010, section
 * 4.5.1): finding
 * the values takes a multiplication instead of a search, whatever the mesh. Points outside have the metric of the
 * nearest point
 * of the grid.
 */
public final class RasterMetric implements MetricSource {
    private static final int FIRST = 17;
    private static final int CENTRES = 10_000;

    private final int dimension;
    private final double[] origin;
    private final double[] step;
    private final int[] samples;
    private final int size;
    private final double[] tensors;

    private RasterMetric(int dimension, double[] origin, double[] step, int[] samples, double[] tensors) {
        this.dimension = dimension;
        this.origin = origin;
        this.step = step;
        this.samples = samples;
        this.size = Tensors.size(dimension);
        this.tensors = tensors;
    }

    /**
     * Makes a metric of given samples.
     *
     * @param dimension 2 or 3
     * @param origin    the first point of the grid; more coordinates than dimensions are left out
     * @param spacing   the distance of points along each axis, above 0
     * @param samples   samples along each axis, at least 2
     * @param tensors   a positive definite tensor for each point, the first axis running fastest; not copied
     * @return the metric
     * @throws IllegalArgumentException if a distance is not positive, there are too few samples, not a tensor for
     *                                  each, or one is not positive definite
     */
    public static RasterMetric of(int dimension, double[] origin, double[] spacing, int[] samples, double[] tensors) {
        long points = 1;
        for (int k = 0; k < dimension; k++) {
            if (samples[k] < 2 || !(spacing[k] > 0) || !Double.isFinite(origin[k] + samples[k] * spacing[k])) {
                throw new IllegalArgumentException("axis " + k + " has " + samples[k] + " samples, " + spacing[k]
                        + " apart from " + origin[k] + ", expected at least 2, apart by more than 0, all finite");
            }
            points = Math.multiplyExact(points, samples[k]);
        }
        int size = Tensors.size(dimension);
        Checks.length("numbers of the raster", tensors.length, points * size);
        double[] values = new double[dimension];
        double[] vectors = new double[dimension * dimension];
        for (int i = 0; i < points; i++) {
            Tensors.eigen(dimension, tensors, i * size, values, vectors);
            for (double value : values) {
                if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
                    throw new IllegalArgumentException("tensor " + i + " of the raster has the eigenvalue " + value
                            + ", expected a finite one above 0");
                }
            }
        }
        return new RasterMetric(dimension, Arrays.copyOf(origin, dimension), Arrays.copyOf(spacing, dimension),
                Arrays.copyOf(samples, dimension), tensors);
    }

    /**
     * Samples a metric over the box of some points. Rows of the grid are sampled at once.
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
        IntStream.range(0, (int) (points / samples)).parallel().forEach(row -> {
            double[] x = new double[dimension];
            for (int i = row * samples; i < (row + 1) * samples; i++) {
                int rest = i;
                for (int k = 0; k < dimension; k++) {
                    x[k] = least[k] + rest % samples * step[k];
                    rest /= samples;
                }
                source.at(x, 0, tensors, i * size);
            }
        });
        int[] counts = new int[dimension];
        Arrays.fill(counts, samples);
        return new RasterMetric(dimension, least, step, counts, tensors);
    }

    /**
     * Samples a metric over a mesh as finely as it takes: with 17 points along each axis, and then with
     * twice as many less one, until lengths in the raster differ from those in the metric by no more than is allowed on
     * average over an adapted mesh, or the next grid would have more points than are allowed. For the average the
     * centres of the elements count as much as elements of unit size fit into these. What was reached says
     * {@link #lengthError}.
     *
     * @param mesh   the mesh, of which up to 10,000 elements are read
     * @param error  the mean relative error of lengths to aim at, above 0
     * @param points how many points a grid may have at most, at least 17 to the power of the dimension
     * @param source the metric
     * @return its raster
     * @throws IllegalArgumentException if the error is not above 0, or there may be too few points
     */
    public static RasterMetric within(SimplexMesh mesh, double error, long points, MetricSource source) {
        int d = mesh.dimension();
        if (!(error > 0) || points < power(FIRST, d)) {
            throw new IllegalArgumentException("error of the raster is " + error + " with at most " + points
                    + " points, expected an error above 0 and at least " + power(FIRST, d) + " points");
        }
        double[] centres = centres(mesh);
        double[] exact = source.atAll(d, centres);
        double[] weights = weights(mesh, exact);
        int samples = FIRST;
        RasterMetric raster = of(d, mesh.coordinates(), samples, source);
        while (power(2 * samples - 1, d) <= points
                && mean(weights, errors(d, raster.atAll(d, centres), exact)) > error) {
            samples = 2 * samples - 1;
            raster = of(d, mesh.coordinates(), samples, source);
        }
        return raster;
    }

    private static long power(int samples, int dimension) {
        return dimension == 2 ? (long) samples * samples : (long) samples * samples * samples;
    }

    private static double mean(double[] weights, double[] values) {
        double sum = 0;
        double all = 0;
        for (int i = 0; i < values.length; i++) {
            sum += weights[i] * values[i];
            all += weights[i];
        }
        return sum / all;
    }

    /** What elements measure in the metric at their centres. */
    private static double[] weights(SimplexMesh mesh, double[] tensors) {
        int d = mesh.dimension();
        int size = Tensors.size(d);
        double[] weights = new double[tensors.length / size];
        int stride = Math.ceilDiv(mesh.elements(), CENTRES);
        for (int i = 0; i < weights.length; i++) {
            weights[i] = SimplexQuality.measure(d, mesh.coordinates(), mesh.corners(), i * stride * (d + 1))
                    * Math.sqrt(Tensors.determinant(d, tensors, i * size));
        }
        return weights;
    }

    /** The centres of elements, of every so many if there are many. */
    private static double[] centres(SimplexMesh mesh) {
        int d = mesh.dimension();
        int stride = Math.ceilDiv(mesh.elements(), CENTRES);
        double[] centres = new double[d * Math.ceilDiv(mesh.elements(), stride)];
        for (int i = 0; i < centres.length; i++) {
            int first = i / d * stride * (d + 1);
            for (int c = 0; c <= d; c++) {
                centres[i] += mesh.coordinates()[mesh.corners()[first + c] * d + i % d] / (d + 1);
            }
        }
        return centres;
    }

    /**
     * Returns the dimension.
     *
     * @return 2 or 3
     */
    public int dimension() {
        return dimension;
    }

    /**
     * Returns the first point of the grid.
     *
     * @return a copy of its coordinates
     */
    public double[] origin() {
        return origin.clone();
    }

    /**
     * Returns the distance of points.
     *
     * @return a copy, one for each axis
     */
    public double[] spacing() {
        return step.clone();
    }

    /**
     * Returns how many points there are along each axis.
     *
     * @return a copy
     */
    public int[] samples() {
        return samples.clone();
    }

    /**
     * Returns the tensors.
     *
     * @return one for each point, the first axis running fastest; the array itself
     */
    public double[] tensors() {
        return tensors;
    }

    /**
     * Returns a raster for kernels of the mesh runtime.
     *
     * @return the same values, not copied
     */
    public Raster toRaster() {
        return new Raster(size, samples, origin, step, tensors);
    }

    @Override
    public void at(double[] x, int o, double[] metric, int p) {
        int base = 0;
        int stride = 1;
        double[] part = new double[dimension];
        for (int k = 0; k < dimension; k++) {
            double place = Math.clamp((x[o + k] - origin[k]) / step[k], 0, samples[k] - 1);
            int cell = Math.min((int) place, samples[k] - 2);
            part[k] = place - cell;
            base += cell * stride;
            stride *= samples[k];
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
                stride *= samples[k];
            }
            for (int i = 0; i < size; i++) {
                metric[p + i] += weight * tensors[at * size + i];
            }
        }
    }

    /**
     * What a raster loses.
     *
     * @param greatest the greatest relative error of the length of an edge in any direction, at any of the points
     * @param mean     the mean over the points of the greatest of each
     */
    public record LengthError(double greatest, double mean) {}

    /**
     * Measures what the raster loses: how far lengths in this metric are from those in another. With N the other
     * tensor at a point and M this one, lengths in all directions differ by factors between the square roots of the
     * least and the greatest eigenvalue of N^(-1/2) M N^(-1/2).
     *
     * @param source      the metric that was sampled
     * @param coordinates of the points, at least one
     * @return the error
     */
    public LengthError lengthError(MetricSource source, double[] coordinates) {
        return lengthError(dimension, atAll(dimension, coordinates), source.atAll(dimension, coordinates));
    }

    /**
     * Measures how far lengths in some tensors are from those in others, as of a raster that a device has interpolated
     * in its own way.
     *
     * @param dimension 2 or 3
     * @param tensors   a tensor for each point, at least one
     * @param exact     those to compare with, as many
     * @return the error
     * @throws IllegalArgumentException if there are not as many
     */
    public static LengthError lengthError(int dimension, double[] tensors, double[] exact) {
        Checks.length("numbers of the tensors to compare with", exact.length, tensors.length);
        double[] errors = errors(dimension, tensors, exact);
        return new LengthError(Arrays.stream(errors).max().orElse(0), Arrays.stream(errors).average().orElse(0));
    }

    /** The greatest error of a length in any direction at each point. */
    private static double[] errors(int dimension, double[] tensors, double[] exact) {
        int size = Tensors.size(dimension);
        double[] root = new double[size];
        double[] values = new double[dimension];
        double[] vectors = new double[dimension * dimension];
        double[] errors = new double[tensors.length / size];
        for (int i = 0; i < errors.length; i++) {
            System.arraycopy(exact, i * size, root, 0, size);
            Tensors.map(dimension, root, 0, value -> 1 / Math.sqrt(value));
            Tensors.eigen(dimension, Tensors.sandwich(dimension, root, tensors, i * size), 0, values, vectors);
            for (double value : values) {
                errors[i] = Math.max(errors[i], Math.abs(Math.sqrt(value) - 1));
            }
        }
        return errors;
    }
}
