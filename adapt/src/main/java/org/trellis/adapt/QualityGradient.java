package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Tensors;

/**
 * The gradient of an element's quality by the position of one of its vertices, the metric held: with measure V, sum
 * of n edge
 * lengths L and Q = c V / L^d F(L / n), it is Q (grad V / V + (F' / (n F) - d / L) grad L).
 */
final class QualityGradient {
    private final CavityMesh mesh;
    private final int dimension;
    private final double[] mean;
    private final double[] lengthGradient = new double[3];
    private final double[] edge = new double[3];
    private final int[] others = new int[3];

    QualityGradient(CavityMesh mesh) {
        this.mesh = mesh;
        dimension = mesh.dimension;
        mean = new double[mesh.tensorSize];
    }

    /** Writes the gradient by the position of a vertex of the element. */
    void of(int element, int vertex, double[] gradient) {
        int d = dimension;
        int first = element * mesh.width;
        Arrays.fill(mean, 0);
        for (int k = 0; k < mesh.width; k++) {
            for (int i = 0; i < mean.length; i++) {
                mean[i] += mesh.metric[mesh.corners[first + k] * mean.length + i] / mesh.width;
            }
        }
        double sum = lengths(first, vertex);
        int edges = d * (d + 1) / 2;
        double x = sum / edges;
        double least = Math.min(x, 1 / x);
        double slope = x < 1 ? 1 : -1 / (x * x);
        double logarithmic = 3 * (2 - 2 * least) * slope / (least * (2 - least) * edges) - d / sum;
        measureGradient(first, vertex, gradient);
        double measure = SimplexQuality.measure(d, mesh.coordinates, mesh.corners, first);
        double quality = mesh.quality[element];
        for (int k = 0; k < d; k++) {
            gradient[k] = quality * (gradient[k] / measure + logarithmic * lengthGradient[k]);
        }
    }

    /** Adds up the lengths of edges, and the gradient of that. */
    private double lengths(int first, int vertex) {
        Arrays.fill(lengthGradient, 0);
        double sum = 0;
        for (int i = 0; i < mesh.width; i++) {
            for (int j = i + 1; j < mesh.width; j++) {
                int a = mesh.corners[first + i];
                int b = mesh.corners[first + j];
                boolean own = a == vertex || b == vertex;
                difference(own ? vertex : a, a == vertex ? b : own ? a : b);
                double length = Tensors.length(dimension, mean, 0, edge[0], edge[1], edge[2]);
                sum += length;
                for (int p = 0; p < dimension && own; p++) {
                    for (int q = 0; q < dimension; q++) {
                        lengthGradient[p] += mean[Tensors.index(dimension, p, q)] * edge[q] / length;
                    }
                }
            }
        }
        return sum;
    }

    private void difference(int to, int from) {
        for (int k = 0; k < dimension; k++) {
            edge[k] = mesh.coordinates[to * dimension + k] - mesh.coordinates[from * dimension + k];
        }
    }

    /** The gradient of area or volume: normal to the opposite facet. */
    private void measureGradient(int first, int vertex, double[] gradient) {
        int filled = 0;
        for (int k = 0; k < mesh.width; k++) {
            if (mesh.corners[first + k] != vertex) {
                others[filled++] = mesh.corners[first + k];
            }
        }
        difference(others[1], others[0]);
        double px = edge[0];
        double py = edge[1];
        double pz = edge[2];
        if (dimension == 2) {
            gradient[0] = -py / 2;
            gradient[1] = px / 2;
        } else {
            difference(others[2], others[0]);
            gradient[0] = (py * edge[2] - pz * edge[1]) / 6;
            gradient[1] = (pz * edge[0] - px * edge[2]) / 6;
            gradient[2] = (px * edge[1] - py * edge[0]) / 6;
        }
        difference(vertex, others[0]);
        double side = 0;
        for (int k = 0; k < dimension; k++) {
            side += gradient[k] * edge[k];
        }
        for (int k = 0; k < dimension; k++) {
            gradient[k] = side < 0 ? -gradient[k] : gradient[k];
        }
    }
}
