package org.trellis.adapt;

import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.adapt.metric.BackgroundMetric;
import org.trellis.adapt.metric.MetricInterpolation;
import org.trellis.adapt.metric.MetricSource;

/**
 * A metric between that of a mesh and the one that is aimed at, for meshes whose edges are many times too long in some
 * directions and too short in others. Edges that are split in their middle until they are short enough make elements
 * that are small in all directions, and far more of them than the metric asks for. So the mesh is adapted in stages: in
 * each, the metric's small lengths are raised, around each vertex to a share of the longest edge there, and its great
 * ones are as they will be. The mesh is coarsened along directions first and refined across them afterwards, and each
 * stage has no more elements than the next.
 */
final class MetricStage implements MetricSource {
    /** A metric with a ratio of lengths below this is as good as isotropic: splitting follows it. */
    private static final double STRETCHED = 8;

    private final int dimension;
    private final MetricSource target;
    /** The greatest eigenvalue that is left, as an isotropic tensor. */
    private final BackgroundMetric greatest;

    private MetricStage(int dimension, MetricSource target, BackgroundMetric greatest) {
        this.dimension = dimension;
        this.target = target;
        this.greatest = greatest;
    }

    /**
     * Makes a stage.
     *
     * @param mesh   a mesh
     * @param target the metric that is aimed at
     * @param length what the longest edge around each vertex has as its length, unless it is shorter in the target
     */
    static MetricStage of(SimplexMesh mesh, MetricSource target, double length) {
        int d = mesh.dimension();
        int size = Tensors.size(d);
        double[] tensors = target.atAll(d, mesh.coordinates());
        double[] longest = longest(mesh, tensors);
        double[] values = new double[d];
        double[] vectors = new double[d * d];
        double[] capped = new double[tensors.length];
        for (int v = 0; v < mesh.vertices(); v++) {
            Tensors.eigen(d, tensors, v * size, values, vectors);
            double factor = Math.max(1, longest[v] / length);
            double most = greatest(values) / (factor * factor);
            for (int i = 0; i < d; i++) {
                capped[v * size + Tensors.index(d, i, i)] = most;
            }
        }
        return new MetricStage(d, target, BackgroundMetric.of(mesh, capped, MetricInterpolation.LOG_EUCLIDEAN));
    }

    /** Returns the length of the longest edge around a vertex where the metric is stretched, and 0 if it is nowhere. */
    static double longestStretched(SimplexMesh mesh, MetricSource target) {
        int d = mesh.dimension();
        double[] tensors = target.atAll(d, mesh.coordinates());
        double[] longest = longest(mesh, tensors);
        double[] values = new double[d];
        double[] vectors = new double[d * d];
        double most = 0;
        for (int v = 0; v < mesh.vertices(); v++) {
            if (longest[v] > most) {
                Tensors.eigen(d, tensors, v * Tensors.size(d), values, vectors);
                double least = values[0];
                for (double value : values) {
                    least = Math.min(least, value);
                }
                most = greatest(values) > STRETCHED * STRETCHED * least ? longest[v] : most;
            }
        }
        return most;
    }

    private static double greatest(double... values) {
        double greatest = values[0];
        for (double value : values) {
            greatest = Math.max(greatest, value);
        }
        return greatest;
    }

    private static double[] longest(SimplexMesh mesh, double[] tensors) {
        int width = mesh.dimension() + 1;
        double[] longest = new double[mesh.vertices()];
        for (int e = 0; e < mesh.elements(); e++) {
            for (int i = 0; i < width; i++) {
                for (int j = 0; j < i; j++) {
                    int a = mesh.corners()[e * width + i];
                    int b = mesh.corners()[e * width + j];
                    double length =
                            SimplexQuality.edgeLength(mesh.dimension(), mesh.coordinates(), tensors, a, b);
                    longest[a] = Math.max(longest[a], length);
                    longest[b] = Math.max(longest[b], length);
                }
            }
        }
        return longest;
    }

    @Override
    public void at(double[] x, int o, double[] metric, int p) {
        greatest.at(x, o, metric, p);
        double most = metric[p];
        target.at(x, o, metric, p);
        double[] values = new double[dimension];
        double[] vectors = new double[dimension * dimension];
        Tensors.eigen(dimension, metric, p, values, vectors);
        for (int k = 0; k < dimension; k++) {
            values[k] = Math.min(values[k], most);
        }
        Tensors.compose(dimension, values, vectors, metric, p);
    }
}
