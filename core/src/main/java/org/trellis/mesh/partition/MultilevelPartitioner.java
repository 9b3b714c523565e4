package org.trellis.mesh.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.backend.Availability;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.order.Orderings;

/**
 * The built-in multilevel k-way method (G. Karypis, V. Kumar, "Multilevel k-way partitioning scheme for irregular
 * graphs", J. Parallel Distrib. Comput. 48, 1998): the graph is coarsened by matching along heavy edges, the coarsest
 * graph is divided by recursive bisection, and the parts are improved at every level on the way back.
 *
 * <p>The coarsest graph, if it is small, is divided several times, from other starting points, and the best is
 * taken; small
 * graphs are coarsened again within the parts found and refined once more.
 *
 * <p>Takes time proportional to edges times the number of levels. Deterministic: the seed is fixed. Small tolerances, a
 * few tenths of a per cent, are met on meshes as a rule, but not promised; disconnected graphs may force parts to be
 * larger.
 */
public final class MultilevelPartitioner implements Partitioner {
    private static final String NAME = "multilevel";
    private static final long SEED = 20140801;
    private static final int COARSE_VERTICES_PER_PART = 8;
    private static final int LEAST_COARSE_VERTICES = 400;
    private static final double STALLED = 0.95;
    /** The most divisions of the coarsest graph, of which the best is taken. */
    private static final int MOST_TRIES = 8;
    /** Many parts have a large coarsest graph, of which so many vertices are divided in all. */
    private static final int VERTICES_TRIED = 16_000;
    /** On larger graphs a second cycle gains little for its time. */
    private static final int MOST_FOR_SECOND_CYCLE = 200_000;

    /** Makes the partitioner; it has no state. */
    public MultilevelPartitioner() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability probe() {
        return Availability.yes("built in");
    }

    @Override
    public Partition partition(Graph graph, int parts, double tolerance) {
        return partition(graph, parts, tolerance, null);
    }

    @Override
    public Partition partition(Graph graph, double[] shares, double tolerance) {
        return partition(graph, shares.length, tolerance, Partitioner.checkedShares(shares));
    }

    private static Partition partition(Graph graph, int parts, double tolerance, double[] shares) {
        check(parts, tolerance);
        if (parts == 1 || graph.vertices() == 0) {
            return new Partition(new int[graph.vertices()], parts);
        }
        // In breadth-first order memory is read in sequence, and pairs are matched front by front.
        Permutation local = Orderings.breadthFirst(graph);
        int[] localParts = run(WeightedGraph.of(graph.renumbered(local)), parts, tolerance, shares);
        int[] partOf = new int[graph.vertices()];
        for (int v = 0; v < partOf.length; v++) {
            partOf[v] = localParts[local.newIndex(v)];
        }
        return new Partition(partOf, parts);
    }

    private static int[] run(WeightedGraph finest, int parts, double tolerance, double... shares) {
        Levels levels = Levels.of(finest, parts, new int[finest.vertices()]);
        WeightedGraph coarsest = levels.coarsest();
        SplittableRandom random = new SplittableRandom(SEED);
        int[] best = null;
        long least = Long.MAX_VALUE;
        int tries = Math.clamp(VERTICES_TRIED / Math.max(1, coarsest.vertices()), 1, MOST_TRIES);
        for (int attempt = 0; attempt < tries; attempt++) {
            int[] partOf = RecursiveBisection.run(coarsest, parts, tolerance, random, shares);
            KWayRefinement refinement = new KWayRefinement(coarsest, partOf,
                    limits(coarsest, finest, parts, tolerance, shares));
            refinement.run();
            if (refinement.badness() < least) {
                least = refinement.badness();
                best = partOf;
            }
        }
        int[] partOf = refined(levels, best, parts, tolerance, shares);
        return finest.vertices() > MOST_FOR_SECOND_CYCLE
                ? partOf
                : cycled(finest, partOf, parts, tolerance, shares);
    }

    /**
     * Coarsens again, now within parts, and refines what is there on the way back: other vertices move together than
     * before (C. Walshaw, "Multilevel refinement for combinatorial optimisation problems", Ann. Oper. Res. 131, 2004).
     * Keeps the better one.
     */
    private static int[] cycled(WeightedGraph finest, int[] before, int parts, double tolerance, double... shares) {
        Levels levels = Levels.of(finest, parts, before);
        int[] coarsePartOf = levels.partOf().clone();
        new KWayRefinement(levels.coarsest(), coarsePartOf,
                limits(levels.coarsest(), finest, parts, tolerance, shares)).run();
        int[] after = refined(levels, coarsePartOf, parts, tolerance, shares);
        long[] limits = limits(finest, finest, parts, tolerance, shares);
        return new KWayRefinement(finest, after, limits).badness() < new KWayRefinement(finest, before, limits)
                .badness() ? after : before;
    }

    /** Takes parts of the coarsest graph back to the finest, better at each level. Uses the levels up. */
    private static int[] refined(Levels levels, int[] coarsest, int parts, double tolerance, double... shares) {
        int[] partOf = coarsest;
        List<Coarsening> steps = levels.steps();
        for (int level = steps.size() - 1; level >= 0; level--) {
            WeightedGraph finer = level == 0 ? levels.finest() : steps.get(level - 1).graph();
            int[] coarseOf = steps.get(level).coarseOf();
            int[] finerPartOf = new int[coarseOf.length];
            for (int v = 0; v < coarseOf.length; v++) {
                finerPartOf[v] = partOf[coarseOf[v]];
            }
            steps.remove(level);
            partOf = finerPartOf;
            new KWayRefinement(finer, partOf, limits(finer, levels.finest(), parts, tolerance, shares)).run();
        }
        return partOf;
    }

    /** Checks what every partitioner checks. */
    static void check(int parts, double tolerance) {
        Checks.positive("number of parts", parts);
        if (!(tolerance >= 1)) {
            throw new IllegalArgumentException("tolerance is " + tolerance + ", expected at least 1");
        }
    }

    /**
     * Coarser and coarser graphs.
     *
     * @param finest the graph
     * @param steps  from each to the next
     * @param partOf the part of each vertex of the coarsest, all of whose fine vertices are in it
     */
    private record Levels(WeightedGraph finest, List<Coarsening> steps, int[] partOf) {
        static Levels of(WeightedGraph finest, int parts, int... finePartOf) {
            List<Coarsening> levels = new ArrayList<>();
            long enough = Math.max(LEAST_COARSE_VERTICES, (long) COARSE_VERTICES_PER_PART * parts);
            int maxWeight = (int) Math.max(1, 3 * finest.totalWeight() / (2 * enough));
            WeightedGraph graph = finest;
            int[] partOf = finePartOf;
            while (graph.vertices() > enough) {
                Coarsening next = Coarsening.of(graph, maxWeight, partOf);
                if (next.graph().vertices() > STALLED * graph.vertices()) {
                    break;
                }
                levels.add(next);
                graph = next.graph();
                int[] coarsePartOf = new int[graph.vertices()];
                for (int v = 0; v < partOf.length; v++) {
                    coarsePartOf[next.coarseOf()[v]] = partOf[v];
                }
                partOf = coarsePartOf;
            }
            return new Levels(finest, levels, partOf);
        }

        WeightedGraph coarsest() {
            return steps.isEmpty() ? finest : steps.getLast().graph();
        }
    }

    /** The most that each part may weigh; never less than its share, rounded up, and the tolerance allow. */
    private static long[] limits(WeightedGraph graph, WeightedGraph finest, int parts, double tolerance,
            double... shares) {
        long[] limits = new long[parts];
        long total = finest.totalWeight();
        for (int part = 0; part < parts; part++) {
            long mean = shares == null ? (total + parts - 1) / parts : (long) Math.ceil(total * shares[part]);
            long allowed = Math.max(mean,
                    (long) (shares == null ? tolerance * total / parts : tolerance * total * shares[part]));
            limits[part] = graph == finest ? allowed : Math.max(allowed, mean + graph.greatestVertexWeight() / 2);
        }
        return limits;
    }
}
