package org.trellis.matrices.generate;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The neighbours of each vertex of an undirected graph without loops, in increasing order: a symmetric pattern without
 * its diagonal. Memory: 4 bytes a vertex and 8 an edge.
 */
public final class SymmetricPattern {
    private final int[] offsets;
    private final int[] neighbours;

    private SymmetricPattern(int[] offsets, int[] neighbours) {
        this.offsets = offsets;
        this.neighbours = neighbours;
    }

    /**
     * Makes the pattern of a list of edges. Costs one counting sort and a sort of each vertex's neighbours.
     *
     * @param vertices number of vertices
     * @param from     one end of each edge
     * @param to       the other end, different from the first
     * @param count    how many edges of the arrays are used
     * @return the pattern; an edge given twice, in either direction, counts once
     * @throws IllegalArgumentException if the edges have more than 2³¹ − 9 ends
     */
    public static SymmetricPattern ofEdges(int vertices, int[] from, int[] to, int count) {
        if (2L * count > Integer.MAX_VALUE - 8L) {
            throw new IllegalArgumentException("symmetric pattern: " + count + " edges, expected at most "
                    + (Integer.MAX_VALUE - 8) / 2);
        }
        int[] offsets = new int[vertices + 1];
        for (int e = 0; e < count; e++) {
            offsets[from[e] + 1]++;
            offsets[to[e] + 1]++;
        }
        Offsets.sum(offsets);
        int[] next = Arrays.copyOf(offsets, vertices);
        int[] neighbours = new int[2 * count];
        for (int e = 0; e < count; e++) {
            neighbours[next[from[e]]++] = to[e];
            neighbours[next[to[e]]++] = from[e];
        }
        return new SymmetricPattern(offsets, neighbours).sortedWithoutRepeats();
    }

    private SymmetricPattern sortedWithoutRepeats() {
        int vertices = vertices();
        int[] kept = new int[vertices + 1];
        IntStream.range(0, vertices).parallel().forEach(v -> {
            Arrays.sort(neighbours, offsets[v], offsets[v + 1]);
            int end = offsets[v];
            for (int k = offsets[v]; k < offsets[v + 1]; k++) {
                if (k == offsets[v] || neighbours[k] != neighbours[end - 1]) {
                    neighbours[end++] = neighbours[k];
                }
            }
            kept[v + 1] = end - offsets[v];
        });
        Offsets.sum(kept);
        if (kept[vertices] == neighbours.length) {
            return this;
        }
        int[] packed = new int[kept[vertices]];
        for (int v = 0; v < vertices; v++) {
            System.arraycopy(neighbours, offsets[v], packed, kept[v], kept[v + 1] - kept[v]);
        }
        return new SymmetricPattern(kept, packed);
    }

    /**
     * Returns the number of vertices.
     *
     * @return at least 0
     */
    public int vertices() {
        return offsets.length - 1;
    }

    /**
     * Returns the number of edges.
     *
     * @return at least 0; half the sum of all degrees
     */
    public int edges() {
        return neighbours.length / 2;
    }

    /**
     * Returns the number of neighbours of a vertex.
     *
     * @param vertex its index
     * @return at least 0
     */
    public int degree(int vertex) {
        return offsets[vertex + 1] - offsets[vertex];
    }

    /**
     * Returns a neighbour of a vertex.
     *
     * @param vertex its index
     * @param index  0 to {@code degree(vertex) - 1}
     * @return the neighbour; greater for greater indices
     */
    public int neighbour(int vertex, int index) {
        return neighbours[offsets[vertex] + index];
    }

    /**
     * Returns whether two vertices are neighbours. Costs a binary search.
     *
     * @param vertex one vertex
     * @param other  the other one
     * @return true if there is an edge
     */
    public boolean adjacent(int vertex, int other) {
        return Arrays.binarySearch(neighbours, offsets[vertex], offsets[vertex + 1], other) >= 0;
    }
}
