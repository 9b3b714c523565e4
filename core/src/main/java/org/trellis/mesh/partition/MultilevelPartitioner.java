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
        List<Coarsening> levels = coarsen(finest, parts);
        WeightedGraph coarsest = levels.isEmpty() ? finest : levels.getLast().graph();
        int[] partOf = RecursiveBisection.run(coarsest, parts, tolerance, new SplittableRandom(SEED), shares);
        new KWayRefinement(coarsest, partOf, limits(coarsest, finest, parts, tolerance, shares)).run();
        for (int level = levels.size() - 1; level >= 0; level--) {
            WeightedGraph finer = level == 0 ? finest : levels.get(level - 1).graph();
            int[] coarseOf = levels.get(level).coarseOf();
            int[] finerPartOf = new int[coarseOf.length];
            for (int v = 0; v < coarseOf.length; v++) {
                finerPartOf[v] = partOf[coarseOf[v]];
            }
            levels.remove(level);
            partOf = finerPartOf;
            new KWayRefinement(finer, partOf, limits(finer, finest, parts, tolerance, shares)).run();
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

    private static List<Coarsening> coarsen(WeightedGraph finest, int parts) {
        List<Coarsening> levels = new ArrayList<>();
        long enough = Math.max(LEAST_COARSE_VERTICES, (long) COARSE_VERTICES_PER_PART * parts);
        int maxWeight = (int) Math.max(1, 3 * finest.totalWeight() / (2 * enough));
        WeightedGraph graph = finest;
        while (graph.vertices() > enough) {
            Coarsening next = Coarsening.of(graph, maxWeight);
            if (next.graph().vertices() > STALLED * graph.vertices()) {
                break;
            }
            levels.add(next);
            graph = next.graph();
        }
        return levels;
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
