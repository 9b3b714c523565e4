package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.common.Predicates;

/**
 * The workspace of one operation: the elements that go, those that come, and the patches of facets. Facets on patches
 * that
 * the new elements have are listed; each new element finds its own among them.
 */
final class Cavity {
    private final CavityMesh mesh;
    private final int width;
    private int[] old = new int[64];
    private int oldCount;
    private int[] corners = new int[256];
    private int[] patches = new int[256];
    private int[] regions = new int[64];
    private double[] quality = new double[64];
    private int newCount;
    /** Vertices of facets on patches, and the patches. */
    private int[] facets = new int[64];
    private int[] facetPatches = new int[16];
    private int facetCount;
    private boolean isTrial;
    /** Room for lists of vertices. */
    int[] vertices = new int[64];
    int vertexCount;
    /** A vertex to try positions with. */
    final int scratch;

    Cavity(CavityMesh mesh) {
        this.mesh = mesh;
        this.width = mesh.width;
        scratch = mesh.takeScratch();
    }

    /** Says whether new elements are only to be seen to be oriented: they have no quality then. */
    void setTrial(boolean trial) {
        isTrial = trial;
    }

    void clear() {
        isTrial = false;
        oldCount = 0;
        newCount = 0;
        facetCount = 0;
        vertexCount = 0;
    }

    /** Forgets the new elements and their facets, for another try with the same old ones. */
    void clearNew() {
        newCount = 0;
        facetCount = 0;
    }

    int oldCount() {
        return oldCount;
    }

    int newCount() {
        return newCount;
    }

    int old(int i) {
        return old[i];
    }

    int corner(int i, int k) {
        return corners[i * width + k];
    }

    int patch(int i, int k) {
        return patches[i * width + k];
    }

    int region(int i) {
        return regions[i];
    }

    double newQuality(int i) {
        return quality[i];
    }

    void addOld(int element) {
        if (oldCount == old.length) {
            old = Arrays.copyOf(old, 2 * oldCount);
        }
        old[oldCount++] = element;
    }

    /** Takes all elements around a vertex. */
    void addStar(int vertex) {
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            addOld(mesh.stars[vertex][i]);
        }
    }

    /** Takes all elements around an edge. */
    void addShell(int a, int b) {
        int few = mesh.degrees[a] <= mesh.degrees[b] ? a : b;
        int other = few == a ? b : a;
        for (int i = 0; i < mesh.degrees[few]; i++) {
            int element = mesh.stars[few][i];
            if (mesh.contains(element, other)) {
                addOld(element);
            }
        }
    }

    /** Lists the vertices of the elements that go, each once. */
    void collectVertices() {
        vertexCount = 0;
        for (int i = 0; i < oldCount; i++) {
            for (int k = 0; k < width; k++) {
                addVertex(mesh.corners[old[i] * width + k]);
            }
        }
    }

    /** Lists the neighbours of a vertex. */
    void collectNeighbours(int vertex) {
        vertexCount = 0;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            for (int k = 0; k < width; k++) {
                int other = mesh.corners[mesh.stars[vertex][i] * width + k];
                if (other != vertex) {
                    addVertex(other);
                }
            }
        }
    }

    /** Makes room for so many numbers in {@link #vertices}, which are no list afterwards. */
    void vertexRoom(int count) {
        vertexCount = 0;
        if (vertices.length < count) {
            vertices = new int[2 * count];
        }
    }

    void addVertex(int vertex) {
        for (int i = 0; i < vertexCount; i++) {
            if (vertices[i] == vertex) {
                return;
            }
        }
        if (vertexCount == vertices.length) {
            vertices = Arrays.copyOf(vertices, 2 * vertexCount);
        }
        vertices[vertexCount++] = vertex;
    }

    /** Adds an element like another with one vertex replaced. Returns false if it would be flat or inverted. */
    boolean addReplaced(int element, int vertex, int by) {
        int first = room();
        for (int k = 0; k < width; k++) {
            int corner = mesh.corners[element * width + k];
            corners[first + k] = corner == vertex ? by : corner;
        }
        regions[newCount] = mesh.regions[element];
        return finish(first);
    }

    /** Adds a triangle. Returns false if it would be flat or inverted. */
    boolean add(int region, int a, int b, int c) {
        int first = room();
        corners[first] = a;
        corners[first + 1] = b;
        corners[first + 2] = c;
        regions[newCount] = region;
        return finish(first);
    }

    /** Adds a tetrahedron. Returns false if it would be flat or inverted. */
    boolean add(int region, int a, int b, int c, int d) {
        int first = room();
        corners[first] = a;
        corners[first + 1] = b;
        corners[first + 2] = c;
        corners[first + 3] = d;
        regions[newCount] = region;
        return finish(first);
    }

    private int room() {
        if (newCount == regions.length) {
            regions = Arrays.copyOf(regions, 2 * newCount);
            quality = Arrays.copyOf(quality, 2 * newCount);
        }
        if ((newCount + 1) * width > corners.length) {
            corners = Arrays.copyOf(corners, 2 * corners.length);
            patches = Arrays.copyOf(patches, 2 * patches.length);
        }
        return newCount * width;
    }

    private boolean finish(int first) {
        if (Predicates.orientation(mesh.dimension, mesh.coordinates, corners, first) <= 0) {
            return false;
        }
        quality[newCount] = isTrial ? Double.NaN : mesh.qualityOf(corners, first);
        newCount++;
        return true;
    }

    /** Lists a facet of an element that goes, with one vertex replaced by another. */
    void keepFacet(int element, int opposite, int vertex, int by) {
        int patch = mesh.patches[element * width + opposite];
        int first = facetRoom();
        int filled = first;
        for (int k = 0; k < width; k++) {
            if (k != opposite) {
                int corner = mesh.corners[element * width + k];
                facets[filled++] = corner == vertex ? by : corner;
            }
        }
        facetPatches[facetCount++] = patch;
    }

    /** Lists a facet of three vertices. */
    void closeFacet(int patch, int a, int b, int c) {
        int first = facetRoom();
        facets[first] = a;
        facets[first + 1] = b;
        facets[first + 2] = c;
        facetPatches[facetCount++] = patch;
    }

    private int facetRoom() {
        int size = width - 1;
        if (facetCount == facetPatches.length) {
            facetPatches = Arrays.copyOf(facetPatches, 2 * facetCount);
        }
        if ((facetCount + 1) * size > facets.length) {
            facets = Arrays.copyOf(facets, 2 * facets.length);
        }
        return facetCount * size;
    }

    /** Gives the facets of new elements their patches. */
    void findPatches() {
        for (int i = 0; i < newCount; i++) {
            for (int k = 0; k < width; k++) {
                patches[i * width + k] = facetCount == 0 ? 0 : patchOf(i, k);
            }
        }
    }

    private int patchOf(int element, int opposite) {
        int size = width - 1;
        for (int f = 0; f < facetCount; f++) {
            boolean all = true;
            for (int i = 0; i < size && all; i++) {
                boolean found = false;
                for (int k = 0; k < width; k++) {
                    found |= k != opposite && corners[element * width + k] == facets[f * size + i];
                }
                all = found;
            }
            if (all) {
                return facetPatches[f];
            }
        }
        return 0;
    }

    double leastOldQuality() {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < oldCount; i++) {
            least = Math.min(least, mesh.quality[old[i]]);
        }
        return least;
    }

    double leastNewQuality() {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < newCount; i++) {
            least = Math.min(least, quality[i]);
        }
        return least;
    }
}
