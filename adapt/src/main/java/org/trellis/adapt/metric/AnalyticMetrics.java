package org.trellis.adapt.metric;

import java.util.Arrays;
import java.util.List;
import org.trellis.adapt.geometry.Tensors;

/** Metrics given by formulas. */
public final class AnalyticMetrics {
    private static final double WAVE_NUMBER = 50;
    private static final double WAVE = 0.1;
    private static final double FRONT = 0.1;
    private static final double BEND = 5;
    private static final double PLANE_ERROR = 0.001;
    private static final double SPACE_ERROR = 0.1;
    private static final double SPACE_ASPECT = 10;

    private AnalyticMetrics() {}

    /**
     * Asks for edges of one length everywhere.
     *
     * @param dimension 2 or 3
     * @param length    the length, above 0
     * @return the identity over the square of the length
     * @throws IllegalArgumentException if a length is not positive
     */
    public static MetricSource uniform(int dimension, double length) {
        requirePositive("length of edges", length);
        double[] tensor = new double[Tensors.size(dimension)];
        for (int i = 0; i < dimension; i++) {
            tensor[Tensors.index(dimension, i, i)] = 1 / (length * length);
        }
        return (x, o, metric, p) -> System.arraycopy(tensor, 0, metric, p, tensor.length);
    }

    /**
     * Asks for edges along each axis whose length falls linearly along that axis over the unit square or cube (Rokos
     * 2010,
     * section 5.1).
     *
     * @param dimension 2 or 3
     * @param least     the length at coordinate 1
     * @param greatest  the length at coordinate 0
     * @return the metric
     * @throws IllegalArgumentException if a length is not positive
     */
    public static MetricSource linear(int dimension, double least, double greatest) {
        requirePositive("least length of edges", least);
        requirePositive("greatest length of edges", greatest);
        return (x, o, metric, p) -> {
            Arrays.fill(metric, p, p + Tensors.size(dimension), 0);
            for (int i = 0; i < dimension; i++) {
                double h = greatest - (greatest - least) * x[o + i];
                metric[p + Tensors.index(dimension, i, i)] = 1 / (h * h);
            }
        };
    }

    /**
     * Asks for edges along the first axis whose length goes up and down once over the unit square, and for a constant
     * length along
     * the second.
     *
     * @param least    the least length
     * @param greatest the greatest
     * @return the metric, in two dimensions
     * @throws IllegalArgumentException if a length is not positive
     */
    public static MetricSource sine(double least, double greatest) {
        requirePositive("least length of edges", least);
        requirePositive("greatest length of edges", greatest);
        return (x, o, metric, p) -> {
            double h = least + (greatest - least) * (0.5 + 0.5 * Math.sin(2 * Math.PI * x[o]));
            double mean = 0.5 * (least + greatest);
            metric[p] = 1 / (h * h);
            metric[p + 1] = 0;
            metric[p + 2] = 1 / (mean * mean);
        };
    }

    /**
     * Asks for edges of a length that grows linearly from the boundary of the unit square or cube to its centre: the
     * metric of
     * the smoothing tests of the program pragmatic.
     *
     * @param dimension 2 or 3
     * @param boundary  the length on the boundary
     * @param centre    the length at the centre
     * @return the metric
     * @throws IllegalArgumentException if a length is not positive
     */
    public static MetricSource layer(int dimension, double boundary, double centre) {
        requirePositive("length of edges on the boundary", boundary);
        requirePositive("length of edges at the centre", centre);
        return (x, o, metric, p) -> {
            double distance = 1;
            for (int i = 0; i < dimension; i++) {
                distance = Math.min(distance, 1 - Math.abs(2 * x[o + i] - 1));
            }
            double h = centre - (boundary - centre) * (distance - 1);
            Arrays.fill(metric, p, p + Tensors.size(dimension), 0);
            for (int i = 0; i < dimension; i++) {
                metric[p + Tensors.index(dimension, i, i)] = 1 / (h * h);
            }
        };
    }

    /**
     * A field with waves along the first axis and a curved front, on which the program pragmatic tests adaptation.
     *
     * @param x first coordinate, from 0 to 1
     * @param y second coordinate, from 0 to 1
     * @return the value
     */
    public static double wavesAndFront(double x, double y) {
        double s = 2 * x - 1;
        double t = 2 * y - 1;
        return WAVE * Math.sin(WAVE_NUMBER * s) + Math.atan2(-FRONT, 2 * s - Math.sin(BEND * t));
    }

    /** Writes second derivatives of {@link #wavesAndFront} by its own coordinates s and t: ss, st, tt. */
    private static void hessian(double s, double t, double[] h) {
        double u = 2 * s - Math.sin(BEND * t);
        double across = u * u + FRONT * FRONT;
        double first = FRONT / across;
        double second = -2 * FRONT * u / (across * across);
        double slope = -BEND * Math.cos(BEND * t);
        h[0] = -WAVE * WAVE_NUMBER * WAVE_NUMBER * Math.sin(WAVE_NUMBER * s) + 4 * second;
        h[1] = 2 * slope * second;
        h[2] = slope * slope * second + BEND * BEND * Math.sin(BEND * t) * first;
    }

    /**
     * The metric of pragmatic's test of adaptation in the plane: the exact Hessian of {@link #wavesAndFront}, for an
     * error of
     * 0.001 in the second norm. The test itself recovers the Hessian from values on a mesh, as
     * {@link HessianRecovery} does.
     *
     * @return the metric, in two dimensions
     */
    public static MetricSource pragmaticPlane() {
        MetricBounds bounds = MetricBounds.NONE.withLengths(1e-5, 1);
        return (x, o, metric, p) -> {
            double[] h = new double[3];
            hessian(2 * x[o] - 1, 2 * x[o + 1] - 1, h);
            for (int i = 0; i < h.length; i++) {
                h[i] *= 4;
            }
            HessianRecovery.toMetric(2, h, 0, PLANE_ERROR, 2);
            bounds.apply(2, h, 0);
            System.arraycopy(h, 0, metric, p, h.length);
        };
    }

    /**
     * The metric of pragmatic's test of adaptation in space: second derivatives of {@link #wavesAndFront} by its own
     * coordinates over 0.1, edges of length 1 along the third axis, and an aspect ratio of at most 10.
     *
     * @return the metric, in three dimensions
     */
    public static MetricSource pragmaticSpace() {
        MetricBounds bounds = MetricBounds.NONE.withAspect(SPACE_ASPECT);
        return (x, o, metric, p) -> {
            double[] h = new double[3];
            hessian(2 * x[o] - 1, 2 * x[o + 1], h);
            double[] tensor = {h[0] / SPACE_ERROR, h[1] / SPACE_ERROR, 0, h[2] / SPACE_ERROR, 0, 1};
            Tensors.map(3, tensor, 0, Math::abs);
            bounds.apply(3, tensor, 0);
            System.arraycopy(tensor, 0, metric, p, tensor.length);
        };
    }

    /**
     * Returns the names of {@link #named}.
     *
     * @return the names
     */
    public static List<String> names() {
        return List.of("pragmatic2d", "pragmatic3d", "linear", "sine", "layer");
    }

    /**
     * Finds a metric by name.
     *
     * @param name      one of {@link #names}, with the lengths that its tests use; or {@code linear}, {@code sine} or
     *                  {@code layer} with a colon and the least and greatest length, as {@code linear:0.06,0.3}
     * @param dimension 2 or 3
     * @return the metric
     * @throws IllegalArgumentException if there is none of that name or in that dimension, or the lengths are no two
     *                                  numbers above 0
     */
    public static MetricSource named(String name, int dimension) {
        String[] parts = name.split(":", 2);
        double[] lengths = parts.length < 2 ? null : lengths(name, parts[1]);
        return switch (parts[0]) {
            case "pragmatic2d" -> inDimension(name, 2, dimension, withoutLengths(name, lengths, pragmaticPlane()));
            case "pragmatic3d" -> inDimension(name, 3, dimension, withoutLengths(name, lengths, pragmaticSpace()));
            case "linear" -> lengths == null
                    ? linear(dimension, 0.05, 0.5)
                    : linear(dimension, lengths[0], lengths[1]);
            case "sine" -> inDimension(name, 2, dimension,
                    lengths == null ? sine(0.05, 0.5) : sine(lengths[0], lengths[1]));
            case "layer" -> lengths == null
                    ? layer(dimension, 0.02, 0.2)
                    : layer(dimension, lengths[0], lengths[1]);
            default -> throw new IllegalArgumentException(
                    "there is no analytic metric '" + parts[0] + "', expected one of " + names());
        };
    }

    private static double[] lengths(String name, String text) {
        String[] numbers = text.split(",", -1);
        try {
            if (numbers.length == 2) {
                return new double[]{Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1])};
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("analytic metric '" + name + "': expected two numbers after the colon,"
                    + " the least and the greatest length", e);
        }
        throw new IllegalArgumentException("analytic metric '" + name + "' has " + numbers.length
                + " numbers after the colon, expected two, the least and the greatest length");
    }

    private static MetricSource withoutLengths(String name, double[] lengths, MetricSource source) {
        if (lengths != null) {
            throw new IllegalArgumentException("analytic metric '" + name + "': expected no lengths, which are for"
                    + " linear, sine and layer");
        }
        return source;
    }

    private static MetricSource inDimension(String name, int wanted, int dimension, MetricSource source) {
        if (wanted != dimension) {
            throw new IllegalArgumentException("the metric '" + name + "' is for " + wanted
                    + " dimensions, but the mesh has " + dimension);
        }
        return source;
    }

    private static void requirePositive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(what + " is " + value + ", expected a number above 0");
        }
    }
}
