package org.trellis.adapt;

import org.trellis.adapt.geometry.BoundaryShape;

/** Splits edges longer than a limit in their middle, longest first. */
final class EdgeSplit implements CavityOperation {
    private final CavityMesh mesh;
    private final double limit;

    EdgeSplit(CavityMesh mesh, double limit) {
        this.mesh = mesh;
        this.limit = limit;
    }

    @Override
    public void list(int vertex, Cavity cavity, LongList candidates) {
        if (!mesh.mayHaveLonger(vertex, limit)) {
            return;
        }
        cavity.collectNeighbours(vertex);
        for (int i = 0; i < cavity.vertexCount; i++) {
            int other = cavity.vertices[i];
            if (other > vertex && mesh.edgeLength(vertex, other) > limit) {
                candidates.add(Edges.key(vertex, other));
            }
        }
    }

    @Override
    public void region(long candidate, Cavity cavity) {
        cavity.clear();
        cavity.addShell(Edges.first(candidate), Edges.second(candidate));
    }

    @Override
    public int growth(int removed) {
        return removed;
    }

    @Override
    public int newVertices() {
        return 1;
    }

    @Override
    public int plan(long candidate, Cavity cavity, int place) {
        int a = Edges.first(candidate);
        int b = Edges.second(candidate);
        region(candidate, cavity);
        int middle = place < 0 ? cavity.scratch : place;
        if (cavity.oldCount() == 0) {
            return REFUSED;
        }
        mesh.placeMiddle(middle, a, b, shape(cavity, a, b));
        if (place < 0) {
            cavity.setTrial(true);
        } else {
            mesh.measureMiddle(middle, a, b);
        }
        for (int i = 0; i < cavity.oldCount(); i++) {
            if (!cavity.addReplaced(cavity.old(i), a, middle) || !cavity.addReplaced(cavity.old(i), b, middle)) {
                return REFUSED;
            }
        }
        for (int i = 0; i < cavity.oldCount(); i++) {
            keepFacets(cavity, cavity.old(i), a, b, middle);
        }
        return Edges.urgency(mesh.edgeLength(a, b));
    }

    /** What an edge on a patch, or where two meet, stands for; null for all others. */
    private BoundaryShape shape(Cavity cavity, int a, int b) {
        int first = 0;
        int second = 0;
        for (int i = 0; i < cavity.oldCount(); i++) {
            for (int k = 0; k < mesh.width; k++) {
                int opposite = mesh.corners[cavity.old(i) * mesh.width + k];
                int patch = mesh.patches[cavity.old(i) * mesh.width + k];
                if (patch != 0 && opposite != a && opposite != b && patch != first) {
                    if (second != 0 && patch != second) {
                        return null;
                    }
                    second = first == 0 ? 0 : patch;
                    first = first == 0 ? patch : first;
                }
            }
        }
        return first == 0 ? null : mesh.shape(first, second == 0 ? first : second);
    }

    private void keepFacets(Cavity cavity, int element, int a, int b, int middle) {
        for (int k = 0; k < mesh.width; k++) {
            if (mesh.patches[element * mesh.width + k] != 0) {
                int opposite = mesh.corners[element * mesh.width + k];
                if (opposite == a || opposite == b) {
                    cavity.keepFacet(element, k, -1, -1);
                } else {
                    cavity.keepFacet(element, k, a, middle);
                    cavity.keepFacet(element, k, b, middle);
                }
            }
        }
    }
}
