package org.trellis.sparse.algebra;

import java.util.Arrays;
import java.util.PriorityQueue;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Paths from one vertex to all others in the graph of a square matrix, in which each entry {@code (i, j)} is an edge
 * from i to j of the entry's value as length; an entry of 0 is an edge of length 0.
 *
 * @param source    where they start
 * @param distances the length of the shortest path to each vertex, infinite where there is none
 * @param parents   the vertex before each on that path; -1 for the source and where there is none
 */
public record GraphPaths(int source, double[] distances, int[] parents) {
    private static final int NONE = -1;

    /**
     * Counts edges: breadth-first search. Costs a pass over the matrix.
     *
     * @param matrix a square matrix, its values do not matter
     * @param source where to start
     * @return paths of fewest edges; distances are numbers of edges
     * @throws IllegalArgumentException  if the matrix is not square
     * @throws IndexOutOfBoundsException if there is no such vertex
     */
    public static GraphPaths breadthFirst(CsrMatrix matrix, int source) {
        GraphPaths paths = start(matrix, source);
        int[] queue = new int[matrix.rows()];
        queue[0] = source;
        int end = 1;
        for (int at = 0; at < end; at++) {
            int vertex = queue[at];
            CsrSegment segment = matrix.segmentOf(vertex);
            for (int k = segment.rowStart(vertex); k < segment.rowEnd(vertex); k++) {
                int to = segment.columnIndices()[k];
                if (paths.distances[to] == Double.POSITIVE_INFINITY) {
                    paths.distances[to] = paths.distances[vertex] + 1;
                    paths.parents[to] = vertex;
                    queue[end++] = to;
                }
            }
        }
        return paths;
    }

    /**
     * Adds up lengths. Without negative ones this is Dijkstra's method with a heap, else Bellman's and Ford's with a
     * queue, whose cost may be the number of vertices times that of edges.
     *
     * @param matrix a square matrix of lengths
     * @param source where to start
     * @return shortest paths
     * @throws IllegalArgumentException  if the matrix is not square, a length is NaN, or a circle of negative length
     *                                   can be reached; names a vertex of it
     * @throws IndexOutOfBoundsException if there is no such vertex
     */
    public static GraphPaths shortest(CsrMatrix matrix, int source) {
        GraphPaths paths = start(matrix, source);
        if (anyNegative(matrix)) {
            paths.bellmanFord(matrix);
        } else {
            paths.dijkstra(matrix);
        }
        return paths;
    }

    private static GraphPaths start(CsrMatrix matrix, int source) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("paths in " + matrix + ", expected a square matrix");
        }
        Checks.index("source", source, matrix.rows());
        double[] distances = new double[matrix.rows()];
        int[] parents = new int[matrix.rows()];
        Arrays.fill(distances, Double.POSITIVE_INFINITY);
        Arrays.fill(parents, NONE);
        distances[source] = 0;
        return new GraphPaths(source, distances, parents);
    }

    private static boolean anyNegative(CsrMatrix matrix) {
        boolean[] negative = {false};
        matrix.forEachEntry((row, column, value) -> {
            if (Double.isNaN(value)) {
                throw new IllegalArgumentException("length of edge (" + row + ", " + column
                        + ") is NaN, expected a number");
            }
            negative[0] |= value < 0;
        });
        return negative[0];
    }

    /** A vertex as it was put into the heap; out of date if the distance has fallen since. */
    private record Reached(int vertex, double distance) implements Comparable<Reached> {
        @Override
        public int compareTo(Reached other) {
            int byDistance = Double.compare(distance, other.distance);
            return byDistance != 0 ? byDistance : Integer.compare(vertex, other.vertex);
        }
    }

    private void dijkstra(CsrMatrix matrix) {
        PriorityQueue<Reached> heap = new PriorityQueue<>();
        heap.add(new Reached(source, 0));
        while (!heap.isEmpty()) {
            Reached nearest = heap.remove();
            int vertex = nearest.vertex;
            if (nearest.distance > distances[vertex]) {
                continue;
            }
            CsrSegment segment = matrix.segmentOf(vertex);
            for (int k = segment.rowStart(vertex); k < segment.rowEnd(vertex); k++) {
                int to = segment.columnIndices()[k];
                if (relax(vertex, to, segment.values().get(k))) {
                    heap.add(new Reached(to, distances[to]));
                }
            }
        }
    }

    private boolean relax(int vertex, int to, double length) {
        double distance = distances[vertex] + length;
        if (!(distance < distances[to])) {
            return false;
        }
        distances[to] = distance;
        parents[to] = vertex;
        return true;
    }

    /** With a queue of vertices whose distance has fallen. A path of as many edges as vertices has a circle. */
    private void bellmanFord(CsrMatrix matrix) {
        int n = matrix.rows();
        int[] queue = new int[n];
        int[] edges = new int[n];
        boolean[] queued = new boolean[n];
        queue[0] = source;
        queued[source] = true;
        int first = 0;
        for (int waiting = 1; waiting > 0; waiting--) {
            int vertex = queue[first];
            first = first + 1 == n ? 0 : first + 1;
            queued[vertex] = false;
            CsrSegment segment = matrix.segmentOf(vertex);
            for (int k = segment.rowStart(vertex); k < segment.rowEnd(vertex); k++) {
                int to = segment.columnIndices()[k];
                if (!relax(vertex, to, segment.values().get(k))) {
                    continue;
                }
                edges[to] = edges[vertex] + 1;
                if (edges[to] >= n) {
                    throw new IllegalArgumentException("vertex " + to + " is on or behind a circle of negative length"
                            + ", expected none that can be reached from vertex " + source);
                }
                if (!queued[to]) {
                    queued[to] = true;
                    queue[(int) (((long) first + waiting - 1) % n)] = to;
                    waiting++;
                }
            }
        }
    }

    /**
     * Lists the vertices of a path.
     *
     * @param target where it ends
     * @return from the source to the target; empty if there is no path
     * @throws IndexOutOfBoundsException if there is no such vertex
     */
    public int[] to(int target) {
        Checks.index("target", target, distances.length);
        if (distances[target] == Double.POSITIVE_INFINITY) {
            return new int[0];
        }
        int length = 1;
        for (int at = target; parents[at] != NONE; at = parents[at]) {
            length++;
        }
        int[] path = new int[length];
        int at = target;
        for (int k = length - 1; k >= 0; k--) {
            path[k] = at;
            at = parents[at];
        }
        return path;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GraphPaths paths && source == paths.source && Arrays.equals(parents, paths.parents)
                && Arrays.equals(distances, paths.distances);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(parents);
    }

    @Override
    public String toString() {
        long reached = Arrays.stream(distances).filter(d -> d < Double.POSITIVE_INFINITY).count();
        return "paths from vertex " + source + " to " + reached + " of " + distances.length;
    }
}
