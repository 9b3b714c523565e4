package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.common.Predicates;

/**
 * Replaces the tetrahedra around an edge by those that two triangulations of its ring have with the edge's ends. The
 * best
 * triangulation is found by dynamic programming (J. R. Shewchuk, "Two discrete optimization algorithms for the
 * topological improvement of tetrahedral meshes", 2002). Edges inside a flat patch have an open ring, which the patch
 * closes.
 */
final class EdgeRemoval implements CavityOperation {
    private static final int MAX_SEARCH_STEPS = 32767;
    private static final int MAX_RING = 9;

    private final CavityMesh mesh;
    private final double threshold;
    private final ShapeLimits shapes;

    /**
     * Creates the operation.
     *
     * @param mesh      a mesh of tetrahedra
     * @param threshold only edges around which an element has a lower quality are considered
     */
    EdgeRemoval(CavityMesh mesh, double threshold) {
        this.mesh = mesh;
        this.threshold = threshold;
        shapes = new ShapeLimits(mesh);
    }

    @Override
    public void list(int vertex, Cavity cavity, LongList candidates) {
        cavity.vertexCount = 0;
        for (int i = 0; i < mesh.degrees[vertex]; i++) {
            int element = mesh.stars[vertex][i];
            if (mesh.quality[element] < threshold) {
                for (int k = 0; k < mesh.width; k++) {
                    int other = mesh.corners[element * mesh.width + k];
                    if (other > vertex) {
                        cavity.addVertex(other);
                    }
                }
            }
        }
        for (int i = 0; i < cavity.vertexCount; i++) {
            candidates.add(Edges.key(vertex, cavity.vertices[i]));
        }
    }

    @Override
    public void region(long candidate, Cavity cavity) {
        cavity.clear();
        cavity.addShell(Edges.first(candidate), Edges.second(candidate));
    }

    @Override
    public int growth(int removed) {
        return Math.max(0, removed - 2);
    }

    @Override
    public int plan(long candidate, Cavity cavity, int place) {
        int a = Edges.first(candidate);
        int b = Edges.second(candidate);
        region(candidate, cavity);
        int count = cavity.oldCount();
        if (count < 2 || count > MAX_RING || cavity.leastOldQuality() >= threshold) {
            return REFUSED;
        }
        double least = cavity.leastOldQuality();
        int[] ring = new int[count + 1];
        int length = ring(cavity, a, b, ring);
        if (length < 3 || !keepFacets(cavity, a, b, ring, length)) {
            return REFUSED;
        }
        int[][] choice = new int[length][length];
        if (best(ring, length, a, b, choice) <= least
                || !fill(cavity, ring, choice, a, b, 0, length - 1)) {
            return REFUSED;
        }
        return (int) Math.clamp((cavity.leastNewQuality() - least) * MAX_SEARCH_STEPS, 0, MAX_SEARCH_STEPS);
    }

    /** Orders the vertices around the edge, anticlockwise seen from b; returns how many, or 0 if they make no ring. */
    private int ring(Cavity cavity, int a, int b, int[] ring) {
        int count = cavity.oldCount();
        int[] from = new int[count];
        int[] to = new int[count];
        for (int i = 0; i < count; i++) {
            int element = cavity.old(i);
            int filled = 0;
            for (int k = 0; k < mesh.width; k++) {
                int vertex = mesh.corners[element * mesh.width + k];
                if (vertex != a && vertex != b) {
                    (filled++ == 0 ? from : to)[i] = vertex;
                }
            }
            int[] tetrahedron = {a, b, from[i], to[i]};
            if (Predicates.orientation(3, mesh.coordinates, tetrahedron, 0) < 0) {
                int kept = from[i];
                from[i] = to[i];
                to[i] = kept;
            }
        }
        int start = 0;
        for (int i = 0; i < count; i++) {
            start = indexOf(to, from[i]) < 0 ? i : start;
        }
        int at = start;
        int length = 0;
        while (at >= 0 && length < count) {
            ring[length++] = from[at];
            int next = indexOf(from, to[at]);
            if (next < 0) {
                ring[length++] = to[at];
            }
            at = next == start ? -1 : next;
        }
        boolean closed = indexOf(to, from[start]) >= 0;
        return length == (closed ? count : count + 1) ? length : 0;
    }

    private static int indexOf(int[] values, int value) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == value) {
                return i;
            }
        }
        return -1;
    }

    /** Lists the patches of facets that stay, or come instead of two that go; false if the edge has to stay. */
    private boolean keepFacets(Cavity cavity, int a, int b, int[] ring, int length) {
        boolean open = length == cavity.oldCount() + 1;
        int patch = 0;
        int onEdge = 0;
        for (int i = 0; i < cavity.oldCount(); i++) {
            int element = cavity.old(i);
            for (int k = 0; k < mesh.width; k++) {
                int here = mesh.patches[element * mesh.width + k];
                int opposite = mesh.corners[element * mesh.width + k];
                if (here != 0 && opposite != a && opposite != b) {
                    if (onEdge++ > 0 && here != patch) {
                        return false;
                    }
                    patch = here;
                } else if (here != 0) {
                    cavity.keepFacet(element, k, -1, -1);
                }
            }
        }
        if (onEdge != (open ? 2 : 0)) {
            return false;
        }
        if (open) {
            int[] one = {a, ring[0], ring[length - 1]};
            int[] other = {b, ring[0], ring[length - 1]};
            if (!shapes.isFollowed(patch, one) || !shapes.isFollowed(patch, other)) {
                return false;
            }
            cavity.closeFacet(patch, a, ring[0], ring[length - 1]);
            cavity.closeFacet(patch, b, ring[0], ring[length - 1]);
        }
        return true;
    }

    private double best(int[] ring, int length, int a, int b, int[][] choice) {
        double[][] value = new double[length][length];
        for (double[] row : value) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        for (int span = 2; span < length; span++) {
            for (int i = 0; i + span < length; i++) {
                int j = i + span;
                value[i][j] = Double.NEGATIVE_INFINITY;
                for (int k = i + 1; k < j; k++) {
                    double here = Math.min(Math.min(value[i][k], value[k][j]), quality(ring, i, k, j, a, b));
                    if (here > value[i][j]) {
                        value[i][j] = here;
                        choice[i][j] = k;
                    }
                }
            }
        }
        return value[0][length - 1];
    }

    private double quality(int[] ring, int i, int j, int k, int a, int b) {
        int[] pair = {ring[i], ring[j], ring[k], b, ring[i], ring[k], ring[j], a};
        return Math.min(mesh.qualityOf(pair, 0), mesh.qualityOf(pair, 4));
    }

    private boolean fill(Cavity cavity, int[] ring, int[][] choice, int a, int b, int i, int j) {
        if (j - i < 2) {
            return true;
        }
        int k = choice[i][j];
        int region = mesh.regions[cavity.old(0)];
        return cavity.add(region, ring[i], ring[k], ring[j], b) && cavity.add(region, ring[i], ring[j], ring[k], a)
                && fill(cavity, ring, choice, a, b, i, k) && fill(cavity, ring, choice, a, b, k, j);
    }
}
