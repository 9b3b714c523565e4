package org.trellis.adapt.metric;

import java.util.Objects;
import org.trellis.adapt.geometry.ElementLocator;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.common.Checks;

/**
 * A metric given at the vertices of a mesh, interpolated between them. Points outside have the metric of the nearest
 * point of
 * the nearest element that their cell of the locating grid knows.
 */
public final class BackgroundMetric implements MetricSource {
    private final SimplexMesh mesh;
    private final ElementLocator locator;
    private final double[] tensors;
    private final boolean logarithms;
    private final int size;

    private BackgroundMetric(SimplexMesh mesh, double[] tensors, boolean logarithms) {
        this.mesh = mesh;
        this.locator = new ElementLocator(mesh);
        this.tensors = tensors;
        this.logarithms = logarithms;
        this.size = Tensors.size(mesh.dimension());
    }

    /**
     * Makes a metric of values at vertices. Takes time proportional to the mesh.
     *
     * @param mesh          the mesh
     * @param metric        a tensor for each vertex, positive definite; copied
     * @param interpolation how to interpolate between them
     * @return the metric
     * @throws IllegalArgumentException if there is not a tensor for each vertex
     */
    public static BackgroundMetric of(SimplexMesh mesh, double[] metric, MetricInterpolation interpolation) {
        int size = Tensors.size(mesh.dimension());
        Checks.length("numbers of the metric", metric.length, (long) size * mesh.vertices());
        double[] tensors = metric.clone();
        boolean logarithms = Objects.requireNonNull(interpolation) == MetricInterpolation.LOG_EUCLIDEAN;
        if (logarithms) {
            for (int o = 0; o < tensors.length; o += size) {
                Tensors.map(mesh.dimension(), tensors, o, Math::log);
            }
        }
        return new BackgroundMetric(mesh, tensors, logarithms);
    }

    @Override
    public void at(double[] x, int o, double[] metric, int p) {
        int d = mesh.dimension();
        double[] weights = new double[d + 1];
        int element = locator.locate(x, o, weights);
        for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int k = 0; k <= d; k++) {
                sum += weights[k] * tensors[mesh.corners()[element * (d + 1) + k] * size + i];
            }
            metric[p + i] = sum;
        }
        if (logarithms) {
            Tensors.map(d, metric, p, Math::exp);
        }
    }
}
