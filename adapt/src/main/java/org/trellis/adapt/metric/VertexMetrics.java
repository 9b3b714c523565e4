package org.trellis.adapt.metric;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.common.Checks;

/** What is done to metrics at the vertices of a mesh before adapting to them. */
public final class VertexMetrics {
    private static final double PLANE_UNIT = Math.sqrt(3) / 4;
    private static final double SPACE_UNIT = Math.sqrt(2) / 12;
    private static final int MOST_PASSES = 100;

    private VertexMetrics() {}

    /**
     * Checks that there is a metric at each vertex.
     *
     * @param dimension   2 or 3
     * @param coordinates of the vertices
     * @param metric      a tensor for each vertex, perhaps followed by others
     * @throws IllegalArgumentException if one is not positive definite, or not finite; names the vertex
     */
    public static void check(int dimension, double[] coordinates, double[] metric) {
        int size = Tensors.size(dimension);
        for (int v = 0; v < coordinates.length / dimension; v++) {
            if (!Tensors.isPositiveDefinite(dimension, metric, v * size)) {
                throw wrong(dimension, v, coordinates, metric);
            }
        }
    }

    /**
     * Makes what is thrown where the metric of a vertex is none.
     *
     * @param dimension   2 or 3
     * @param vertex      the vertex
     * @param coordinates of all vertices
     * @param metric      a tensor for each vertex
     * @return an exception that names the vertex, where it is and its tensor
     */
    public static IllegalArgumentException wrong(int dimension, int vertex, double[] coordinates, double[] metric) {
        int size = Tensors.size(dimension);
        return new IllegalArgumentException("the metric of vertex " + vertex + " at "
                + Arrays.toString(Arrays.copyOfRange(coordinates, vertex * dimension, (vertex + 1) * dimension))
                + " is " + Arrays.toString(Arrays.copyOfRange(metric, vertex * size, (vertex + 1) * size)) + " ("
                + (dimension == 2 ? "xx, xy, yy" : "xx, xy, xz, yy, yz, zz")
                + "), expected a positive definite tensor of finite numbers");
    }

    /**
     * Returns how many elements of unit edges have the measure that the mesh has in a metric.
     *
     * @param mesh   the mesh
     * @param metric a tensor for each vertex
     * @return about the number of elements of a mesh adapted to it
     * @throws IllegalArgumentException if there is not a tensor for each vertex, or one is not positive definite
     */
    public static double complexity(SimplexMesh mesh, double[] metric) {
        int d = mesh.dimension();
        int size = Tensors.size(d);
        Checks.length("numbers of the metric", metric.length, (long) size * mesh.vertices());
        check(d, mesh.coordinates(), metric);
        return complexity(d, mesh.coordinates(), mesh.corners(), mesh.elements(), metric);
    }

    /**
     * Returns the same for a mesh in arrays, in which there may be gaps.
     *
     * @param dimension   2 or 3
     * @param coordinates of all vertices
     * @param corners     vertices of the elements; those of an element whose first corner is negative do not count
     * @param elements    number of elements and gaps
     * @param metric      a positive definite tensor for each vertex
     * @return about the number of elements of a mesh adapted to it
     */
    public static double complexity(int dimension, double[] coordinates, int[] corners, int elements,
            double[] metric) {
        int width = dimension + 1;
        double[] mean = new double[Tensors.size(dimension)];
        double sum = 0;
        for (int e = 0; e < elements; e++) {
            if (corners[e * width] < 0) {
                continue;
            }
            for (int i = 0; i < mean.length; i++) {
                mean[i] = 0;
                for (int k = 0; k < width; k++) {
                    mean[i] += metric[corners[e * width + k] * mean.length + i] / width;
                }
            }
            sum += SimplexQuality.measure(dimension, coordinates, corners, e * width)
                    * Math.sqrt(Tensors.determinant(dimension, mean, 0));
        }
        return sum / (dimension == 2 ? PLANE_UNIT : SPACE_UNIT);
    }

    /**
     * Scales a metric so that a mesh adapted to it has about a given number of elements (Rokos 2010, section 2.1.9).
     *
     * @param mesh     the mesh
     * @param metric   a tensor for each vertex; changed
     * @param elements the number of elements that is asked for, above 0
     * @return the factor beta that all tensors were multiplied by
     * @throws IllegalArgumentException if not a positive number of elements is asked for, or a tensor is not positive
     *                                  definite
     */
    public static double rescale(SimplexMesh mesh, double[] metric, double elements) {
        if (!(elements > 0)) {
            throw new IllegalArgumentException("number of elements is " + elements + ", expected one above 0");
        }
        double factor = Math.pow(elements / complexity(mesh, metric), 2.0 / mesh.dimension());
        for (int i = 0; i < metric.length; i++) {
            metric[i] *= factor;
        }
        return factor;
    }

    /**
     * Intersects a metric with another, vertex by vertex.
     *
     * @param dimension 2 or 3
     * @param metric    a tensor for each vertex; changed
     * @param other     another for each
     * @throws IllegalArgumentException if there are not as many numbers in both, or a tensor is not positive definite
     */
    public static void intersect(int dimension, double[] metric, double[] other) {
        Checks.length("numbers of the other metric", other.length, metric.length);
        for (int o = 0; o < metric.length; o += Tensors.size(dimension)) {
            if (!Tensors.isPositiveDefinite(dimension, metric, o) || !Tensors.isPositiveDefinite(dimension, other, o)) {
                throw new IllegalArgumentException("tensors " + o / Tensors.size(dimension)
                        + " are not both positive definite, expected metrics");
            }
            Tensors.intersect(dimension, metric, o, other, o);
        }
    }

    /**
     * Makes a metric change gradually: along an edge, the length that is asked for grows by at most a factor for each
     * unit of
     * length in the metric (F. Alauzet, "Size gradation control of anisotropic meshes", Finite Elem. Anal. Des. 46,
     * 2010,
     * the metric-space form). Passes over all edges, until nothing changes much or 100 are done.
     *
     * @param mesh   the mesh
     * @param metric a tensor for each vertex; changed
     * @param factor the growth, above 1
     * @return the number of passes
     * @throws IllegalArgumentException if the factor is not above 1, or a tensor is not positive definite
     */
    public static int gradate(SimplexMesh mesh, double[] metric, double factor) {
        if (!(factor > 1)) {
            throw new IllegalArgumentException("gradation is " + factor + ", expected a factor above 1");
        }
        int d = mesh.dimension();
        check(d, mesh.coordinates(), metric);
        for (int pass = 1; pass < MOST_PASSES; pass++) {
            boolean changed = false;
            for (int e = 0; e < mesh.elements(); e++) {
                for (int i = 0; i <= d; i++) {
                    for (int j = 0; j <= d; j++) {
                        if (i != j) {
                            changed |= limit(mesh, metric, mesh.corners()[e * (d + 1) + i],
                                    mesh.corners()[e * (d + 1) + j], Math.log(factor));
                        }
                    }
                }
            }
            if (!changed) {
                return pass;
            }
        }
        return MOST_PASSES;
    }

    /** Intersects the metric of one end with what the other end's has grown to along the edge. */
    private static boolean limit(SimplexMesh mesh, double[] metric, int from, int to, double rate) {
        int d = mesh.dimension();
        int size = Tensors.size(d);
        double[] x = mesh.coordinates();
        double length = Tensors.length(d, metric, from * size, x[to * d] - x[from * d],
                x[to * d + 1] - x[from * d + 1], d == 2 ? 0 : x[to * d + 2] - x[from * d + 2]);
        double shrink = 1 / ((1 + length * rate) * (1 + length * rate));
        double[] grown = new double[size];
        for (int i = 0; i < size; i++) {
            grown[i] = metric[from * size + i] * shrink;
        }
        double before = Tensors.determinant(d, metric, to * size);
        double[] limited = new double[size];
        System.arraycopy(metric, to * size, limited, 0, size);
        Tensors.intersect(d, limited, 0, grown, 0);
        if (Tensors.determinant(d, limited, 0) <= before * 1.000001) {
            return false;
        }
        System.arraycopy(limited, 0, metric, to * size, size);
        return true;
    }
}
