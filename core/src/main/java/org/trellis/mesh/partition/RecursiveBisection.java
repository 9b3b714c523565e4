package org.trellis.mesh.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Divides a graph into parts by halving it again and again, each time with a multilevel method. */
final class RecursiveBisection {
    private static final int COARSE_ENOUGH = 40;
    private static final int TRIES = 12;
    private static final double STALLED = 0.95;

    private final SplittableRandom random;
    private final double tolerance;
    private final double[] shares;
    private final int[] partOf;

    private RecursiveBisection(int vertices, double tolerance, SplittableRandom random, double... shares) {
        this.shares = shares;
        this.random = random;
        this.tolerance = tolerance;
        partOf = new int[vertices];
    }

    /**
     * Divides a graph.
     *
     * @param graph     the graph
     * @param parts     number of parts
     * @param tolerance weight of the heaviest part over the mean that should not be exceeded
     * @param random    decides where sides grow from
     * @param shares    what share of the weight each part is to have; null for equal ones
     * @return the part of each vertex
     */
    static int[] run(WeightedGraph graph, int parts, double tolerance, SplittableRandom random,
            double... shares) {
        int levels = Math.max(1, 32 - Integer.numberOfLeadingZeros(parts - 1));
        double eachLevel = Math.pow(tolerance, 1.0 / levels);
        RecursiveBisection bisection = new RecursiveBisection(graph.vertices(), eachLevel, random, shares);
        int[] all = new int[graph.vertices()];
        Arrays.setAll(all, i -> i);
        bisection.divide(graph, all, 0, parts);
        return bisection.partOf;
    }

    private void divide(WeightedGraph graph, int[] names, int firstPart, int parts) {
        if (parts == 1 || names.length == 0) {
            for (int name : names) {
                partOf[name] = firstPart;
            }
            return;
        }
        int lowerParts = parts / 2;
        byte[] side = bisect(graph, share(firstPart, lowerParts, parts));
        int[] numbers = new int[names.length];
        for (int s = 0; s < 2; s++) {
            int[] chosen = withSide(side, s);
            int[] chosenNames = new int[chosen.length];
            Arrays.setAll(chosenNames, i -> names[chosen[i]]);
            int sideParts = s == 0 ? lowerParts : parts - lowerParts;
            WeightedGraph half = sideParts == 1 ? graph : graph.induced(chosen, numbers);
            divide(half, chosenNames, s == 0 ? firstPart : firstPart + lowerParts, sideParts);
        }
    }

    /** What share of some parts the lower ones have. */
    private double share(int firstPart, int lowerParts, int parts) {
        if (shares == null) {
            return (double) lowerParts / parts;
        }
        double lower = 0;
        double all = 0;
        for (int part = 0; part < parts; part++) {
            lower += part < lowerParts ? shares[firstPart + part] : 0;
            all += shares[firstPart + part];
        }
        return lower / all;
    }

    private static int[] withSide(byte[] side, int wanted) {
        int[] chosen = new int[side.length];
        int count = 0;
        for (int v = 0; v < side.length; v++) {
            chosen[count] = v;
            count += side[v] == wanted ? 1 : 0;
        }
        return Arrays.copyOf(chosen, count);
    }

    private byte[] bisect(WeightedGraph finest, double share) {
        List<Coarsening> levels = new ArrayList<>();
        WeightedGraph graph = finest;
        int maxWeight = (int) Math.min(1 << 30, 1 + 3 * finest.totalWeight() / (2 * COARSE_ENOUGH));
        while (graph.vertices() > COARSE_ENOUGH) {
            Coarsening next = Coarsening.of(graph, maxWeight, new int[graph.vertices()]);
            if (next.graph().vertices() > STALLED * graph.vertices()) {
                break;
            }
            levels.add(next);
            graph = next.graph();
        }
        long total = finest.totalWeight();
        long wanted = Math.round(total * share);
        byte[] side = bestGrown(graph, wanted, limits(graph, total, wanted));
        for (int level = levels.size() - 1; level >= 0; level--) {
            WeightedGraph finer = level == 0 ? finest : levels.get(level - 1).graph();
            byte[] finerSide = new byte[finer.vertices()];
            int[] coarseOf = levels.get(level).coarseOf();
            for (int v = 0; v < finerSide.length; v++) {
                finerSide[v] = side[coarseOf[v]];
            }
            Bisection state = new Bisection(finer, limits(finer, total, wanted));
            state.set(finerSide);
            state.refine();
            side = state.side();
        }
        return side;
    }

    /** The limits of both sides; on coarse graphs there is room for half a vertex. */
    private long[] limits(WeightedGraph graph, long total, long wanted) {
        long slack = graph.greatestVertexWeight() / 2;
        return new long[]{Math.max((long) (wanted * tolerance), wanted + slack),
            Math.max((long) ((total - wanted) * tolerance), total - wanted + slack)};
    }

    private byte[] bestGrown(WeightedGraph graph, long wanted, long[] limits) {
        Bisection state = new Bisection(graph, limits);
        byte[] best = null;
        long bestExcess = Long.MAX_VALUE;
        long bestCut = Long.MAX_VALUE;
        for (int attempt = 0; attempt < TRIES; attempt++) {
            state.grow(wanted, random);
            state.refine();
            if (state.excess() < bestExcess || (state.excess() == bestExcess && state.cut() < bestCut)) {
                bestExcess = state.excess();
                bestCut = state.cut();
                best = state.side().clone();
            }
        }
        return best;
    }
}
