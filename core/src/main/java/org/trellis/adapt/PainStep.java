package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.Tensors;

/**
 * The step of Pain's smoother: half the sum of u M u over the edges u of a vertex is minimised with the metric held,
 * as a relaxed
 * step (D + A) s = w g with A the sum of the metrics at the middles of the edges, g = sum of M (y - p), and D the
 * diagonal that
 * makes the system dominant (Rokos 2010, section 2.1.8). A bound vertex does the same in the directions that it has.
 */
final class PainStep {
    private final CavityMesh mesh;
    private final Mobility mobility;
    private final double offset;
    private final double relaxation;
    private final int dimension;
    private final double[] middle;
    private final double[] tensor;
    private final double[] sum;
    private final double[] pull;

    /**
     * Creates the workspace.
     *
     * @param mesh       the mesh
     * @param mobility   the directions of its vertices
     * @param offset     how much more dominant than needed the diagonal is, or NaN for the whole step to the minimum
     *                   without D
     * @param relaxation the share w of the gradient
     */
    PainStep(CavityMesh mesh, Mobility mobility, double offset, double relaxation) {
        this.mesh = mesh;
        this.mobility = mobility;
        this.offset = offset;
        this.relaxation = relaxation;
        dimension = mesh.dimension;
        middle = new double[dimension];
        tensor = new double[mesh.tensorSize];
        sum = new double[mesh.tensorSize];
        pull = new double[dimension];
    }

    /** Computes the step of a vertex whose neighbours the cavity lists. */
    void step(int vertex, Cavity cavity, double[] step) {
        int d = dimension;
        Arrays.fill(sum, 0);
        Arrays.fill(pull, 0);
        double[] x = mesh.coordinates;
        for (int i = 0; i < cavity.vertexCount; i++) {
            int other = cavity.vertices[i];
            for (int k = 0; k < d; k++) {
                middle[k] = 0.5 * (x[vertex * d + k] + x[other * d + k]);
            }
            mesh.source.at(middle, 0, tensor, 0);
            for (int p = 0; p < d; p++) {
                for (int q = 0; q < d; q++) {
                    pull[p] += tensor[Tensors.index(d, p, q)] * (x[other * d + q] - x[vertex * d + q]);
                }
            }
            for (int k = 0; k < sum.length; k++) {
                sum[k] += tensor[k];
            }
        }
        int n = mobility.freedom(vertex);
        double[] a = new double[n * n];
        double[] b = new double[n];
        reduce(vertex, n, a, b);
        if (!Double.isNaN(offset)) {
            dominate(n, a);
        }
        solve(n, a, b);
        Arrays.fill(step, 0);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < d; k++) {
                step[k] += b[i] * mobility.direction(vertex, i, k);
            }
        }
    }

    /** Writes the system in the vertex's own directions. */
    private void reduce(int vertex, int n, double[] a, double[] b) {
        for (int i = 0; i < n; i++) {
            for (int p = 0; p < dimension; p++) {
                b[i] += relaxation * mobility.direction(vertex, i, p) * pull[p];
                for (int j = 0; j < n; j++) {
                    for (int q = 0; q < dimension; q++) {
                        a[i * n + j] += mobility.direction(vertex, i, p) * sum[Tensors.index(dimension, p, q)]
                                * mobility.direction(vertex, j, q);
                    }
                }
            }
        }
    }

    private void dominate(int n, double[] a) {
        double[] diagonal = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                diagonal[i] += i == j ? 0 : (1 + offset) * Math.abs(a[i * n + j]);
            }
            diagonal[i] = Math.max(diagonal[i], a[i * n + i]);
        }
        for (int i = 0; i < n; i++) {
            a[i * n + i] += diagonal[i];
        }
    }

    /** Elimination without exchanges: the matrix is symmetric and dominant. */
    private static void solve(int n, double[] a, double[] b) {
        for (int k = 0; k < n; k++) {
            for (int i = k + 1; i < n; i++) {
                double factor = a[i * n + k] / a[k * n + k];
                for (int j = k; j < n; j++) {
                    a[i * n + j] -= factor * a[k * n + j];
                }
                b[i] -= factor * b[k];
            }
        }
        for (int k = n - 1; k >= 0; k--) {
            for (int j = k + 1; j < n; j++) {
                b[k] -= a[k * n + j] * b[j];
            }
            b[k] /= a[k * n + k];
        }
    }
}
