package org.trellis.mesh.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.trellis.common.Checks;
import org.trellis.mesh.order.Graph;

/**
 * Finds a small set of vertices without which a graph falls into two parts of similar weight: a multilevel method. The
 * graph is coarsened by matching along heavy edges, the coarsest graph is halved from several starting points, and the
 * best of its separators is refined at every level on the way back (G. Karypis, V. Kumar, "A fast and high quality
 * multilevel scheme for partitioning irregular graphs", SIAM J. Sci. Comput. 20, 1998, section 3.2; B. Hendrickson, E.
 * Rothberg, "Improving the run time and quality of nested dissection ordering", SIAM J. Sci. Comput. 20, 1998).
 *
 * <p>Takes time proportional to edges times levels. Deterministic.
 */
public final class VertexSeparator {
    /** What {@link #of} returns for vertices of the separator; 0 and 1 are the sides. */
    public static final byte SEPARATOR = Separation.SEPARATOR;
    private static final long SEED = 20190411;
    private static final int COARSE_ENOUGH = 100;
    private static final int TRIES = 3;
    /** Graphs of at most so many vertices are separated several times, coarsened otherwise each time. */
    private static final int SMALL = 4000;
    private static final int SMALL_TRIES = 4;
    private static final double STALLED = 0.95;
    /** The most that a side may weigh over half of everything. */
    private static final double TOLERANCE = 1.2;

    private VertexSeparator() {}

    /**
     * Separates a graph. Vertices in breadth-first order or another of short reach are separated best and soonest.
     *
     * @param graph         with each edge in both directions
     * @param vertexWeights the weight of each vertex, at least 1
     * @return for each vertex its side, 0 or 1, or {@link #SEPARATOR}; no edge joins the sides. A side may be empty
     * @throws IllegalArgumentException if there is not one weight for each vertex
     */
    public static byte[] of(Graph graph, int[] vertexWeights) {
        Checks.length("vertex weights", vertexWeights.length, graph.vertices());
        if (graph.vertices() == 0) {
            return new byte[0];
        }
        WeightedGraph finest = WeightedGraph.of(graph);
        return multilevel(new WeightedGraph(finest.offsets(), finest.neighbours(), finest.edgeWeights(), vertexWeights),
                SMALL, SMALL_TRIES, new SplittableRandom(SEED)).place();
    }

    /** Coarsens to so many vertices, separates what is left so many times, and refines the best on the way back. */
    private static Separation multilevel(WeightedGraph finest, int enough, int tries, SplittableRandom random) {
        List<Coarsening> levels = new ArrayList<>();
        WeightedGraph graph = finest;
        long total = finest.totalWeight();
        int maxWeight = (int) Math.min(1 << 30, 1 + 3 * total / (2L * enough));
        while (graph.vertices() > enough) {
            Coarsening next = Coarsening.of(graph, maxWeight, new int[graph.vertices()]);
            if (next.graph().vertices() > STALLED * graph.vertices()) {
                break;
            }
            levels.add(next);
            graph = next.graph();
        }
        Separation best = null;
        for (int attempt = 0; attempt < tries; attempt++) {
            Separation next;
            if (enough == COARSE_ENOUGH) {
                next = grown(graph, total, random);
            } else {
                next = attempt == 0 ? multilevel(graph, COARSE_ENOUGH, TRIES, random) : shuffled(graph, random);
            }
            best = best == null || better(next, best) ? next : best;
        }
        for (int level = levels.size() - 1; level >= 0; level--) {
            WeightedGraph finer = level == 0 ? finest : levels.get(level - 1).graph();
            byte[] place = new byte[finer.vertices()];
            int[] coarseOf = levels.get(level).coarseOf();
            for (int v = 0; v < place.length; v++) {
                place[v] = best.place()[coarseOf[v]];
            }
            best = new Separation(finer, limit(finer, total), place, random);
            best.refine();
        }
        return best;
    }

    /** Separates a graph whose vertices are numbered at random, so that others of them are matched. */
    private static Separation shuffled(WeightedGraph graph, SplittableRandom random) {
        int n = graph.vertices();
        int[] chosen = new int[n];
        for (int i = 0; i < n; i++) {
            int j = random.nextInt(i + 1);
            chosen[i] = chosen[j];
            chosen[j] = i;
        }
        byte[] found = multilevel(graph.induced(chosen, new int[n]), COARSE_ENOUGH, TRIES, random).place();
        byte[] place = new byte[n];
        for (int i = 0; i < n; i++) {
            place[chosen[i]] = found[i];
        }
        return new Separation(graph, limit(graph, graph.totalWeight()), place, random);
    }

    private static boolean better(Separation one, Separation other) {
        if (one.excess() != other.excess()) {
            return one.excess() < other.excess();
        }
        return one.weight() < other.weight()
                || (one.weight() == other.weight() && one.difference() < other.difference());
    }

    /** On coarse graphs there is room for half a vertex. */
    private static long limit(WeightedGraph graph, long total) {
        return Math.max((long) (TOLERANCE * total / 2), total / 2 + graph.greatestVertexWeight() / 2);
    }

    private static Separation grown(WeightedGraph graph, long total, SplittableRandom random) {
        long limit = limit(graph, total);
        Bisection sides = new Bisection(graph, new long[]{limit, limit});
        sides.grow(total / 2, random);
        Separation separation = new Separation(graph, limit, sides.side().clone(), random);
        separation.refine();
        return separation;
    }
}
