package org.trellis.adapt;

import org.trellis.adapt.geometry.BoundaryShape;

/**
 * What a vertex lies on: nothing, a flat patch, a straight ridge where patches meet, or a corner. Reads the elements
 * around the
 * vertex, which a cavity holds, and its neighbours, which the cavity lists.
 */
final class VertexFeature {
    /** How much the cosine of the angle between the two sides of a ridge may differ from that of a straight one. */
    private static final double STRAIGHT = 1e-12;

    private final CavityMesh mesh;
    private final Cavity cavity;
    private final int vertex;
    private final int[] patches = new int[8];
    private int patchCount;

    VertexFeature(CavityMesh mesh, Cavity cavity, int vertex) {
        this.mesh = mesh;
        this.cavity = cavity;
        this.vertex = vertex;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            int element = mesh.stars[vertex][i];
            for (int k = 0; k < mesh.width; k++) {
                int patch = mesh.patches[element * mesh.width + k];
                if (patch != 0 && mesh.corners[element * mesh.width + k] != vertex) {
                    note(patch);
                }
            }
        }
    }

    private void note(int patch) {
        for (int i = 0; i < patchCount; i++) {
            if (patches[i] == patch) {
                return;
            }
        }
        if (patchCount < patches.length) {
            patches[patchCount++] = patch;
        }
    }

    int patchCount() {
        return patchCount;
    }

    /** Returns whether the edge to a neighbour lies on all patches of the vertex. */
    boolean sharesPatches(int neighbour) {
        for (int i = 0; i < patchCount; i++) {
            if (!isOn(neighbour, patches[i])) {
                return false;
            }
        }
        return true;
    }

    private boolean isOn(int neighbour, int patch) {
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            int element = mesh.stars[vertex][i];
            if (mesh.contains(element, neighbour)) {
                for (int k = 0; k < mesh.width; k++) {
                    int opposite = mesh.corners[element * mesh.width + k];
                    if (mesh.patches[element * mesh.width + k] == patch && opposite != vertex
                            && opposite != neighbour) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Returns whether the vertex is bound to a line: a patch in the plane, or a ridge in space. */
    boolean isOnLine() {
        return patchCount >= 2 || (patchCount == 1 && mesh.dimension == 2);
    }

    /**
     * Moves those neighbours to the front of the cavity's list that lie on all patches of the vertex.
     *
     * @return how many they are, or -1 if the vertex is a corner
     */
    int keepAllowed() {
        if (patchCount == 0) {
            return cavity.vertexCount;
        }
        int allowed = 0;
        for (int i = 0; i < cavity.vertexCount; i++) {
            int neighbour = cavity.vertices[i];
            if (sharesPatches(neighbour)) {
                cavity.vertices[i] = cavity.vertices[allowed];
                cavity.vertices[allowed++] = neighbour;
            }
        }
        if (isOnLine() && (allowed != 2 || (shape() == null && !isStraight()))) {
            return -1;
        }
        return allowed;
    }

    /** The curve or surface that the vertex may slide along; null if it is on none, or where too many meet. */
    BoundaryShape shape() {
        return patchCount == 1 || patchCount == 2 ? mesh.shape(patches[0], patches[patchCount - 1]) : null;
    }

    private boolean isStraight() {
        int d = mesh.dimension;
        double dot = 0;
        double first = 0;
        double second = 0;
        for (int k = 0; k < d; k++) {
            double u = mesh.coordinates[cavity.vertices[0] * d + k] - mesh.coordinates[vertex * d + k];
            double v = mesh.coordinates[cavity.vertices[1] * d + k] - mesh.coordinates[vertex * d + k];
            dot += u * v;
            first += u * u;
            second += v * v;
        }
        return 1 + dot / Math.sqrt(first * second) < STRAIGHT;
    }
}
