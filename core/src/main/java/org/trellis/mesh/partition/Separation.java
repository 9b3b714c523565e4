package org.trellis.mesh.partition;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Two sides of a graph and a separator between them, improved by moving single vertices out of the separator: their
 * neighbours on the other side follow into it (C. Ashcraft, J. Liu, "Applications of the Dulmage–Mendelsohn
 * decomposition and network flow to graph bisection improvement", SIAM J. Matrix Anal. Appl. 19, 1998, section 2; G.
 * Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci.
 * Comput. 20, 1998).
 *
 * <p>No edge joins the sides. What counts is the excess of a side over its limit first, the weight of the separator
 * second, and how much the sides differ third.
 */
final class Separation {
    static final byte SEPARATOR = 2;
    private static final int PASSES = 20;
    private static final int LEAST_TRIALS = 20;
    private static final int MOST_TRIALS = 400;

    private final WeightedGraph graph;
    private final long limit;
    private final byte[] place;
    /** For each vertex of the separator: the weight of its neighbours on each side. */
    private final int[][] beside;
    private final long[] weights = new long[3];
    /** The vertices of the separator by how much lighter it gets if one moves to the side of this pass. */
    private final GainBuckets candidates;
    private final SplittableRandom random;
    /** The moves of a pass: the vertex, and behind it those that followed; and where each move ends. */
    private int[] log;
    private int[] ends;
    private int logged;
    private int moves;

    /**
     * Takes over sides; the vertices of the lighter boundary become the separator.
     *
     * @param graph  the graph
     * @param limit  the most that each side may weigh
     * @param place  the side of each vertex, 0 or 1, or 2 for the separator; kept and changed
     * @param random decides among equals
     */
    Separation(WeightedGraph graph, long limit, byte[] place, SplittableRandom random) {
        int n = graph.vertices();
        this.graph = graph;
        this.limit = limit;
        this.place = place;
        this.random = random;
        beside = new int[2][n];
        log = new int[n];
        ends = new int[16];
        separate();
        int greatest = 1;
        for (int v = 0; v < n; v++) {
            weights[place[v]] += graph.vertexWeights()[v];
            int around = graph.vertexWeights()[v];
            for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
                around += graph.vertexWeights()[graph.neighbours()[i]];
            }
            greatest = Math.max(greatest, around);
            if (place[v] == SEPARATOR) {
                lookBeside(v);
            }
        }
        candidates = new GainBuckets(n, greatest);
    }

    /** Moves the lighter of the two boundaries into the separator if sides touch. */
    private void separate() {
        long[] boundary = new long[2];
        for (int v = 0; v < place.length; v++) {
            if (touches(v)) {
                boundary[place[v]] += graph.vertexWeights()[v];
            }
        }
        int side = boundary[0] < boundary[1] ? 0 : 1;
        for (int v = 0; v < place.length; v++) {
            if (place[v] == side && touches(v)) {
                place[v] = SEPARATOR;
            }
        }
    }

    private boolean touches(int v) {
        for (int i = graph.offsets()[v]; place[v] < SEPARATOR && i < graph.offsets()[v + 1]; i++) {
            if (place[graph.neighbours()[i]] == 1 - place[v]) {
                return true;
            }
        }
        return false;
    }

    private void lookBeside(int v) {
        int first = 0;
        int second = 0;
        for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
            int other = graph.neighbours()[i];
            first += place[other] == 0 ? graph.vertexWeights()[other] : 0;
            second += place[other] == 1 ? graph.vertexWeights()[other] : 0;
        }
        beside[0][v] = first;
        beside[1][v] = second;
    }

    byte[] place() {
        return place;
    }

    /** Returns the weight of the separator. */
    long weight() {
        return weights[SEPARATOR];
    }

    /** Returns by how much sides exceed the limit. */
    long excess() {
        return Math.max(0, weights[0] - limit) + Math.max(0, weights[1] - limit);
    }

    long difference() {
        return Math.abs(weights[0] - weights[1]);
    }

    /**
     * Improves pass by pass, towards one side and the other in turn, as long as that helps. A pass towards one side
     * shifts the whole separator, as far as the limit lets it; passes that may choose keep it where it is.
     */
    void refine() {
        int to = weights[0] < weights[1] ? 0 : 1;
        int failed = 0;
        for (int pass = 0; pass < PASSES && failed < 2; pass++) {
            failed = pass(to) ? 0 : failed + 1;
            to = 1 - to;
        }
    }

    /** Moves vertices to a side, also against the gain; goes back to the best state on the way. */
    private boolean pass(int to) {
        long bestExcess = excess();
        long bestWeight = weight();
        long bestDifference = difference();
        int trials = Math.clamp(2L * fill(to), LEAST_TRIALS, MOST_TRIALS);
        logged = 0;
        moves = 0;
        int kept = 0;
        boolean better = false;
        while (moves - kept < trials && !candidates.isEmpty()) {
            int v = candidates.take();
            if (weights[to] + graph.vertexWeights()[v] > limit) {
                continue;
            }
            move(v, to);
            long excess = excess();
            boolean same = excess == bestExcess && weight() == bestWeight;
            if (excess < bestExcess || (excess == bestExcess && weight() < bestWeight)
                    || (same && difference() < bestDifference)) {
                better |= !same;
                bestExcess = excess;
                bestWeight = weight();
                bestDifference = difference();
                kept = moves;
            }
        }
        candidates.clear();
        while (moves > kept) {
            undo(to);
        }
        return better;
    }

    /** Puts the vertices of the separator into the lists, in a random order; returns how many there are. */
    private int fill(int to) {
        int count = 0;
        for (int v = 0; v < place.length; v++) {
            if (place[v] == SEPARATOR) {
                log[count++] = v;
            }
        }
        for (int i = count - 1; i >= 0; i--) {
            int j = random.nextInt(i + 1);
            int v = log[j];
            log[j] = log[i];
            candidates.put(v, graph.vertexWeights()[v] - beside[1 - to][v]);
        }
        return count;
    }

    /** Moves a vertex, which is in no list any more, out of the separator. */
    private void move(int v, int to) {
        int from = 1 - to;
        note(v);
        shift(v, to);
        for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
            int other = graph.neighbours()[i];
            if (place[other] == SEPARATOR) {
                beside[to][other] += graph.vertexWeights()[v];
            } else if (place[other] == from) {
                note(other);
                follow(other, from);
            }
        }
        if (moves == ends.length) {
            ends = Arrays.copyOf(ends, 2 * moves);
        }
        ends[moves++] = logged;
    }

    private void note(int v) {
        if (logged == log.length) {
            log = Arrays.copyOf(log, 2 * logged);
        }
        log[logged++] = v;
    }

    private void shift(int v, int to) {
        weights[place[v]] -= graph.vertexWeights()[v];
        weights[to] += graph.vertexWeights()[v];
        place[v] = (byte) to;
    }

    /** Takes a vertex of a side into the separator. */
    private void follow(int v, int side) {
        shift(v, SEPARATOR);
        lookBeside(v);
        for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
            int other = graph.neighbours()[i];
            if (place[other] == SEPARATOR) {
                beside[side][other] -= graph.vertexWeights()[v];
                if (candidates.contains(other)) {
                    candidates.put(other, graph.vertexWeights()[other] - beside[side][other]);
                }
            }
        }
        candidates.put(v, graph.vertexWeights()[v] - beside[side][v]);
    }

    /** Takes the last move, which was to a side, back. */
    private void undo(int to) {
        moves--;
        int begin = moves == 0 ? 0 : ends[moves - 1];
        int v = log[begin];
        for (int k = begin + 1; k < logged; k++) {
            int follower = log[k];
            shift(follower, 1 - to);
            addBeside(follower, 1 - to, graph.vertexWeights()[follower]);
        }
        shift(v, SEPARATOR);
        lookBeside(v);
        addBeside(v, to, -graph.vertexWeights()[v]);
        logged = begin;
    }

    private void addBeside(int v, int side, int weight) {
        for (int i = graph.offsets()[v]; i < graph.offsets()[v + 1]; i++) {
            int other = graph.neighbours()[i];
            if (place[other] == SEPARATOR && other != v) {
                beside[side][other] += weight;
            }
        }
    }
}
