package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Permutation;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.Orderings;
import org.trellis.mesh.partition.VertexSeparator;

/**
 * Nested dissection (A. George, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10, 1973) on
 * general graphs: a small set of vertices separates a graph into two and comes last, and the two are ordered likewise.
 * Pieces of at most {@value #LEAF} vertices are ordered by minimum degree, in which their neighbours in separators
 * count.
 *
 * <p>Vertices with the same neighbours, as the unknowns of a mesh point have them, are one vertex of their number's
 * weight while separators are found.
 */
final class NestedDissection {
    private static final int LEAF = 200;
    /** Share of vertices left from which on it does not pay to take vertices with the same neighbours as one. */
    private static final double POOR_COMPRESSION = 0.85;
    private static final int UNKNOWN = -1;

    private final Graph graph;
    /** The vertices that each vertex of the compressed graph stands for, one after another. */
    private final int[] memberStart;
    private final int[] members;
    private final int[] order;
    /** Workspace: names of vertices in a piece. */
    private final int[] local;

    private NestedDissection(Graph graph, int[] memberStart, int[] members) {
        this.graph = graph;
        this.memberStart = memberStart;
        this.members = members;
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
        int n = graph.vertices();
        if (n == 0) {
            return new int[0];
        }
        int[] classOf = TwinVertices.classes(graph);
        int classes = Arrays.stream(classOf).max().getAsInt() + 1;
        if (classes > POOR_COMPRESSION * n) {
            Arrays.setAll(classOf, v -> v);
            classes = n;
        }
        Graph compressed = classes == n ? graph : TwinVertices.quotient(graph, classOf, classes);
        // In breadth-first order memory is read in sequence, and pairs are matched front by front.
        int[] place = Orderings.breadthFirst(compressed).toArray();
        for (int v = 0; v < n; v++) {
            classOf[v] = place[classOf[v]];
        }
        int[] start = new int[classes + 1];
        for (int of : classOf) {
            start[of + 1]++;
        }
        ParallelRanges.accumulate(start);
        int[] at = start.clone();
        int[] members = new int[n];
        for (int v = 0; v < n; v++) {
            members[at[classOf[v]]++] = v;
        }
        NestedDissection state = new NestedDissection(graph, start, members);
        int[] all = new int[classes];
        Arrays.setAll(all, i -> i);
        state.dissect(compressed.renumbered(Permutation.ofNewIndices(place)), all, 0);
        return state.order;
    }

    /**
     * Orders the vertices of a piece into the places from {@code at} on.
     *
     * @param piece the piece
     * @param names for each of its vertices that of the compressed graph
     * @param at    where they go
     */
    private void dissect(Graph piece, int[] names, int at) {
        int[] weights = new int[names.length];
        int total = 0;
        for (int i = 0; i < names.length; i++) {
            weights[i] = memberStart[names[i] + 1] - memberStart[names[i]];
            total += weights[i];
        }
        if (total <= LEAF || piece.neighbours().length == 0) {
            orderLeaf(expanded(names, total), at);
            return;
        }
        byte[] side = VertexSeparator.of(piece, weights);
        int[] sizes = new int[3];
        int[] weight = new int[3];
        for (int i = 0; i < side.length; i++) {
            sizes[side[i]]++;
            weight[side[i]] += weights[i];
        }
        if (weight[0] == total || weight[1] == total || weight[0] + weight[1] == 0) {
            orderLeaf(expanded(names, total), at);
            return;
        }
        int from = at;
        for (int s = 0; s < 2; s++) {
            int[] chosen = new int[sizes[s]];
            dissect(half(piece, side, s, chosen), named(names, chosen), from);
            from += weight[s];
        }
        int[] separator = new int[sizes[VertexSeparator.SEPARATOR]];
        int count = 0;
        for (int i = 0; i < side.length; i++) {
            if (side[i] == VertexSeparator.SEPARATOR) {
                separator[count++] = names[i];
            }
        }
        int[] last = expanded(separator, weight[2]);
        System.arraycopy(last, 0, order, from, last.length);
    }

    private static int[] named(int[] names, int[] chosen) {
        int[] result = new int[chosen.length];
        Arrays.setAll(result, i -> names[chosen[i]]);
        return result;
    }

    /** Returns the vertices that some of the compressed graph stand for. */
    private int[] expanded(int[] names, int total) {
        int[] result = new int[total];
        int count = 0;
        for (int name : names) {
            for (int k = memberStart[name]; k < memberStart[name + 1]; k++) {
                result[count++] = members[k];
            }
        }
        return result;
    }

    /** Cuts a side out of a piece; finds its vertices. */
    private static Graph half(Graph piece, byte[] side, int wanted, int[] chosen) {
        int[] number = new int[side.length];
        int count = 0;
        int room = 0;
        for (int v = 0; v < side.length; v++) {
            if (side[v] == wanted) {
                number[v] = count;
                chosen[count++] = v;
                room += piece.degree(v);
            }
        }
        int[] offsets = new int[count + 1];
        int[] neighbours = new int[room];
        int to = 0;
        for (int i = 0; i < count; i++) {
            for (int k = piece.offsets()[chosen[i]]; k < piece.offsets()[chosen[i] + 1]; k++) {
                int other = piece.neighbours()[k];
                if (side[other] == wanted && other != chosen[i]) {
                    neighbours[to++] = number[other];
                }
            }
            offsets[i + 1] = to;
        }
        return new Graph(offsets, Arrays.copyOf(neighbours, to));
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
}
