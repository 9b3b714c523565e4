package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.Tensors;

/**
 * The step of Pain's smoother: half the sum of u M u over the edges u of a vertex is minimised with the metric held,
 * as a relaxed
 * step (D + A) s = w g with A the sum of the metrics of the edges, g = sum of M (y - p), and D the diagonal that makes
 * the system dominant (Rokos 2010, section 2.1.8). A bound vertex does the same in the directions that it has.
 */
final class PainStep {
    private final CavityMesh mesh;
    private final Mobility mobility;
    private final double offset;
    private final boolean isRelaxed;
    private final double relaxation;
    private final int dimension;
    private final double[] middle;
    private final double[] tensor;
    private final double[] sum;
    private final double[] pull;
    private final double[] matrix;
    private final double[] right;

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
        isRelaxed = !Double.isNaN(offset);
        this.relaxation = relaxation;
        dimension = mesh.dimension;
        middle = new double[dimension];
        tensor = new double[mesh.tensorSize];
        sum = new double[mesh.tensorSize];
        pull = new double[dimension];
        matrix = new double[dimension * dimension];
        right = new double[dimension];
    }

    /** Computes the step of a vertex. */
    void step(int vertex, VertexGraph graph, double[] step) {
        int d = dimension;
        Arrays.fill(sum, 0);
        Arrays.fill(pull, 0);
        for (int i = graph.offsets[vertex]; i < graph.offsets[vertex + 1]; i++) {
            findTensor(vertex, graph.neighbours[i]);
            addPull(vertex, graph.neighbours[i]);
            for (int k = 0; k < sum.length; k++) {
                sum[k] += tensor[k];
            }
        }
        int n = mobility.freedom(vertex);
        if (n == d) {
            unpack();
        } else {
            reduce(vertex, n);
        }
        if (isRelaxed) {
            dominate(n, matrix);
        }
        solve(n, matrix, right);
        Arrays.fill(step, 0);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < d; k++) {
                step[k] += right[i] * (n == d ? i == k ? 1 : 0 : mobility.direction(vertex, i, k));
            }
        }
    }

    /** Writes the system of a free vertex. */
    private void unpack() {
        for (int i = 0; i < dimension; i++) {
            right[i] = relaxation * pull[i];
            for (int j = 0; j < dimension; j++) {
                matrix[i * dimension + j] = sum[Tensors.index(dimension, i, j)];
            }
        }
    }

    /** The metric of an edge: at its middle, or, for the whole step and where it is carried, the mean of its ends'. */
    private void findTensor(int vertex, int other) {
        if (isRelaxed && !mesh.source.isInterpolated()) {
            for (int k = 0; k < dimension; k++) {
                middle[k] = 0.5 * (mesh.coordinates[vertex * dimension + k] + mesh.coordinates[other * dimension + k]);
            }
            mesh.source.at(middle, 0, tensor, 0);
        } else {
            for (int k = 0; k < tensor.length; k++) {
                tensor[k] = 0.5 * (mesh.metric[vertex * tensor.length + k] + mesh.metric[other * tensor.length + k]);
            }
        }
    }

    private void addPull(int vertex, int other) {
        double[] x = mesh.coordinates;
        if (dimension == 2) {
            double dx = x[2 * other] - x[2 * vertex];
            double dy = x[2 * other + 1] - x[2 * vertex + 1];
            pull[0] += tensor[0] * dx + tensor[1] * dy;
            pull[1] += tensor[1] * dx + tensor[2] * dy;
        } else {
            double dx = x[3 * other] - x[3 * vertex];
            double dy = x[3 * other + 1] - x[3 * vertex + 1];
            double dz = x[3 * other + 2] - x[3 * vertex + 2];
            pull[0] += tensor[0] * dx + tensor[1] * dy + tensor[2] * dz;
            pull[1] += tensor[1] * dx + tensor[3] * dy + tensor[4] * dz;
            pull[2] += tensor[2] * dx + tensor[4] * dy + tensor[5] * dz;
        }
    }

    /** Writes the system in the vertex's own directions. */
    private void reduce(int vertex, int n) {
        Arrays.fill(matrix, 0);
        Arrays.fill(right, 0);
        for (int i = 0; i < n; i++) {
            for (int p = 0; p < dimension; p++) {
                right[i] += relaxation * mobility.direction(vertex, i, p) * pull[p];
                for (int j = 0; j < n; j++) {
                    for (int q = 0; q < dimension; q++) {
                        matrix[i * n + j] += mobility.direction(vertex, i, p) * sum[Tensors.index(dimension, p, q)]
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
