package org.trellis.adapt;

import org.trellis.adapt.geometry.Tensors;

/**
 * The metric at a new place of a vertex, interpolated in the elements around it as they were before it moved. A place
 * that is in none of them, which happens on curves, has the metric of the nearest by weights.
 */
final class StarMetric {
    private final CavityMesh mesh;
    private final int dimension;
    private final double[] edges = new double[9];
    private final double[] move = new double[3];
    private final double[] weights = new double[4];
    private final double[] best = new double[4];
    private final int[] others = new int[3];

    StarMetric(CavityMesh mesh) {
        this.mesh = mesh;
        dimension = mesh.dimension;
    }

    /** Writes the metric of a vertex that has been moved from a place where it had a tensor. */
    void write(int vertex, double[] before, double[] tensorBefore) {
        int size = Tensors.size(dimension);
        double[] metric = mesh.metric;
        for (int k = 0; k < dimension; k++) {
            move[k] = mesh.coordinates[vertex * dimension + k] - before[k];
        }
        double greatest = Double.NEGATIVE_INFINITY;
        int chosen = -1;
        for (int i = 0; i < mesh.degrees[vertex] && greatest < 0; i++) {
            double least = weigh(mesh.stars[vertex][i], vertex, before);
            if (least > greatest) {
                greatest = least;
                chosen = mesh.stars[vertex][i];
                System.arraycopy(weights, 0, best, 0, weights.length);
            }
        }
        double sum = 0;
        for (int k = 0; k <= dimension; k++) {
            best[k] = Math.max(0, best[k]);
            sum += best[k];
        }
        listOthers(chosen, vertex);
        for (int i = 0; i < size; i++) {
            double value = best[dimension] * tensorBefore[i];
            for (int k = 0; k < dimension; k++) {
                value += best[k] * metric[others[k] * size + i];
            }
            metric[vertex * size + i] = value / sum;
        }
    }

    private void listOthers(int element, int vertex) {
        int filled = 0;
        for (int k = 0; k < mesh.width; k++) {
            int corner = mesh.corners[element * mesh.width + k];
            if (corner != vertex) {
                others[filled++] = corner;
            }
        }
    }

    /** Finds the weights of an element's corners, that of the vertex last; returns the least. */
    private double weigh(int element, int vertex, double[] before) {
        listOthers(element, vertex);
        for (int i = 0; i < dimension; i++) {
            for (int k = 0; k < dimension; k++) {
                edges[3 * i + k] = mesh.coordinates[others[i] * dimension + k] - before[k];
            }
        }
        double own = 1;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < dimension; i++) {
            weights[i] = dimension == 2
                    ? cross(move, 0, edges, 3 * (1 - i)) / cross(edges, 3 * i, edges, 3 * (1 - i))
                    : triple(move, 0, 3 * ((i + 1) % 3), 3 * ((i + 2) % 3))
                            / triple(edges, 3 * i, 3 * ((i + 1) % 3), 3 * ((i + 2) % 3));
            own -= weights[i];
            least = Math.min(least, weights[i]);
        }
        weights[dimension] = own;
        return Math.min(least, own);
    }

    private static double cross(double[] u, int o, double[] v, int p) {
        return u[o] * v[p + 1] - u[o + 1] * v[p];
    }

    private double triple(double[] u, int o, int p, int q) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            int last = (k + 2) % 3;
            sum += u[o + k] * (edges[p + next] * edges[q + last] - edges[p + last] * edges[q + next]);
        }
        return sum;
    }
}
