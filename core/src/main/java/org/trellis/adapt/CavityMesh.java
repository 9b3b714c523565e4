package org.trellis.adapt;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Stars;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.common.Checks;

/**
 * A mesh that changes: elements with their neighbourhoods (the elements around each vertex), the metric at vertices,
 * and the
 * quality of each element. Removed elements and vertices leave gaps until {@link #compact}.
 *
 * <p>Threads may change it at once where they touch different vertices: an operation writes only elements whose
 * vertices are all
 * its own, and the lists of these vertices.
 */
final class CavityMesh {
    private static final int NONE = -1;
    private static final int GRAIN = 256;
    /** Vertices that no element has, at the end of the arrays: one for each workspace of a parallel step. */
    private static final int SCRATCH = 1024;

    final int dimension;
    final int width;
    final int tensorSize;
    final MetricSource source;
    double[] coordinates;
    double[] metric;
    int[] corners;
    int[] patches;
    int[] regions;
    double[] quality;
    /** The elements around each vertex, as many as {@link #degrees} says. */
    int[][] stars;
    int[] degrees;
    int vertices;
    int elements;
    private final int[] patchTags;
    /** What patches stand for; null where they are flat. */
    final BoundaryShape[] shapes;
    private final AtomicInteger scratchTaken = new AtomicInteger();

    CavityMesh(SimplexMesh mesh, MetricSource source, Team team) {
        dimension = mesh.dimension();
        width = dimension + 1;
        tensorSize = Tensors.size(dimension);
        this.source = source;
        patchTags = mesh.patchTags();
        shapes = mesh.shapes();
        vertices = mesh.vertices();
        elements = mesh.elements();
        coordinates = mesh.coordinates().clone();
        corners = mesh.corners().clone();
        patches = mesh.patches().clone();
        regions = mesh.regions().clone();
        metric = new double[vertices * tensorSize];
        team.run(vertices, GRAIN, () -> coordinates, (from, to, x) -> {
            for (int v = from; v < to; v++) {
                source.at(x, v * dimension, metric, v * tensorSize);
            }
        });
        quality = new double[elements];
        Stars lists = Stars.of(vertices, corners, width);
        stars = new int[vertices][];
        degrees = new int[vertices];
        for (int v = 0; v < vertices; v++) {
            stars[v] = Arrays.copyOfRange(lists.elements(), lists.offsets()[v], lists.offsets()[v + 1]);
            degrees[v] = stars[v].length;
        }
        team.run(elements, GRAIN, () -> corners, (from, to, nodes) -> {
            for (int e = from; e < to; e++) {
                quality[e] = qualityOf(nodes, e * width);
            }
        });
    }

    double qualityOf(int[] nodes, int first) {
        return SimplexQuality.of(dimension, coordinates, metric, nodes, first);
    }

    boolean isAlive(int element) {
        return corners[element * width] != NONE;
    }

    boolean isUsed(int vertex) {
        return degrees[vertex] > 0;
    }

    boolean contains(int element, int vertex) {
        for (int i = element * width; i < element * width + width; i++) {
            if (corners[i] == vertex) {
                return true;
            }
        }
        return false;
    }

    /** Returns which corner of an element a vertex is, or -1. */
    int cornerOf(int element, int vertex) {
        for (int k = 0; k < width; k++) {
            if (corners[element * width + k] == vertex) {
                return k;
            }
        }
        return NONE;
    }

    double edgeLength(int a, int b) {
        return SimplexQuality.edgeLength(dimension, coordinates, metric, a, b);
    }

    /** Makes room for more vertices and elements. Not while others work on the mesh. */
    void reserve(long moreVertices, long moreElements) {
        int wantedVertices = Checks.arrayLength("vertices", vertices + moreVertices + SCRATCH);
        int wantedElements = Checks.arrayLength("corners of elements", (elements + moreElements) * width) / width;
        if (wantedVertices > degrees.length) {
            int room = Math.max(wantedVertices, degrees.length + degrees.length / 2);
            coordinates = Arrays.copyOf(coordinates, room * dimension);
            metric = Arrays.copyOf(metric, room * tensorSize);
            degrees = Arrays.copyOf(degrees, room);
            stars = Arrays.copyOf(stars, room);
        }
        if (wantedElements > quality.length) {
            int room = Math.max(wantedElements, quality.length + quality.length / 2);
            corners = Arrays.copyOf(corners, room * width);
            patches = Arrays.copyOf(patches, room * width);
            regions = Arrays.copyOf(regions, room);
            quality = Arrays.copyOf(quality, room);
        }
    }

    /** Begins a parallel step: all places for trials are free again. */
    void freeScratch() {
        reserve(0, 0);
        scratchTaken.set(0);
    }

    /** Returns a vertex that is no vertex, for a workspace to try positions with. */
    int takeScratch() {
        return degrees.length - 1 - scratchTaken.getAndIncrement() % SCRATCH;
    }

    /** Replaces the elements of a cavity; new ones take the places of old ones first, then those from {@code next}. */
    void replace(Cavity cavity, int next) {
        int oldCount = cavity.oldCount();
        int newCount = cavity.newCount();
        for (int i = 0; i < oldCount; i++) {
            int element = cavity.old(i);
            for (int k = 0; k < width; k++) {
                leave(corners[element * width + k], element);
            }
            corners[element * width] = NONE;
        }
        for (int i = 0; i < newCount; i++) {
            int element = i < oldCount ? cavity.old(i) : next + i - oldCount;
            for (int k = 0; k < width; k++) {
                int vertex = cavity.corner(i, k);
                corners[element * width + k] = vertex;
                patches[element * width + k] = cavity.patch(i, k);
                enter(vertex, element);
            }
            regions[element] = cavity.region(i);
            quality[element] = cavity.newQuality(i);
        }
    }

    private void leave(int vertex, int element) {
        int[] star = stars[vertex];
        int last = --degrees[vertex];
        for (int i = 0; i <= last; i++) {
            if (star[i] == element) {
                star[i] = star[last];
                return;
            }
        }
        throw new IllegalStateException("element " + element + " is not around its vertex " + vertex);
    }

    private void enter(int vertex, int element) {
        int[] star = stars[vertex];
        if (star == null) {
            star = new int[8];
            stars[vertex] = star;
        } else if (degrees[vertex] == star.length) {
            star = Arrays.copyOf(star, star.length + star.length / 2 + 2);
            stars[vertex] = star;
        }
        star[degrees[vertex]++] = element;
    }

    /** Marks reserved elements as unused: an operation may need fewer than it has room for. */
    void clearElements(int from, int to) {
        for (int e = from; e < to; e++) {
            corners[e * width] = NONE;
        }
    }

    /** Puts a vertex in the middle of an edge, or where the curve that the edge stands for is nearest to that. */
    void placeMiddle(int vertex, int a, int b, BoundaryShape shape) {
        for (int i = 0; i < dimension; i++) {
            coordinates[vertex * dimension + i] =
                    0.5 * (coordinates[a * dimension + i] + coordinates[b * dimension + i]);
        }
        if (shape != null) {
            double[] point = new double[2];
            shape.nearest(coordinates, 2 * vertex, point);
            System.arraycopy(point, 0, coordinates, 2 * vertex, 2);
        }
        source.at(coordinates, vertex * dimension, metric, vertex * tensorSize);
    }

    /** Closes the gaps, keeping the order of vertices and elements. */
    void compact() {
        int[] places = new int[vertices];
        int used = 0;
        for (int v = 0; v < vertices; v++) {
            if (isUsed(v)) {
                places[v] = used;
                System.arraycopy(coordinates, v * dimension, coordinates, used * dimension, dimension);
                System.arraycopy(metric, v * tensorSize, metric, used * tensorSize, tensorSize);
                stars[used] = stars[v];
                degrees[used] = degrees[v];
                used++;
            }
        }
        int[] elementPlaces = new int[elements];
        int alive = 0;
        for (int e = 0; e < elements; e++) {
            if (isAlive(e)) {
                elementPlaces[e] = alive;
                for (int k = 0; k < width; k++) {
                    corners[alive * width + k] = places[corners[e * width + k]];
                    patches[alive * width + k] = patches[e * width + k];
                }
                regions[alive] = regions[e];
                quality[alive] = quality[e];
                alive++;
            }
        }
        for (int v = 0; v < used; v++) {
            for (int i = 0; i < degrees[v]; i++) {
                stars[v][i] = elementPlaces[stars[v][i]];
            }
        }
        Arrays.fill(degrees, used, vertices, 0);
        Arrays.fill(stars, used, vertices, null);
        vertices = used;
        elements = alive;
    }

    /** Returns the mesh as it is, after compacting it. */
    SimplexMesh toMesh() {
        compact();
        return new SimplexMesh(dimension, Arrays.copyOf(coordinates, vertices * dimension),
                Arrays.copyOf(corners, elements * width), Arrays.copyOf(regions, elements),
                Arrays.copyOf(patches, elements * width), patchTags, shapes);
    }
}
