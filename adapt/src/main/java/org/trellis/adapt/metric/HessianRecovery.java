package org.trellis.adapt.metric;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Stars;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;

/**
 * Second derivatives of a field that is given at the vertices of a mesh, and the metric that equidistributes its
 * error.
 */
public final class HessianRecovery {
    private static final int GRAIN = 256;
    /** Points of a fit for each of its unknowns. */
    private static final double SURPLUS = 1.5;
    private static final double SINGULAR = 1e-10;
    private static final int MOST_RINGS = 4;

    private HessianRecovery() {}

    /**
     * Fits a quadratic polynomial to the values around each vertex by weighted least squares and takes its second
     * derivatives.
     * Exact for quadratic fields. Vertices are taken ring by ring until there are half as many again as unknowns
     * and the fit is well determined.
     *
     * @param mesh   the mesh
     * @param values the field, one value for each vertex
     * @return a symmetric tensor for each vertex
     * @throws IllegalArgumentException if there is not a value for each vertex, or the mesh has too few vertices
     */
    public static double[] leastSquares(SimplexMesh mesh, double[] values) {
        Checks.length("number of values of the field", values.length, mesh.vertices());
        int d = mesh.dimension();
        int size = Tensors.size(d);
        Stars stars = Stars.of(mesh.vertices(), mesh.corners(), d + 1);
        double[] hessian = new double[mesh.vertices() * size];
        ParallelRanges.run(mesh.vertices(), GRAIN, () -> new QuadraticFit(mesh, stars, values), (from, to, fit) -> {
            for (int v = from; v < to; v++) {
                int enough = (int) Math.ceil(SURPLUS * fit.unknowns());
                boolean good = false;
                for (int rings = 1; !good && rings <= MOST_RINGS; rings++) {
                    good = fit.gather(v, rings) >= enough && fit.solve(SINGULAR, hessian, v * size);
                }
                if (!good) {
                    throw new IllegalArgumentException("second derivatives at vertex " + v
                            + " cannot be fitted to the values of " + MOST_RINGS
                            + " rings of neighbours, expected a finer mesh");
                }
            }
        });
        return hessian;
    }

    /**
     * Projects gradients onto the vertices, weighted by area or volume, and does the same to the gradients of these:
     * twice an L2
     * projection with the mass matrix lumped. Smoother than {@link #leastSquares}, less accurate at the boundary.
     *
     * @param mesh   the mesh
     * @param values the field, one value for each vertex
     * @return a symmetric tensor for each vertex
     * @throws IllegalArgumentException if there is not a value for each vertex
     */
    public static double[] doubleProjection(SimplexMesh mesh, double[] values) {
        Checks.length("number of values of the field", values.length, mesh.vertices());
        int d = mesh.dimension();
        double[] gradient = projectedGradient(mesh, values);
        double[][] rows = new double[d][];
        double[] component = new double[mesh.vertices()];
        for (int i = 0; i < d; i++) {
            for (int v = 0; v < component.length; v++) {
                component[v] = gradient[v * d + i];
            }
            rows[i] = projectedGradient(mesh, component);
        }
        int size = Tensors.size(d);
        double[] hessian = new double[mesh.vertices() * size];
        for (int v = 0; v < mesh.vertices(); v++) {
            for (int i = 0; i < d; i++) {
                for (int j = i; j < d; j++) {
                    hessian[v * size + Tensors.index(d, i, j)] = (rows[i][v * d + j] + rows[j][v * d + i]) / 2;
                }
            }
        }
        return hessian;
    }

    private static double[] projectedGradient(SimplexMesh mesh, double[] values) {
        int d = mesh.dimension();
        double[] sum = new double[mesh.vertices() * d];
        double[] weights = new double[mesh.vertices()];
        double[] gradient = new double[d];
        for (int e = 0; e < mesh.elements(); e++) {
            double measure = SimplexQuality.measure(d, mesh.coordinates(), mesh.corners(), e * (d + 1));
            gradient(mesh, e, values, gradient);
            for (int k = 0; k <= d; k++) {
                int v = mesh.corners()[e * (d + 1) + k];
                weights[v] += measure;
                for (int i = 0; i < d; i++) {
                    sum[v * d + i] += measure * gradient[i];
                }
            }
        }
        for (int i = 0; i < sum.length; i++) {
            sum[i] /= weights[i / d];
        }
        return sum;
    }

    /** The gradient of the linear interpolant on an element, by Cramer's rule. */
    private static void gradient(SimplexMesh mesh, int element, double[] values, double[] gradient) {
        int d = mesh.dimension();
        int[] corners = mesh.corners();
        double[] x = mesh.coordinates();
        int base = corners[element * (d + 1)];
        double[] a = new double[d * d];
        double[] b = new double[d];
        for (int k = 0; k < d; k++) {
            int v = corners[element * (d + 1) + k + 1];
            b[k] = values[v] - values[base];
            for (int i = 0; i < d; i++) {
                a[k * d + i] = x[v * d + i] - x[base * d + i];
            }
        }
        SmallSystems.solve(d, a, b);
        System.arraycopy(b, 0, gradient, 0, d);
    }

    /**
     * Turns Hessians into the metric for which linear interpolation has the same error on all elements: absolute
     * eigenvalues
     * over the error, scaled for a norm (L. Chen, P. Sun, J. Xu, "Optimal anisotropic meshes for minimizing
     * interpolation errors in
     * Lp-norm", Math. Comp. 76, 2007; Loseille and Alauzet 2011). Small eigenvalues remain small: bound them
     * afterwards.
     *
     * @param dimension 2 or 3
     * @param tensors   Hessians; the one at the offset is replaced by the metric
     * @param o         where the tensor starts
     * @param error     the error that is aimed at, above 0
     * @param norm      the exponent p of the norm, or 0 or infinity for the maximum norm
     */
    public static void toMetric(int dimension, double[] tensors, int o, double error, double norm) {
        double[] values = new double[dimension];
        double[] vectors = new double[dimension * dimension];
        Tensors.eigen(dimension, tensors, o, values, vectors);
        double determinant = 1;
        for (int k = 0; k < dimension; k++) {
            values[k] = Math.abs(values[k]);
            determinant *= values[k];
        }
        double scale = norm > 0 && !Double.isInfinite(norm)
                ? Math.pow(determinant + Math.ulp(1.0), -1 / (2 * norm + dimension)) / error
                : 1 / error;
        for (int k = 0; k < dimension; k++) {
            values[k] *= scale;
        }
        Tensors.compose(dimension, values, vectors, tensors, o);
    }

    /**
     * Turns the Hessians of all vertices into a metric.
     *
     * @param dimension 2 or 3
     * @param hessians  a tensor for each vertex
     * @param error     the error that is aimed at
     * @param norm      the exponent of the norm, or 0 for the maximum norm
     * @param bounds    what the metric may ask for
     * @return the metric, a copy
     */
    public static double[] metric(int dimension, double[] hessians, double error, double norm, MetricBounds bounds) {
        double[] metric = Arrays.copyOf(hessians, hessians.length);
        for (int o = 0; o < metric.length; o += Tensors.size(dimension)) {
            toMetric(dimension, metric, o, error, norm);
            bounds.apply(dimension, metric, o);
        }
        return metric;
    }
}
