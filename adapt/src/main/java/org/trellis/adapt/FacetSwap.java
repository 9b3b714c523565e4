package org.trellis.adapt;

/**
 * Replaces two elements that share a facet by those around the edge that joins their apexes: in the plane the other
 * diagonal of
 * a quadrilateral, in space three tetrahedra for two. Done where the worst element gets better.
 */
final class FacetSwap implements CavityOperation {
    private static final int MAX_SEARCH_STEPS = 32767;

    private final CavityMesh mesh;
    private final double threshold;

    /**
     * Creates the operation.
     *
     * @param mesh      the mesh
     * @param threshold only pairs with an element of lower quality are considered
     */
    FacetSwap(CavityMesh mesh, double threshold) {
        this.mesh = mesh;
        this.threshold = threshold;
    }

    @Override
    public void list(int vertex, Cavity cavity, LongList candidates) {
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            int element = mesh.stars[vertex][i];
            for (int k = 0; k < mesh.width; k++) {
                if (isLowest(vertex, element, k)) {
                    int other = neighbour(element, k);
                    if (other > element && Math.min(mesh.quality[element], mesh.quality[other]) < threshold) {
                        candidates.add((long) element * mesh.width + k);
                    }
                }
            }
        }
    }

    /** A facet belongs to its lowest vertex, around which both of its elements are. */
    private boolean isLowest(int vertex, int element, int corner) {
        boolean lowest = mesh.corners[element * mesh.width + corner] != vertex;
        for (int k = 0; k < mesh.width && lowest; k++) {
            lowest = k == corner || mesh.corners[element * mesh.width + k] >= vertex;
        }
        return lowest;
    }

    /** Returns the element behind a facet that is on no patch, or -1. */
    private int neighbour(int element, int corner) {
        int width = mesh.width;
        if (mesh.patches[element * width + corner] != 0) {
            return -1;
        }
        int first = mesh.corners[element * width + (corner == 0 ? 1 : 0)];
        for (int i = 0; i < mesh.degrees[first]; i++) {
            int other = mesh.stars[first][i];
            boolean shares = other != element;
            for (int k = 0; k < width && shares; k++) {
                int vertex = mesh.corners[element * width + k];
                shares = k == corner || vertex == first || mesh.contains(other, vertex);
            }
            if (shares) {
                return other;
            }
        }
        return -1;
    }

    @Override
    public void region(long candidate, Cavity cavity) {
        int element = (int) (candidate / mesh.width);
        cavity.clear();
        cavity.addOld(element);
        cavity.addOld(neighbour(element, (int) (candidate % mesh.width)));
    }

    @Override
    public int growth(int removed) {
        return mesh.dimension - 2;
    }

    @Override
    public int plan(long candidate, Cavity cavity, int place) {
        int width = mesh.width;
        int element = (int) (candidate / width);
        int corner = (int) (candidate % width);
        cavity.clear();
        int other = mesh.isAlive(element) ? neighbour(element, corner) : -1;
        if (other < 0) {
            return REFUSED;
        }
        cavity.addOld(element);
        cavity.addOld(other);
        double least = cavity.leastOldQuality();
        if (least >= threshold) {
            return REFUSED;
        }
        int apex = -1;
        for (int k = 0; k < width; k++) {
            int vertex = mesh.corners[other * width + k];
            apex = mesh.contains(element, vertex) ? apex : vertex;
        }
        for (int k = 0; k < width; k++) {
            if (k != corner && (!cavity.addReplaced(element, mesh.corners[element * width + k], apex)
                    || cavity.newQuality(cavity.newCount() - 1) <= least)) {
                return REFUSED;
            }
        }
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < width; k++) {
                if (mesh.patches[cavity.old(i) * width + k] != 0) {
                    cavity.keepFacet(cavity.old(i), k, -1, -1);
                }
            }
        }
        return (int) Math.clamp((cavity.leastNewQuality() - least) * MAX_SEARCH_STEPS, 0, MAX_SEARCH_STEPS);
    }
}
