package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.MultilevelPartitioner;

/**
 * Nested dissection (A. George, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10, 1973) on
 * general graphs: a graph is halved by the multilevel partitioner, a least set of vertices that covers all edges
 * between the halves becomes the separator and comes last, and the halves are ordered likewise. Pieces of at most
 * {@value #LEAF} vertices are ordered by minimum degree.
 *
 * <p>A least cover follows from a greatest matching of the edges between the halves (König's theorem).
 */
final class NestedDissection {
    private static final int LEAF = 2000;
    private static final double TOLERANCE = 1.1;
    private static final int UNKNOWN = -1;

    private final Graph graph;
    private final int[] order;
    private final int[] local;

    private NestedDissection(Graph graph) {
        this.graph = graph;
        this.order = new int[graph.vertices()];
        this.local = new int[graph.vertices()];
        Arrays.fill(local, UNKNOWN);
    }

    /**
     * Orders the vertices of a graph.
     *
     * @param graph with each edge in both directions
     * @return the vertices in the order of elimination
     */
    static int[] order(Graph graph) {
        NestedDissection state = new NestedDissection(graph);
        int[] all = new int[graph.vertices()];
        Arrays.setAll(all, i -> i);
        state.dissect(all, 0);
        return state.order;
    }

    /** Orders vertices into the places from {@code at} on. */
    private void dissect(int[] vertices, int at) {
        if (vertices.length == 0) {
            return;
        }
        if (vertices.length <= LEAF) {
            orderLeaf(vertices, at);
            return;
        }
        Graph part = induced(vertices);
        int[] side = new MultilevelPartitioner().partition(part, 2, TOLERANCE).partOf();
        boolean[] separator = new Cover(part, side).covered();
        int[][] pieces = new int[3][];
        for (int s = 0; s < 3; s++) {
            pieces[s] = chosen(vertices, side, separator, s);
        }
        if ((pieces[0].length == 0 && pieces[1].length == 0) || pieces[0].length == vertices.length
                || pieces[1].length == vertices.length) {
            orderLeaf(vertices, at);
            return;
        }
        dissect(pieces[0], at);
        dissect(pieces[1], at + pieces[0].length);
        System.arraycopy(pieces[2], 0, order, at + pieces[0].length + pieces[1].length, pieces[2].length);
    }

    /** Orders vertices by minimum degree, with their neighbours in separators as a halo. */
    private void orderLeaf(int[] vertices, int at) {
        for (int i = 0; i < vertices.length; i++) {
            local[vertices[i]] = i;
        }
        int[] names = vertices;
        int count = vertices.length;
        for (int v : vertices) {
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                int other = graph.neighbours()[k];
                if (local[other] == UNKNOWN) {
                    names = count < names.length && names != vertices ? names : Arrays.copyOf(names, 2 * count);
                    local[other] = count;
                    names[count++] = other;
                }
            }
        }
        int[] leaf = MinimumDegree.order(withHalo(names, vertices.length, count), vertices.length);
        for (int i = 0; i < count; i++) {
            local[names[i]] = UNKNOWN;
        }
        for (int i = 0; i < leaf.length; i++) {
            order[at + i] = vertices[leaf[i]];
        }
    }

    private Graph withHalo(int[] names, int inner, int count) {
        int[] offsets = new int[count + 1];
        int room = 0;
        for (int i = 0; i < count; i++) {
            room += graph.degree(names[i]);
        }
        int[] neighbours = new int[room];
        int to = 0;
        for (int i = 0; i < count; i++) {
            for (int k = graph.offsets()[names[i]]; k < graph.offsets()[names[i] + 1]; k++) {
                int other = local[graph.neighbours()[k]];
                neighbours[to] = other;
                to += other == UNKNOWN || (i >= inner && other >= inner) ? 0 : 1;
            }
            offsets[i + 1] = to;
        }
        return new Graph(offsets, Arrays.copyOf(neighbours, to));
    }

    /** Piece 0 and 1 are the sides without the separator, which is piece 2. */
    private static int[] chosen(int[] vertices, int[] side, boolean[] separator, int wanted) {
        int[] result = new int[vertices.length];
        int count = 0;
        for (int i = 0; i < vertices.length; i++) {
            int piece = separator[i] ? 2 : side[i];
            result[count] = vertices[i];
            count += piece == wanted ? 1 : 0;
        }
        return Arrays.copyOf(result, count);
    }

    private Graph induced(int[] vertices) {
        if (vertices.length == graph.vertices()) {
            return graph;
        }
        for (int i = 0; i < vertices.length; i++) {
            local[vertices[i]] = i;
        }
        int[] offsets = new int[vertices.length + 1];
        int room = 0;
        for (int v : vertices) {
            room += graph.degree(v);
        }
        int[] neighbours = new int[room];
        int count = 0;
        for (int i = 0; i < vertices.length; i++) {
            for (int k = graph.offsets()[vertices[i]]; k < graph.offsets()[vertices[i] + 1]; k++) {
                int other = local[graph.neighbours()[k]];
                if (other != UNKNOWN && other != i) {
                    neighbours[count++] = other;
                }
            }
            offsets[i + 1] = count;
        }
        for (int v : vertices) {
            local[v] = UNKNOWN;
        }
        return new Graph(offsets, Arrays.copyOf(neighbours, count));
    }

    /** A least set of vertices that touches every edge between two sides. */
    private static final class Cover {
        private final Graph graph;
        private final int[] side;
        private final int[] mate;
        /** For a vertex of side 1: the vertex of side 0 from which a search reached it. */
        private final int[] reachedFrom;
        private final int[] visited;
        private final int[] queue;
        private int search;

        Cover(Graph graph, int[] side) {
            this.graph = graph;
            this.side = side;
            this.mate = new int[side.length];
            this.reachedFrom = new int[side.length];
            this.visited = new int[side.length];
            this.queue = new int[side.length];
            Arrays.fill(mate, UNKNOWN);
        }

        boolean[] covered() {
            for (int v = 0; v < side.length; v++) {
                matchGreedily(v);
            }
            for (int v = 0; v < side.length; v++) {
                if (side[v] == 0 && mate[v] == UNKNOWN) {
                    search++;
                    augment(v);
                }
            }
            return cover();
        }

        private void matchGreedily(int v) {
            for (int k = graph.offsets()[v]; side[v] == 0 && k < graph.offsets()[v + 1]; k++) {
                int other = graph.neighbours()[k];
                if (side[other] == 1 && mate[other] == UNKNOWN) {
                    mate[v] = other;
                    mate[other] = v;
                    return;
                }
            }
        }

        /** Searches from a free vertex of side 0 along alternating paths; turns one that ends in a free vertex. */
        private void augment(int start) {
            int end = spread(start);
            while (end != UNKNOWN) {
                int from = reachedFrom[end];
                int then = mate[from];
                mate[from] = end;
                mate[end] = from;
                end = from == start ? UNKNOWN : then;
            }
        }

        /** Returns a free vertex of side 1 that an alternating path reaches, if there is one. */
        private int spread(int start) {
            int to = 0;
            queue[to++] = start;
            for (int at = 0; at < to; at++) {
                int v = queue[at];
                for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                    int other = graph.neighbours()[k];
                    if (side[other] == 0 || visited[other] == search) {
                        continue;
                    }
                    visited[other] = search;
                    reachedFrom[other] = v;
                    if (mate[other] == UNKNOWN) {
                        return other;
                    }
                    queue[to++] = mate[other];
                }
            }
            return UNKNOWN;
        }

        /** From the free vertices of side 0 outwards: what they reach on side 1, and what they do not on side 0. */
        private boolean[] cover() {
            boolean[] reached = new boolean[side.length];
            search++;
            int to = 0;
            for (int v = 0; v < side.length; v++) {
                if (side[v] == 0 && mate[v] == UNKNOWN) {
                    reached[v] = true;
                    queue[to++] = v;
                }
            }
            for (int at = 0; at < to; at++) {
                int v = queue[at];
                for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                    int other = graph.neighbours()[k];
                    if (side[other] == 1 && !reached[other]) {
                        reached[other] = true;
                        reached[mate[other]] = true;
                        queue[to++] = mate[other];
                    }
                }
            }
            boolean[] covered = new boolean[side.length];
            for (int v = 0; v < side.length; v++) {
                covered[v] = side[v] == 0 ? mate[v] != UNKNOWN && !reached[v] : reached[v];
            }
            return covered;
        }
    }
}
