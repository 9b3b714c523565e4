package org.trellis.adapt.metric;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.Stars;
import org.trellis.adapt.geometry.Tensors;

/** A quadratic polynomial through a vertex that fits its neighbours in the sense of least squares. */
final class QuadraticFit {
    private final SimplexMesh mesh;
    private final Stars stars;
    private final double[] values;
    private final int dimension;
    private final int unknowns;
    private int[] patch = new int[64];
    private int count;

    QuadraticFit(SimplexMesh mesh, Stars stars, double[] values) {
        this.mesh = mesh;
        this.stars = stars;
        this.values = values;
        dimension = mesh.dimension();
        unknowns = dimension + Tensors.size(dimension);
    }

    /** Coefficients beside the constant, which is the value at the vertex. */
    int unknowns() {
        return unknowns;
    }

    /** Takes the vertices of some rings around a vertex; returns how many there are beside itself. */
    int gather(int vertex, int rings) {
        patch[0] = vertex;
        count = 1;
        int from = 0;
        for (int ring = 0; ring < rings; ring++) {
            int to = count;
            for (int i = from; i < to; i++) {
                addNeighbours(patch[i]);
            }
            from = to;
        }
        return count - 1;
    }

    private void addNeighbours(int vertex) {
        int width = dimension + 1;
        for (int s = stars.offsets()[vertex]; s < stars.offsets()[vertex + 1]; s++) {
            for (int k = 0; k < width; k++) {
                int other = mesh.corners()[stars.elements()[s] * width + k];
                boolean known = false;
                for (int i = 0; i < count && !known; i++) {
                    known = patch[i] == other;
                }
                if (!known) {
                    patch = count == patch.length ? Arrays.copyOf(patch, 2 * count) : patch;
                    patch[count++] = other;
                }
            }
        }
    }

    /** Solves normal equations in coordinates scaled by the patch's extent in each direction. */
    boolean solve(double singular, double[] hessian, int o) {
        double[] x = mesh.coordinates();
        int centre = patch[0];
        double[] scale = new double[dimension];
        for (int i = 1; i < count; i++) {
            for (int k = 0; k < dimension; k++) {
                scale[k] = Math.max(scale[k],
                        Math.abs(x[patch[i] * dimension + k] - x[centre * dimension + k]));
            }
        }
        double[] a = new double[unknowns * unknowns];
        double[] b = new double[unknowns];
        double[] row = new double[unknowns];
        double[] u = new double[dimension];
        for (int i = 1; i < count; i++) {
            double square = 0;
            for (int k = 0; k < dimension; k++) {
                u[k] = (x[patch[i] * dimension + k] - x[centre * dimension + k]) / scale[k];
                square += u[k] * u[k];
            }
            fill(u, row);
            double weight = 1 / square;
            double difference = values[patch[i]] - values[centre];
            for (int p = 0; p < unknowns; p++) {
                b[p] += weight * row[p] * difference;
                for (int q = 0; q < unknowns; q++) {
                    a[p * unknowns + q] += weight * row[p] * row[q];
                }
            }
        }
        if (SmallSystems.solve(unknowns, a, b) < singular) {
            return false;
        }
        for (int i = 0; i < dimension; i++) {
            for (int j = i; j < dimension; j++) {
                int place = Tensors.index(dimension, i, j);
                hessian[o + place] = b[dimension + place] / (scale[i] * scale[j]);
            }
        }
        return true;
    }

    private void fill(double[] u, double[] row) {
        for (int i = 0; i < dimension; i++) {
            row[i] = u[i];
            for (int j = i; j < dimension; j++) {
                row[dimension + Tensors.index(dimension, i, j)] = (i == j ? 0.5 : 1) * u[i] * u[j];
            }
        }
    }
}
