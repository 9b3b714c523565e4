package org.trellis.mesh.order;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Permutation;

/**
 * An undirected graph in compressed form: the neighbours of vertex {@code v} are {@code neighbours[offsets[v]]} to
 * {@code neighbours[offsets[v + 1] - 1]}. The graphs that {@link GraphBuilder} makes have each edge in both directions,
 * no edge twice and none from a vertex to itself; the algorithms of this package bear the latter two.
 *
 * @param offsets    where the neighbours of each vertex start, and behind the last where they end; one more than there
 *                   are vertices. Not copied, and not to be changed
 * @param neighbours the neighbours of all vertices, one after another. Not copied, and not to be changed
 */
public record Graph(int[] offsets, int[] neighbours) {

    /**
     * Makes a graph of arrays, which are checked and kept.
     *
     * @throws IllegalArgumentException if an offset is smaller than the one before, the last is not the number of
     *                                  neighbours, or a neighbour is no vertex; names the place. Whether each edge
     *                                  occurs in both directions is not checked, see {@link #isSymmetric}
     */
    public Graph {
        if (offsets.length == 0 || offsets[0] != 0) {
            throw new IllegalArgumentException("graph offsets " + (offsets.length == 0
                    ? "are empty"
                    : "start with "
                            + offsets[0])
                    + ", expected 0 and one offset a vertex");
        }
        int vertices = offsets.length - 1;
        for (int v = 0; v < vertices; v++) {
            if (offsets[v + 1] < offsets[v]) {
                throw new IllegalArgumentException("graph offset " + (v + 1) + " is " + offsets[v + 1]
                        + ", expected at least " + offsets[v] + ", the offset before");
            }
        }
        Checks.length("number of graph neighbours", neighbours.length, offsets[vertices]);
        for (int i = 0; i < neighbours.length; i++) {
            if (neighbours[i] < 0 || neighbours[i] >= vertices) {
                throw new IllegalArgumentException("graph neighbour " + i + " is " + neighbours[i]
                        + ", expected a vertex from 0 to " + (vertices - 1));
            }
        }
    }

    /**
     * Makes the graph whose vertices are the targets of one table; two are joined if an element has both.
     *
     * @param targets number of vertices
     * @param table   targets of the elements, {@code arity} each
     * @param arity   targets of an element
     * @return the graph
     * @throws IllegalArgumentException if an entry is no vertex; names its place
     */
    public static Graph ofTargets(int targets, int[] table, int arity) {
        return new GraphBuilder(targets).joinTargets("table", table, arity).build();
    }

    /**
     * Makes the graph whose vertices are the elements of one table; two are joined if they have a target in common.
     *
     * @param table   targets of the elements, {@code arity} each
     * @param arity   targets of an element
     * @param targets number of targets
     * @return the graph
     * @throws IllegalArgumentException if an entry is no target; names its place
     */
    public static Graph ofElements(int[] table, int arity, int targets) {
        int elements = table.length / Checks.positive("arity", arity);
        return new GraphBuilder(elements).joinElements("table", table, arity, targets).build();
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
     * Returns the number of edges, each counted once.
     *
     * @return half the number of neighbours
     */
    public long edges() {
        return neighbours.length / 2;
    }

    /**
     * Returns how many neighbours a vertex has.
     *
     * @param vertex a vertex
     * @return its degree
     */
    public int degree(int vertex) {
        return offsets[vertex + 1] - offsets[vertex];
    }

    /**
     * Returns the same graph with other numbers. Takes linear time; the order of the neighbours of a vertex stays.
     *
     * @param order where each vertex goes
     * @return a new graph
     * @throws IllegalArgumentException if the permutation has another size
     */
    public Graph renumbered(Permutation order) {
        Checks.length("permutation size", order.size(), vertices());
        int[] newIndices = order.toArray();
        int[] newOffsets = new int[offsets.length];
        for (int v = 0; v < newIndices.length; v++) {
            newOffsets[newIndices[v] + 1] = degree(v);
        }
        ParallelRanges.accumulate(newOffsets);
        int[] newNeighbours = new int[neighbours.length];
        for (int v = 0; v < newIndices.length; v++) {
            int to = newOffsets[newIndices[v]];
            for (int i = offsets[v]; i < offsets[v + 1]; i++) {
                newNeighbours[to++] = newIndices[neighbours[i]];
            }
        }
        return new Graph(newOffsets, newNeighbours);
    }

    /**
     * Returns whether each edge occurs as often in one direction as in the other.
     *
     * @return true if it does; takes linear time
     */
    public boolean isSymmetric() {
        Graph reversed = transposed();
        Graph sorted = reversed.transposed();
        return Arrays.equals(sorted.offsets, reversed.offsets) && Arrays.equals(sorted.neighbours, reversed.neighbours);
    }

    /** Turns every edge round; the neighbours of each vertex come out in increasing order. */
    private Graph transposed() {
        int[] starts = new int[offsets.length];
        for (int neighbour : neighbours) {
            starts[neighbour + 1]++;
        }
        ParallelRanges.accumulate(starts);
        int[] at = starts.clone();
        int[] sources = new int[neighbours.length];
        for (int v = 0; v < vertices(); v++) {
            for (int i = offsets[v]; i < offsets[v + 1]; i++) {
                sources[at[neighbours[i]]++] = v;
            }
        }
        return new Graph(starts, sources);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Graph that && Arrays.equals(offsets, that.offsets)
                && Arrays.equals(neighbours, that.neighbours);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(offsets) + Arrays.hashCode(neighbours);
    }

    @Override
    public String toString() {
        return "graph of " + vertices() + " vertices and " + edges() + " edges";
    }
}
