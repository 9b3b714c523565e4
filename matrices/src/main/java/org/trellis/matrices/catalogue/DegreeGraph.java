package org.trellis.matrices.catalogue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.trellis.matrices.generate.SplitMix;
import org.trellis.matrices.generate.SymmetricPattern;

/**
 * Makes an undirected graph of near neighbours with an exact number of edges and, nearly, given degrees.
 *
 * <p>Half of each vertex's degree is offered forwards and half backwards. First each vertex takes the nearest steps
 * forward whose ends still have a backward offer. What is left over, at the ends and where degrees change, is paired
 * within twice the longest step. Edges that are still missing are put between a vertex with an offer and a random one
 * near it; these few change degrees.
 */
final class DegreeGraph {
    /** Tries to find a near partner before the search goes farther away. */
    private static final int TRIES = 50;

    private final int[] degrees;
    private final int vertices;
    private final int[] steps;
    private final int longestStep;
    private final int[] from;
    private final int[] to;
    private final int[] offers;
    private int edges;

    private DegreeGraph(int[] degrees, int edgesWanted, int[] steps) {
        this.degrees = degrees;
        this.vertices = degrees.length;
        this.steps = steps;
        this.longestStep = Arrays.stream(steps).max().orElse(0);
        this.from = new int[edgesWanted];
        this.to = new int[edgesWanted];
        this.offers = new int[vertices];
    }

    /**
     * Makes a graph.
     *
     * @param degrees requested degrees, of an even sum
     * @param steps   different forward steps, the preferred ones first
     * @param order   new numbers of the vertices
     * @param seed    any number
     * @return a graph with exactly half as many edges as the sum of the degrees
     */
    static SymmetricPattern make(int[] degrees, int[] steps, int[] order, long seed) {
        long sum = Arrays.stream(degrees).asLongStream().sum();
        DegreeGraph graph = new DegreeGraph(degrees, Math.toIntExact(sum / 2), steps);
        graph.takeSteps();
        if (graph.edges < graph.from.length) {
            SymmetricPattern near = SymmetricPattern.ofEdges(graph.vertices, graph.from, graph.to, graph.edges);
            Set<Long> added = new HashSet<>();
            graph.pairLeftovers(near, added);
            graph.addMissing(near, added, new SplitMix(seed));
        }
        for (int e = 0; e < graph.edges; e++) {
            graph.from[e] = order[graph.from[e]];
            graph.to[e] = order[graph.to[e]];
        }
        return SymmetricPattern.ofEdges(graph.vertices, graph.from, graph.to, graph.edges);
    }

    private void takeSteps() {
        int[] forward = new int[vertices];
        boolean up = true;
        for (int v = 0; v < vertices; v++) {
            forward[v] = degrees[v] / 2;
            if (degrees[v] % 2 == 1) {
                forward[v] += up ? 1 : 0;
                up = !up;
            }
            offers[v] = degrees[v] - forward[v];
        }
        for (int v = 0; v < vertices; v++) {
            for (int k = 0; k < steps.length && forward[v] > 0; k++) {
                int end = v + steps[k];
                if (end < vertices && offers[end] > 0) {
                    add(v, end);
                    forward[v]--;
                    offers[end]--;
                }
            }
        }
        for (int v = 0; v < vertices; v++) {
            offers[v] += forward[v];
        }
    }

    private void add(int v, int end) {
        from[edges] = v;
        to[edges] = end;
        edges++;
    }

    private static long key(int v, int end) {
        return (long) Math.min(v, end) << 32 | Math.max(v, end);
    }

    private void pairLeftovers(SymmetricPattern near, Set<Long> added) {
        int[] open = IntStream.range(0, vertices).filter(v -> offers[v] > 0).toArray();
        int[] next = new int[open.length + 1];
        Arrays.setAll(next, i -> i);
        for (int i = 0; i < open.length; i++) {
            int v = open[i];
            int j = find(next, i + 1);
            while (offers[v] > 0 && j < open.length && open[j] - v <= 2 * longestStep) {
                int end = open[j];
                if (!near.adjacent(v, end)) {
                    add(v, end);
                    added.add(key(v, end));
                    offers[v]--;
                    offers[end]--;
                    if (offers[end] == 0) {
                        next[j] = j + 1;
                    }
                }
                j = find(next, j + 1);
            }
        }
    }

    /** The first index from {@code i} on that still has an offer, with path halving. */
    private static int find(int[] next, int i) {
        int at = i;
        while (next[at] != at) {
            next[at] = next[next[at]];
            at = next[at];
        }
        return at;
    }

    private void addMissing(SymmetricPattern near, Set<Long> added, SplitMix random) {
        int v = 0;
        while (edges < from.length) {
            while (v < vertices && offers[v] == 0) {
                v++;
            }
            int one = v < vertices ? v : random.nextInt(vertices);
            int partner = partner(one, near, added, random);
            add(one, partner);
            added.add(key(one, partner));
            if (v < vertices) {
                // The partner has one edge too many now, so this vertex goes without another one.
                offers[v] = Math.max(0, offers[v] - 2);
            }
        }
    }

    private int partner(int vertex, SymmetricPattern near, Set<Long> added, SplitMix random) {
        long range = Math.max(1, longestStep);
        for (int tries = 1;; tries++) {
            int low = (int) Math.max(0, vertex - range);
            int high = (int) Math.min(vertices - 1L, vertex + range);
            int partner = low + random.nextInt(high - low + 1);
            if (partner != vertex && degrees[partner] > 0 && !near.adjacent(vertex, partner)
                    && !added.contains(key(vertex, partner))) {
                return partner;
            }
            if (tries % TRIES == 0) {
                range = Math.min(vertices, 2 * range);
            }
        }
    }
}
