package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.adapt.geometry.BoundaryShape;

/**
 * Where each vertex may move: anywhere, within a plane, along a line, or not at all. Stays as long as the topology
 * does.
 */
final class Mobility {
    private static final double UNIT = 1e-300;

    private final int dimension;
    /** Numbers of independent directions. */
    private final byte[] freedom;
    /** For each bound vertex the directions, of unit length and orthogonal; null for those that are free or fixed. */
    private final double[][] bases;
    /** For each vertex on a curve or curved surface, that; others have null. */
    private final BoundaryShape[] shapes;

    Mobility(CavityMesh mesh, Team team) {
        dimension = mesh.dimension;
        freedom = new byte[mesh.vertices];
        bases = new double[mesh.vertices][];
        shapes = new BoundaryShape[mesh.vertices];
        mesh.freeScratch();
        team.run(mesh.vertices, 256, () -> new Cavity(mesh), (from, to, cavity) -> {
            for (int v = from; v < to; v++) {
                if (mesh.isUsed(v)) {
                    find(mesh, cavity, v);
                }
            }
        });
    }

    private void find(CavityMesh mesh, Cavity cavity, int vertex) {
        VertexFeature feature = new VertexFeature(mesh, cavity, vertex);
        if (feature.patchCount() == 0) {
            freedom[vertex] = (byte) dimension;
            return;
        }
        cavity.collectNeighbours(vertex);
        int allowed = feature.keepAllowed();
        if (allowed <= 0) {
            return;
        }
        if (feature.isOnLine()) {
            freedom[vertex] = 1;
            shapes[vertex] = feature.shape();
            bases[vertex] = unit(difference(mesh, cavity.vertices[1], cavity.vertices[0]));
        } else if (feature.shape() != null) {
            freedom[vertex] = 2;
            shapes[vertex] = feature.shape();
            bases[vertex] = new double[6];
            turn(mesh, vertex);
        } else {
            bases[vertex] = plane(mesh, cavity, vertex, allowed);
            freedom[vertex] = (byte) (bases[vertex] == null ? 0 : 2);
        }
    }

    private static double[] difference(CavityMesh mesh, int to, int from) {
        double[] result = new double[mesh.dimension];
        for (int k = 0; k < result.length; k++) {
            result[k] = mesh.coordinates[to * mesh.dimension + k] - mesh.coordinates[from * mesh.dimension + k];
        }
        return result;
    }

    private static double dot(double[] u, double[] v) {
        double sum = 0;
        for (int k = 0; k < u.length; k++) {
            sum += u[k] * v[k];
        }
        return sum;
    }

    private static double[] unit(double[] v) {
        double length = Math.sqrt(dot(v, v));
        for (int k = 0; k < v.length; k++) {
            v[k] /= length;
        }
        return v;
    }

    /**
     * Two orthogonal directions that span the plane of the neighbours on the patch; axes where it is parallel to
     * them.
     */
    private static double[] plane(CavityMesh mesh, Cavity cavity, int vertex, int allowed) {
        double[] best = null;
        double greatest = UNIT;
        double[] first = unit(difference(mesh, cavity.vertices[0], vertex));
        for (int i = 1; i < allowed; i++) {
            double[] other = difference(mesh, cavity.vertices[i], vertex);
            double[] normal = {first[1] * other[2] - first[2] * other[1], first[2] * other[0] - first[0] * other[2],
                first[0] * other[1] - first[1] * other[0]};
            double size = dot(normal, normal);
            if (size > greatest) {
                greatest = size;
                best = normal;
            }
        }
        if (best == null) {
            return null;
        }
        unit(best);
        int least = 0;
        for (int k = 1; k < 3; k++) {
            least = Math.abs(best[k]) < Math.abs(best[least]) ? k : least;
        }
        double[] u = new double[3];
        u[least] = 1;
        for (int k = 0; k < 3; k++) {
            u[k] -= best[least] * best[k];
        }
        unit(u);
        double[] basis = Arrays.copyOf(u, 6);
        basis[3] = best[1] * u[2] - best[2] * u[1];
        basis[4] = best[2] * u[0] - best[0] * u[2];
        basis[5] = best[0] * u[1] - best[1] * u[0];
        return basis;
    }

    /** Returns the curve or surface that a vertex slides along, or null. */
    BoundaryShape shape(int vertex) {
        return shapes[vertex];
    }

    /**
     * Turns the directions of a vertex on a curve or surface to those where it is now; done by the code that moves it.
     */
    void turn(CavityMesh mesh, int vertex) {
        if (shapes[vertex] != null) {
            shapes[vertex].tangent(mesh.coordinates, dimension * vertex, bases[vertex]);
        }
    }

    int freedom(int vertex) {
        return freedom[vertex];
    }

    boolean isBound(int vertex) {
        return freedom[vertex] < dimension;
    }

    /** Removes from a vector what leads out of the plane or line of a vertex. */
    void project(int vertex, double[] vector) {
        double[] basis = bases[vertex];
        if (basis == null) {
            return;
        }
        double[] kept = new double[dimension];
        for (int b = 0; b < basis.length; b += dimension) {
            double along = 0;
            for (int k = 0; k < dimension; k++) {
                along += basis[b + k] * vector[k];
            }
            for (int k = 0; k < dimension; k++) {
                kept[k] += along * basis[b + k];
            }
        }
        System.arraycopy(kept, 0, vector, 0, dimension);
    }

    /** Returns component k of direction b of a vertex that may move. */
    double direction(int vertex, int b, int k) {
        return bases[vertex] == null ? b == k ? 1 : 0 : bases[vertex][b * dimension + k];
    }
}
