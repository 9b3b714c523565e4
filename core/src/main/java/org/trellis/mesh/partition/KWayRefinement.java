package org.trellis.mesh.partition;

import java.util.stream.IntStream;

/**
 * Moves vertices between the parts of one graph: those at boundaries, the greatest gain first, each once a pass, to the
 * part to which most of their edges lead (the greedy refinement of G. Karypis, V. Kumar, "Multilevel k-way partitioning
 * scheme for irregular graphs", J. Parallel Distrib. Comput. 48, 1998, with Fiduccia and Mattheyses's lists). Passes go
 * on for a while against the gain, and back to the best state on the way, as Fiduccia and Mattheyses's do.
 */
final class KWayRefinement {
    private static final int PASSES = 10;
    private static final int BALANCING_PASSES = 24;
    private static final int PATIENCE = 4;
    private static final int LEAST_TRIALS = 30;
    private static final int MOST_TRIALS = 300;
    /** More than a cut ever is. */
    private static final long EXCESS_WEIGHT = 1L << 32;
    /** A pass that makes less of the cut than this share goes away is the last. */
    private static final double WORTHWHILE = 0.0005;

    private final int[] offsets;
    private final int[] neighbours;
    private final int[] edgeWeights;
    private final int[] vertexWeights;
    private final int[] partOf;
    private final long[] weights;
    private final long[] limits;
    private final GainBuckets queue;
    private final boolean finest;
    private final boolean[] done;
    private final int[] doneList;
    /** Where the vertices of {@link #doneList} were before. */
    private final int[] fromList;
    private int doneCount;
    /** Weight of the edges from the vertex at hand to each part, 0 but for those in {@link #touched}. */
    private final int[] connection;
    private final int[] touched;
    private int touchedCount;

    KWayRefinement(WeightedGraph graph, int[] partOf, long... limits) {
        int parts = limits.length;
        offsets = graph.offsets();
        neighbours = graph.neighbours();
        edgeWeights = graph.edgeWeights();
        vertexWeights = graph.vertexWeights();
        this.partOf = partOf;
        this.limits = limits;
        weights = new long[parts];
        for (int v = 0; v < partOf.length; v++) {
            weights[partOf[v]] += vertexWeights[v];
        }
        queue = new GainBuckets(partOf.length, graph.greatestDegree());
        finest = graph.greatestVertexWeight() <= 1;
        done = new boolean[partOf.length];
        doneList = new int[partOf.length];
        fromList = new int[partOf.length];
        connection = new int[parts];
        touched = new int[parts];
    }

    /** Brings parts below the limit where possible, then lessens the cut. */
    void run() {
        balance();
        long cut = cut();
        for (int pass = 0; pass < PASSES; pass++) {
            long gained = improve();
            if (gained <= WORTHWHILE * cut) {
                break;
            }
            cut -= gained;
        }
    }

    /** Returns the cut, and above all by how much parts are heavier than they may be. */
    long badness() {
        long excess = 0;
        for (int part = 0; part < weights.length; part++) {
            excess += Math.max(0, over(part));
        }
        return excess * EXCESS_WEIGHT + cut();
    }

    private long cut() {
        long ends = 0;
        for (int v = 0; v < partOf.length; v++) {
            for (int i = offsets[v]; i < offsets[v + 1]; i++) {
                ends += partOf[v] == partOf[neighbours[i]] ? 0 : edgeWeights[i];
            }
        }
        return ends / 2;
    }

    private long improve() {
        for (int v = 0; v < partOf.length; v++) {
            if (isAtBoundary(v)) {
                enqueue(v);
            }
        }
        int trials = Math.clamp(partOf.length / 50, LEAST_TRIALS, MOST_TRIALS);
        long gained = 0;
        long best = 0;
        long spread = 0;
        long bestSpread = 0;
        int kept = 0;
        while (!queue.isEmpty() && doneCount - kept < trials) {
            int expected = queue.topGain();
            int vertex = queue.take();
            connect(vertex);
            int from = partOf[vertex];
            int to = weights[from] == vertexWeights[vertex] ? -1 : bestPart(vertex, from);
            int gain = to < 0 ? 0 : connection[to] - connection[from];
            forget();
            if (to >= 0 && gain < expected && !queue.isEmpty() && gain < queue.topGain()) {
                // The part where it would gain more is full.
                queue.put(vertex, gain);
            } else if (to >= 0) {
                gained += gain;
                spread += vertexWeights[vertex] * (over(to) + vertexWeights[vertex] - over(from));
                move(vertex, to);
                followNeighbours(vertex);
                if (gained > best || (gained == best && spread < bestSpread)) {
                    best = gained;
                    bestSpread = spread;
                    kept = doneCount;
                }
            }
        }
        goBack(kept);
        endPass();
        return best;
    }

    /** Takes the moves of this pass back but for the first ones. */
    private void goBack(int kept) {
        for (int i = doneCount - 1; i >= kept; i--) {
            int vertex = doneList[i];
            weights[partOf[vertex]] -= vertexWeights[vertex];
            weights[fromList[i]] += vertexWeights[vertex];
            partOf[vertex] = fromList[i];
        }
    }

    /** The part with room to which most edges lead, the lightest of several; -1 if there is none. */
    private int bestPart(int vertex, int from) {
        int best = -1;
        for (int i = 0; i < touchedCount; i++) {
            int part = touched[i];
            if (part == from || weights[part] + vertexWeights[vertex] > limits[part]) {
                continue;
            }
            if (best < 0 || connection[part] > connection[best]
                    || (connection[part] == connection[best] && over(part) < over(best))) {
                best = part;
            }
        }
        return best;
    }

    /**
     * Empties parts that are too heavy into their neighbours, into full ones too if those are lighter: the excess
     * spreads until it meets a part with room. If that does not help, also into parts that become as heavy; on coarse
     * graphs that would do more harm than good.
     */
    private void balance() {
        for (int pass = 0; pass < BALANCING_PASSES && anyTooHeavy(); pass++) {
            int slack = pass < PATIENCE || !finest ? 0 : 1;
            for (int v = 0; v < partOf.length; v++) {
                if (over(partOf[v]) > 0 && isAtBoundary(v)) {
                    enqueue(v);
                }
            }
            while (!queue.isEmpty()) {
                int vertex = queue.take();
                int from = partOf[vertex];
                if (over(from) <= 0) {
                    continue;
                }
                connect(vertex);
                int to = bestPart(vertex, from);
                to = to >= 0 ? to : lightest(vertex, from, slack);
                forget();
                if (to >= 0) {
                    move(vertex, to);
                    followNeighbours(vertex);
                }
            }
            endPass();
        }
    }

    /** By how much a part is heavier than it may be; negative if there is room. */
    private long over(int part) {
        return weights[part] - limits[part];
    }

    private boolean anyTooHeavy() {
        return IntStream.range(0, weights.length).anyMatch(part -> over(part) > 0);
    }

    private int lightest(int vertex, int from, int slack) {
        int best = -1;
        for (int i = 0; i < touchedCount; i++) {
            int part = touched[i];
            if (part != from && over(part) + vertexWeights[vertex] < over(from) + slack
                    && (best < 0 || over(part) < over(best))) {
                best = part;
            }
        }
        return best;
    }

    private void move(int vertex, int to) {
        weights[partOf[vertex]] -= vertexWeights[vertex];
        weights[to] += vertexWeights[vertex];
        fromList[doneCount] = partOf[vertex];
        partOf[vertex] = to;
        done[vertex] = true;
        doneList[doneCount++] = vertex;
    }

    private void endPass() {
        queue.clear();
        while (doneCount > 0) {
            done[doneList[--doneCount]] = false;
        }
    }

    private void followNeighbours(int vertex) {
        for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
            if (!done[neighbours[i]]) {
                enqueue(neighbours[i]);
            }
        }
    }

    /** Queues a vertex with what it would gain in the part to which most of its edges lead. */
    private void enqueue(int vertex) {
        connect(vertex);
        int own = partOf[vertex];
        int most = -1;
        for (int i = 0; i < touchedCount; i++) {
            most = touched[i] == own ? most : Math.max(most, connection[touched[i]]);
        }
        if (most >= 0) {
            queue.put(vertex, most - connection[own]);
        } else if (queue.contains(vertex)) {
            queue.remove(vertex);
        }
        forget();
    }

    private boolean isAtBoundary(int vertex) {
        int own = partOf[vertex];
        for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
            if (partOf[neighbours[i]] != own) {
                return true;
            }
        }
        return false;
    }

    private void connect(int vertex) {
        for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
            int part = partOf[neighbours[i]];
            if (connection[part] == 0) {
                touched[touchedCount++] = part;
            }
            connection[part] += edgeWeights[i];
        }
    }

    private void forget() {
        while (touchedCount > 0) {
            connection[touched[--touchedCount]] = 0;
        }
    }
}
