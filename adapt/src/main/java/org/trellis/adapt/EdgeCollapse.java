package org.trellis.adapt;

/**
 * Removes vertices that have an edge shorter than a limit, by moving them onto the other end of the shortest such
 * edge that
 * allows it: all elements keep their orientation, no new edge is longer than another limit, patches keep their
 * shape, and the worst element does not become much worse than it was.
 */
final class EdgeCollapse implements CavityOperation {
    private final CavityMesh mesh;
    private final double shortest;
    private final double longest;
    private final double tolerance;
    private final ShapeLimits shapes;

    /**
     * Creates the operation.
     *
     * @param mesh      the mesh
     * @param shortest  edges below are collapsed
     * @param longest   no new edge is longer
     * @param tolerance the new worst quality is at least this times the old one
     */
    EdgeCollapse(CavityMesh mesh, double shortest, double longest, double tolerance) {
        this.mesh = mesh;
        this.shortest = shortest;
        this.longest = longest;
        this.tolerance = tolerance;
        shapes = new ShapeLimits(mesh);
    }

    @Override
    public void list(int vertex, Cavity cavity, LongList candidates) {
        if (!mesh.mayHaveShorter(vertex, shortest)) {
            return;
        }
        cavity.collectNeighbours(vertex);
        for (int i = 0; i < cavity.vertexCount; i++) {
            if (mesh.edgeLength(vertex, cavity.vertices[i]) < shortest) {
                candidates.add(vertex);
                return;
            }
        }
    }

    @Override
    public void region(long candidate, Cavity cavity) {
        cavity.clear();
        cavity.addStar((int) candidate);
    }

    @Override
    public int plan(long candidate, Cavity cavity, int place) {
        int vertex = (int) candidate;
        region(candidate, cavity);
        cavity.collectNeighbours(vertex);
        VertexFeature feature = new VertexFeature(mesh, cavity, vertex);
        int features = feature.keepAllowed();
        if (features < 0 || (feature.isOnLine() && feature.shape() != null
                && !shapes.isNear(feature.shape(), cavity.vertices[0], cavity.vertices[1]))) {
            return REFUSED;
        }
        double least = tolerance == 0 ? 0 : tolerance * cavity.leastOldQuality();
        double length = 0;
        int tried = -1;
        while (true) {
            tried = next(vertex, cavity, features, length, tried);
            if (tried < 0) {
                return REFUSED;
            }
            length = mesh.edgeLength(vertex, cavity.vertices[tried]);
            if (isPossible(vertex, cavity.vertices[tried], cavity, least)
                    && followSurfaces(vertex, cavity.vertices[tried], cavity)) {
                keepFacets(vertex, cavity.vertices[tried], cavity);
                return Edges.urgency(1 / length);
            }
        }
    }

    /** Returns whether the facets on curved patches that come would be near these. */
    private boolean followSurfaces(int vertex, int target, Cavity cavity) {
        int[] facet = new int[3];
        for (int i = 0; i < cavity.oldCount() && mesh.dimension == 3; i++) {
            int element = cavity.old(i);
            for (int k = 0; k < mesh.width && !mesh.contains(element, target); k++) {
                int patch = mesh.patches[element * mesh.width + k];
                if (patch != 0 && mesh.corners[element * mesh.width + k] != vertex) {
                    int filled = 0;
                    for (int c = 0; c < mesh.width; c++) {
                        int corner = mesh.corners[element * mesh.width + c];
                        if (c != k) {
                            facet[filled++] = corner == vertex ? target : corner;
                        }
                    }
                    if (!shapes.isFollowed(patch, facet)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Returns which neighbour comes after another by length, and among equals by place in the list; -1 if none. */
    private int next(int vertex, Cavity cavity, int allowed, double length, int place) {
        int found = -1;
        double least = shortest;
        for (int i = 0; i < allowed; i++) {
            double here = mesh.edgeLength(vertex, cavity.vertices[i]);
            if (here < least && (here > length || (here == length && i > place))) {
                least = here;
                found = i;
            }
        }
        return found;
    }

    private boolean isPossible(int vertex, int target, Cavity cavity, double least) {
        for (int i = 0; i < cavity.vertexCount; i++) {
            int other = cavity.vertices[i];
            if (other != target && mesh.edgeLength(target, other) > longest
                    && mesh.edgeLength(target, other) > mesh.edgeLength(vertex, other)) {
                return false;
            }
        }
        cavity.clearNew();
        for (int i = 0; i < cavity.oldCount(); i++) {
            int element = cavity.old(i);
            if (!mesh.contains(element, target) && !cavity.addReplaced(element, vertex, target)) {
                return false;
            }
        }
        return cavity.newCount() > 0 && cavity.leastNewQuality() >= least;
    }

    private void keepFacets(int vertex, int target, Cavity cavity) {
        for (int i = 0; i < cavity.oldCount(); i++) {
            int element = cavity.old(i);
            boolean vanishes = mesh.contains(element, target);
            for (int k = 0; k < mesh.width; k++) {
                if (mesh.patches[element * mesh.width + k] != 0) {
                    int opposite = mesh.corners[element * mesh.width + k];
                    boolean hasBoth = vanishes && opposite != vertex && opposite != target;
                    if (!hasBoth) {
                        cavity.keepFacet(element, k, vertex, target);
                    }
                }
            }
        }
    }
}
