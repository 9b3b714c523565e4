package org.trellis.adapt;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.RidgeShape;
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.adapt.geometry.SimplexQuality;
import org.trellis.adapt.geometry.Stars;
import org.trellis.adapt.geometry.SurfaceShape;
import org.trellis.adapt.geometry.Tensors;
import org.trellis.adapt.metric.MetricSource;
import org.trellis.adapt.metric.VertexMetrics;
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
    /** What is known of lengths of edges. */
    final EdgeSpans spans = new EdgeSpans();
    private final Team team;
    private final int[] patchTags;
    /** What patches stand for; null where they are flat. */
    final BoundaryShape[] shapes;
    private final AtomicInteger scratchTaken = new AtomicInteger();

    CavityMesh(SimplexMesh mesh, MetricSource source, Team team) {
        dimension = mesh.dimension();
        width = dimension + 1;
        tensorSize = Tensors.size(dimension);
        this.source = source;
        this.team = team;
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
        team.run(vertices, GRAIN, () -> lists, (from, to, around) -> {
            for (int v = from; v < to; v++) {
                stars[v] = Arrays.copyOfRange(around.elements(), around.offsets()[v], around.offsets()[v + 1]);
                degrees[v] = stars[v].length;
            }
        });
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
            spans.forget(element);
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

    /**
     * Returns what is on two patches, or on one if both are the same: a curve or surface, or null if that is flat or
     * not known.
     */
    BoundaryShape shape(int patch, int other) {
        BoundaryShape one = shapes[patch];
        if (patch == other || one == null) {
            return one == null || one.isFlat() ? null : one;
        }
        return one instanceof SurfaceShape first && shapes[other] instanceof SurfaceShape second
                && !first.equals(second)
                && !first.hasEdge() && !second.hasEdge() && !(first.isFlat() && second.isFlat())
                        ? new RidgeShape(first, second)
                        : null;
    }

    /** Puts a vertex in the middle of an edge, or where the shape that the edge stands for is nearest to that. */
    void placeMiddle(int vertex, int a, int b, BoundaryShape shape) {
        for (int i = 0; i < dimension; i++) {
            coordinates[vertex * dimension + i] =
                    0.5 * (coordinates[a * dimension + i] + coordinates[b * dimension + i]);
        }
        if (shape != null) {
            double[] point = new double[dimension];
            shape.nearest(coordinates, dimension * vertex, point);
            System.arraycopy(point, 0, coordinates, dimension * vertex, dimension);
        }
    }

    /** Gives a vertex that is in the middle of an edge the metric there. */
    void measureMiddle(int vertex, int a, int b) {
        if (source.isInterpolated()) {
            for (int i = 0; i < tensorSize; i++) {
                metric[vertex * tensorSize + i] = 0.5 * (metric[a * tensorSize + i] + metric[b * tensorSize + i]);
            }
        } else {
            source.at(coordinates, vertex * dimension, metric, vertex * tensorSize);
            if (!Tensors.isPositiveDefinite(dimension, metric, vertex * tensorSize)) {
                throw VertexMetrics.wrong(dimension, vertex, coordinates, metric);
            }
        }
    }

    /** Closes the gaps, keeping the order of vertices and elements; returns whether vertices have new numbers. */
    boolean compact() {
        AdaptPhase outside = team.clock().enter(AdaptPhase.COMPACT);
        int[] places = places(vertices, this::isUsed);
        int[] elementPlaces = places(elements, this::isAlive);
        int used = places[vertices];
        int alive = elementPlaces[elements];
        if (used < vertices) {
            moveVertices(places);
        }
        if (alive < elements) {
            moveElements(elementPlaces);
        }
        if (used < vertices || alive < elements) {
            renumber(used, alive, places, elementPlaces);
        }
        boolean renumbered = used < vertices;
        vertices = used;
        elements = alive;
        team.clock().enter(outside);
        return renumbered;
    }

    /** Returns how many before each one stay, and last how many in all. */
    private int[] places(int count, IntPredicate stays) {
        int[] places = new int[count + 1];
        int[] counts = new int[Math.ceilDiv(count, GRAIN) + 1];
        team.run(count, GRAIN, () -> places, (from, to, all) -> {
            int own = 0;
            for (int i = from; i < to; i++) {
                if ((i - from) % GRAIN == 0) {
                    own = 0;
                }
                all[i] = own;
                own += stays.test(i) ? 1 : 0;
                counts[i / GRAIN + 1] = own;
            }
        });
        for (int piece = 1; piece < counts.length; piece++) {
            counts[piece] += counts[piece - 1];
        }
        team.run(count, GRAIN, () -> places, (from, to, all) -> {
            for (int i = from; i < to; i++) {
                all[i] += counts[i / GRAIN];
            }
        });
        places[count] = counts[counts.length - 1];
        return places;
    }

    /** Moves what stays to new arrays, since threads that work at once must not move things onto others. */
    private void moveVertices(int[] places) {
        double[] x = new double[coordinates.length];
        double[] m = new double[metric.length];
        int[][] lists = new int[stars.length][];
        int[] counts = new int[degrees.length];
        team.run(vertices, GRAIN, () -> places, (from, to, all) -> {
            for (int v = from; v < to; v++) {
                if (isUsed(v)) {
                    System.arraycopy(coordinates, v * dimension, x, all[v] * dimension, dimension);
                    System.arraycopy(metric, v * tensorSize, m, all[v] * tensorSize, tensorSize);
                    lists[all[v]] = stars[v];
                    counts[all[v]] = degrees[v];
                }
            }
        });
        coordinates = x;
        metric = m;
        stars = lists;
        degrees = counts;
    }

    private void moveElements(int[] places) {
        int[] nodes = new int[corners.length];
        int[] sides = new int[patches.length];
        int[] kinds = new int[regions.length];
        double[] values = new double[quality.length];
        double[] oldSpans = spans.values();
        double[] newSpans = new double[oldSpans.length == 0 ? 0 : 2 * places[elements]];
        team.run(elements, GRAIN, () -> places, (from, to, all) -> {
            for (int e = from; e < to; e++) {
                if (isAlive(e)) {
                    if (newSpans.length > 0) {
                        EdgeSpans.move(oldSpans, e, newSpans, all[e]);
                    }
                    System.arraycopy(corners, e * width, nodes, all[e] * width, width);
                    System.arraycopy(patches, e * width, sides, all[e] * width, width);
                    kinds[all[e]] = regions[e];
                    values[all[e]] = quality[e];
                }
            }
        });
        corners = nodes;
        patches = sides;
        regions = kinds;
        quality = values;
        spans.renumbered(newSpans);
    }

    /** Returns whether an edge of a vertex may be longer than a limit, without measuring any. */
    boolean mayHaveLonger(int vertex, double limit) {
        for (int i = 0; i < degrees[vertex]; i++) {
            if (spans.mayBeLonger(stars[vertex][i], limit)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether an edge of a vertex may be shorter than a limit, without measuring any. */
    boolean mayHaveShorter(int vertex, double limit) {
        for (int i = 0; i < degrees[vertex]; i++) {
            if (spans.mayBeShorter(stars[vertex][i], limit)) {
                return true;
            }
        }
        return false;
    }

    private void renumber(int used, int alive, int[] places, int[] elementPlaces) {
        team.run(alive * width, GRAIN, () -> corners, (from, to, nodes) -> {
            for (int i = from; i < to; i++) {
                nodes[i] = places[nodes[i]];
            }
        });
        team.run(used, GRAIN, () -> stars, (from, to, lists) -> {
            for (int v = from; v < to; v++) {
                for (int i = 0; i < degrees[v]; i++) {
                    lists[v][i] = elementPlaces[lists[v][i]];
                }
            }
        });
    }

    /** Returns the mesh as it is, after compacting it. */
    SimplexMesh toMesh() {
        compact();
        return new SimplexMesh(dimension, Arrays.copyOf(coordinates, vertices * dimension),
                Arrays.copyOf(corners, elements * width), Arrays.copyOf(regions, elements),
                Arrays.copyOf(patches, elements * width), patchTags, shapes);
    }
}
