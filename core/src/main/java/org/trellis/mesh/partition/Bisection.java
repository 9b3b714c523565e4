package org.trellis.mesh.partition;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A division of a graph into two sides of given weights: grown from a vertex, improved by moving single vertices. */
final class Bisection {
    private static final int PASSES = 8;
    private static final int LEAST_TRIALS = 20;
    private static final int MOST_TRIALS = 150;

    private final WeightedGraph graph;
    private final long[] limits;
    private final byte[] side;
    private final int[] gain;
    private final boolean[] moved;
    private final GainBuckets[] buckets;
    private final long[] weights = new long[2];
    private final int[] moves;
    private long cut;

    /**
     * Starts with everything on side 1.
     *
     * @param graph  the graph
     * @param limits the most that each side should weigh
     */
    Bisection(WeightedGraph graph, long[] limits) {
        int n = graph.vertices();
        this.graph = graph;
        this.limits = limits;
        side = new byte[n];
        gain = new int[n];
        moved = new boolean[n];
        moves = new int[n];
        int greatest = graph.greatestDegree();
        buckets = new GainBuckets[]{new GainBuckets(n, greatest), new GainBuckets(n, greatest)};
    }

    byte[] side() {
        return side;
    }

    long cut() {
        return cut;
    }

    /** Returns by how much the sides exceed their limits. */
    long excess() {
        return Math.max(0, weights[0] - limits[0]) + Math.max(0, weights[1] - limits[1]);
    }

    /** Takes over sides. */
    void set(byte[] given) {
        System.arraycopy(given, 0, side, 0, side.length);
        count();
    }

    private void count() {
        weights[0] = 0;
        weights[1] = 0;
        long ends = 0;
        for (int v = 0; v < side.length; v++) {
            weights[side[v]] += graph.vertexWeights()[v];
            int outside = 0;
            int inside = 0;
            for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
                boolean same = side[graph.neighbours()[i]] == side[v];
                inside += same ? graph.edgeWeights()[i] : 0;
                outside += same ? 0 : graph.edgeWeights()[i];
            }
            gain[v] = outside - inside;
            ends += outside;
        }
        cut = ends / 2;
    }

    /** Grows side 0 from a vertex until it has a weight, always by the vertex that costs least. */
    void grow(long wanted, SplittableRandom random) {
        int n = side.length;
        Arrays.fill(side, (byte) 1);
        count();
        GainBuckets front = buckets[1];
        int scan = random.nextInt(n);
        while (weights[0] < wanted) {
            if (front.isEmpty()) {
                while (side[scan] == 0) {
                    scan = scan + 1 == n ? 0 : scan + 1;
                }
                front.put(scan, gain[scan]);
            }
            int vertex = front.take();
            long withIt = weights[0] + graph.vertexWeights()[vertex];
            if (weights[0] > 0 && withIt - wanted > wanted - weights[0]) {
                break;
            }
            flip(vertex);
            for (int i = graph.offsets()[vertex]; i < graph.offsets()[vertex + 1]; i++) {
                int other = graph.neighbours()[i];
                if (side[other] == 1) {
                    front.put(other, gain[other]);
                }
            }
        }
        front.clear();
    }

    private void flip(int vertex) {
        int from = side[vertex];
        int weight = graph.vertexWeights()[vertex];
        cut -= gain[vertex];
        side[vertex] = (byte) (1 - from);
        weights[from] -= weight;
        weights[1 - from] += weight;
        gain[vertex] = -gain[vertex];
        for (int i = graph.offsets()[vertex]; i < graph.offsets()[vertex + 1]; i++) {
            int other = graph.neighbours()[i];
            gain[other] += side[other] == from ? 2 * graph.edgeWeights()[i] : -2 * graph.edgeWeights()[i];
        }
    }

    /** Improves balance first and cut second, pass by pass. */
    void refine() {
        boolean better = true;
        for (int pass = 0; pass < PASSES && better; pass++) {
            better = pass();
        }
    }

    /** Moves each vertex once at most, also against the gain, and goes back to the best state on the way. */
    private boolean pass() {
        long bestExcess = excess();
        long bestCut = cut;
        boolean better = false;
        fillBuckets(bestExcess > 0);
        int trials = Math.clamp(side.length / 100, LEAST_TRIALS, MOST_TRIALS);
        int done = 0;
        int kept = 0;
        while (done - kept < trials || bestExcess > 0) {
            int vertex = nextMove();
            if (vertex < 0) {
                break;
            }
            flip(vertex);
            moved[vertex] = true;
            moves[done++] = vertex;
            requeueNeighbours(vertex);
            long nowExcess = excess();
            if (nowExcess < bestExcess || (nowExcess == bestExcess && cut < bestCut)) {
                bestExcess = nowExcess;
                bestCut = cut;
                kept = done;
                better = true;
            }
        }
        for (int i = done - 1; i >= 0; i--) {
            moved[moves[i]] = false;
            if (i >= kept) {
                flip(moves[i]);
            }
        }
        buckets[0].clear();
        buckets[1].clear();
        return better;
    }

    private void fillBuckets(boolean all) {
        for (int v = 0; v < side.length; v++) {
            if (all || isAtBoundary(v)) {
                buckets[side[v]].put(v, gain[v]);
            }
        }
    }

    private boolean isAtBoundary(int vertex) {
        for (int i = graph.offsets()[vertex]; i < graph.offsets()[vertex + 1]; i++) {
            if (side[graph.neighbours()[i]] != side[vertex]) {
                return true;
            }
        }
        return false;
    }

    /** Takes the best vertex that may move, from the side that is too heavy or else from either; -1 if there is none.
     * */
    private int nextMove() {
        while (true) {
            int from = chooseSide();
            if (buckets[from].isEmpty()) {
                return -1;
            }
            int vertex = buckets[from].take();
            int weight = graph.vertexWeights()[vertex];
            boolean fits = weights[1 - from] + weight <= limits[1 - from];
            boolean relieves = weights[from] > limits[from]
                    && weights[1 - from] + weight - limits[1 - from] < weights[from] - limits[from];
            if (fits || relieves) {
                return vertex;
            }
        }
    }

    private int chooseSide() {
        if (weights[0] > limits[0] || weights[1] > limits[1]) {
            return weights[0] - limits[0] > weights[1] - limits[1] ? 0 : 1;
        }
        if (buckets[0].isEmpty() || buckets[1].isEmpty()) {
            return buckets[0].isEmpty() ? 1 : 0;
        }
        return buckets[0].topGain() > buckets[1].topGain() ? 0 : 1;
    }

    private void requeueNeighbours(int vertex) {
        for (int i = graph.offsets()[vertex]; i < graph.offsets()[vertex + 1]; i++) {
            int other = graph.neighbours()[i];
            if (!moved[other]) {
                buckets[side[other]].put(other, gain[other]);
            }
        }
    }
}
