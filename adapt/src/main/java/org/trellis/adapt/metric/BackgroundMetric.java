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
     * @throws IllegalArgumentException if there is not a tensor for each vertex, or one is not positive definite; names
     *                                  the vertex
     */
    public static BackgroundMetric of(SimplexMesh mesh, double[] metric, MetricInterpolation interpolation) {
        int size = Tensors.size(mesh.dimension());
        Checks.length("numbers of the metric", metric.length, (long) size * mesh.vertices());
        VertexMetrics.check(mesh.dimension(), mesh.coordinates(), metric);
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
        int element = locator.find(x, o);
        if (element < 0) {
            atNearest(x, o, metric, p);
        } else if (mesh.dimension() == 2) {
            inPlane(element, x, o, metric, p);
        } else {
            inSpace(element, x, o, metric, p);
        }
        if (logarithms) {
            Tensors.map(mesh.dimension(), metric, p, Math::exp);
        }
    }

    private void inPlane(int element, double[] x, int o, double[] metric, int p) {
        int first = 3 * element;
        int[] corners = mesh.corners();
        double wb = Math.max(0, locator.weight(element, 1, x, o));
        double wc = Math.max(0, locator.weight(element, 2, x, o));
        double wa = Math.max(0, 1 - wb - wc);
        double scale = 1 / (wa + wb + wc);
        int a = corners[first] * size;
        int b = corners[first + 1] * size;
        int c = corners[first + 2] * size;
        for (int i = 0; i < size; i++) {
            metric[p + i] = (wa * tensors[a + i] + wb * tensors[b + i] + wc * tensors[c + i]) * scale;
        }
    }

    private void inSpace(int element, double[] x, int o, double[] metric, int p) {
        int first = 4 * element;
        int[] corners = mesh.corners();
        double wb = Math.max(0, locator.weight(element, 1, x, o));
        double wc = Math.max(0, locator.weight(element, 2, x, o));
        double wd = Math.max(0, locator.weight(element, 3, x, o));
        double wa = Math.max(0, 1 - wb - wc - wd);
        double scale = 1 / (wa + wb + wc + wd);
        int a = corners[first] * size;
        int b = corners[first + 1] * size;
        int c = corners[first + 2] * size;
        int e = corners[first + 3] * size;
        for (int i = 0; i < size; i++) {
            metric[p + i] = (wa * tensors[a + i] + wb * tensors[b + i] + wc * tensors[c + i] + wd * tensors[e + i])
                    * scale;
        }
    }

    /** For points outside, and those that rounding puts there. */
    private void atNearest(double[] x, int o, double[] metric, int p) {
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
    }
}
