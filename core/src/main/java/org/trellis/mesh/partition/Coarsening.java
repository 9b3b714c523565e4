package org.trellis.mesh.partition;

import java.util.Arrays;

/**
 * A graph in which pairs of neighbours have become one vertex.
 *
 * @param graph    the coarser graph
 * @param coarseOf the coarse vertex of each fine one
 */
record Coarsening(WeightedGraph graph, int[] coarseOf) {
    /** Share of vertices left from which on vertices that share a neighbour are paired too. */
    private static final double POOR_MATCHING = 0.7;

    /**
     * Matches each vertex with the neighbour to which its edge is heaviest (G. Karypis, V. Kumar, "A fast and high
     * quality multilevel scheme for partitioning irregular graphs", SIAM J. Sci. Comput. 20, 1998). Of several, the
     * lighter and then the first in number is taken, and vertices choose in the order of their numbers: on meshes that
     * gives smaller cuts than chance does. If few find one, as in stars, those left over are paired by way of a
     * neighbour that they share.
     *
     * @param fine      the graph
     * @param maxWeight the most that a pair may weigh
     * @param partOf    a part of each vertex; only vertices of the same part are paired
     */
    static Coarsening of(WeightedGraph fine, int maxWeight, int... partOf) {
        int n = fine.vertices();
        int[] mate = new int[n];
        Arrays.fill(mate, -1);
        int pairs = matchHeavyEdges(fine, maxWeight, partOf, mate);
        if (n - pairs > POOR_MATCHING * n) {
            matchThroughNeighbours(fine, maxWeight, partOf, mate);
        }
        int[] coarseOf = new int[n];
        int count = 0;
        for (int v = 0; v < n; v++) {
            coarseOf[v] = mate[v] >= 0 && mate[v] < v ? coarseOf[mate[v]] : count++;
        }
        return new Coarsening(contracted(fine, mate, coarseOf, count), coarseOf);
    }

    private static int matchHeavyEdges(WeightedGraph fine, int maxWeight, int[] partOf, int[] mate) {
        int[] offsets = fine.offsets();
        int[] weights = fine.vertexWeights();
        int pairs = 0;
        for (int v = 0; v < mate.length; v++) {
            if (mate[v] >= 0) {
                continue;
            }
            int best = -1;
            int heaviest = 0;
            for (int i = offsets[v]; i < offsets[v + 1]; i++) {
                int other = fine.neighbours()[i];
                int weight = fine.edgeWeights()[i];
                boolean preferred = best < 0 || weight > heaviest
                        || (weight == heaviest && isSmaller(weights, other, best));
                if (preferred && mate[other] < 0 && weights[v] + weights[other] <= maxWeight
                        && partOf[v] == partOf[other]) {
                    heaviest = weight;
                    best = other;
                }
            }
            if (best >= 0) {
                mate[v] = best;
                mate[best] = v;
                pairs++;
            }
        }
        return pairs;
    }

    private static boolean isSmaller(int[] weights, int a, int b) {
        return weights[a] < weights[b] || (weights[a] == weights[b] && a < b);
    }

    private static void matchThroughNeighbours(WeightedGraph fine, int maxWeight, int[] partOf, int[] mate) {
        int[] waitingAt = new int[mate.length];
        Arrays.fill(waitingAt, -1);
        for (int v = 0; v < mate.length; v++) {
            for (int i = fine.offsets()[v]; i < fine.offsets()[v + 1] && mate[v] < 0; i++) {
                int between = fine.neighbours()[i];
                int other = waitingAt[between];
                if (other >= 0 && other != v && mate[other] < 0 && partOf[v] == partOf[other]
                        && fine.vertexWeights()[v] + fine.vertexWeights()[other] <= maxWeight) {
                    mate[v] = other;
                    mate[other] = v;
                } else {
                    waitingAt[between] = v;
                }
            }
        }
    }

    private static WeightedGraph contracted(WeightedGraph fine, int[] mate, int[] coarseOf, int count) {
        int[] offsets = new int[count + 1];
        int[] neighbours = new int[fine.neighbours().length];
        int[] edgeWeights = new int[fine.neighbours().length];
        int[] vertexWeights = new int[count];
        int[] placeOf = new int[count];
        Arrays.fill(placeOf, -1);
        int end = 0;
        for (int v = 0; v < mate.length; v++) {
            if (mate[v] >= 0 && mate[v] < v) {
                continue;
            }
            int coarse = coarseOf[v];
            int begin = end;
            for (int member = v; member >= 0; member = member == v ? mate[v] : -1) {
                vertexWeights[coarse] += fine.vertexWeights()[member];
                for (int i = fine.offsets()[member]; i < fine.offsets()[member + 1]; i++) {
                    int other = coarseOf[fine.neighbours()[i]];
                    if (other == coarse) {
                        continue;
                    }
                    int place = placeOf[other];
                    if (place >= begin) {
                        edgeWeights[place] += fine.edgeWeights()[i];
                    } else {
                        placeOf[other] = end;
                        neighbours[end] = other;
                        edgeWeights[end++] = fine.edgeWeights()[i];
                    }
                }
            }
            offsets[coarse + 1] = end;
        }
        return new WeightedGraph(offsets, Arrays.copyOf(neighbours, end), Arrays.copyOf(edgeWeights, end),
                vertexWeights);
    }
}
