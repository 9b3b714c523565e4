package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.mesh.order.Graph;

/**
 * Vertices that have each other and the same other neighbours: they may be eliminated one after another in any good
 * order (C. Ashcraft, "Compressed graphs and the minimum degree algorithm", SIAM J. Sci. Comput. 16, 1995).
 */
final class TwinVertices {
    private static final int NONE = -1;

    private TwinVertices() {}

    /**
     * Finds them by a sum of neighbours. Takes time proportional to the edges but for chance.
     *
     * @param graph with each edge in both directions and none twice; loops are borne
     * @return the class of each vertex, numbered from 0 in the order of their first vertices
     */
    static int[] classes(Graph graph) {
        int n = graph.vertices();
        long[] sum = new long[n];
        int[] degree = new int[n];
        for (int v = 0; v < n; v++) {
            sum[v] = mixed(v);
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                int other = graph.neighbours()[k];
                sum[v] += other == v ? 0 : mixed(other);
                degree[v] += other == v ? 0 : 1;
            }
        }
        int[] classOf = new int[n];
        Arrays.fill(classOf, NONE);
        int[] mark = new int[n];
        Arrays.fill(mark, NONE);
        int count = 0;
        for (int v = 0; v < n; v++) {
            if (classOf[v] != NONE) {
                continue;
            }
            classOf[v] = count;
            boolean marked = false;
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                int other = graph.neighbours()[k];
                if (classOf[other] != NONE || sum[other] != sum[v] || degree[other] != degree[v]) {
                    continue;
                }
                marked = marked || mark(graph, v, mark);
                if (isMarked(graph, other, v, mark)) {
                    classOf[other] = count;
                }
            }
            count++;
        }
        return classOf;
    }

    private static long mixed(int v) {
        long z = (v + 1) * 0x9E3779B97F4A7C15L;
        return (z ^ (z >>> 29)) * 0xBF58476D1CE4E5B9L;
    }

    private static boolean mark(Graph graph, int v, int[] mark) {
        mark[v] = v;
        for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
            mark[graph.neighbours()[k]] = v;
        }
        return true;
    }

    private static boolean isMarked(Graph graph, int other, int v, int[] mark) {
        for (int k = graph.offsets()[other]; k < graph.offsets()[other + 1]; k++) {
            if (mark[graph.neighbours()[k]] != v) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes each class as one vertex.
     *
     * @param graph   the graph
     * @param classOf the class of each vertex, all of whose vertices have the same neighbours
     * @param classes how many there are
     * @return a graph without loops
     */
    static Graph quotient(Graph graph, int[] classOf, int classes) {
        int[] offsets = new int[classes + 1];
        int[] neighbours = new int[graph.neighbours().length];
        int[] mark = new int[classes];
        Arrays.fill(mark, NONE);
        int count = 0;
        int at = 0;
        for (int v = 0; v < classOf.length; v++) {
            if (classOf[v] != at) {
                continue;
            }
            mark[at] = at;
            for (int k = graph.offsets()[v]; k < graph.offsets()[v + 1]; k++) {
                int other = classOf[graph.neighbours()[k]];
                if (mark[other] != at) {
                    mark[other] = at;
                    neighbours[count++] = other;
                }
            }
            offsets[++at] = count;
        }
        return new Graph(offsets, Arrays.copyOf(neighbours, count));
    }
}
