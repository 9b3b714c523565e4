package org.trellis.matrices.catalogue;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixGenerator;
import org.trellis.matrices.generate.SplitMix;
import org.trellis.matrices.generate.SymmetricPattern;
import org.trellis.sparse.CsrMatrix;

/**
 * A surrogate with a symmetric pattern: a graph of nodes, each of which is a dense block of a few unknowns. The number
 * of edges is the least that reaches the non-zeros; the few couplings too many are then left out of the first edges. If
 * the rows are not a multiple of the block, the last rows make a node of their own without neighbours.
 */
final class SymmetricSurrogate implements MatrixGenerator {
    /** Rows of the last segments keep their place; the others are shuffled if the original has a wide band. */
    private static final int SEGMENTS = 64;
    private static final double WIDE_FACTOR = 8;
    private static final int ROUNDS = 5;
    private static final double GOOD_ENOUGH = 0.01;

    private final ThesisMatrix facts;
    private final int unknowns;
    private final int nodes;
    private final long seed;

    SymmetricSurrogate(ThesisMatrix facts, long seed) {
        this.facts = facts;
        this.unknowns = facts.recipe().unknowns();
        this.nodes = facts.rows() / unknowns;
        this.seed = seed;
    }

    @Override
    public int rows() {
        return facts.rows();
    }

    @Override
    public int columns() {
        return facts.columns();
    }

    @Override
    public CsrMatrix generate(Precision precision, ProgressListener progress) {
        return makeRows().generate(precision, progress);
    }

    /**
     * Makes the graph, which knows the length of each row. Edges that find no place among near neighbours change the
     * deviation a little, so the graph is made again, with a deviation corrected by what was met, where that matters.
     */
    SymmetricRows makeRows() {
        double aim = facts.deviation();
        SymmetricRows best = makeRows(aim);
        double bestError = Math.abs(best.deviation() / facts.deviation() - 1);
        SymmetricRows last = best;
        for (int round = 1; round < ROUNDS && bestError > GOOD_ENOUGH; round++) {
            aim *= facts.deviation() / last.deviation();
            last = makeRows(aim);
            double error = Math.abs(last.deviation() / facts.deviation() - 1);
            if (error < bestError) {
                best = last;
                bestError = error;
            }
        }
        return best;
    }

    private SymmetricRows makeRows(double deviation) {
        int rest = facts.rows() % unknowns;
        long blocks = (long) nodes * unknowns * unknowns + (long) rest * rest;
        long missingDiagonal = (long) facts.rows() - facts.diagonal();
        long couplings = facts.nonZeros() - (blocks - missingDiagonal);
        int perEdge = 2 * unknowns * unknowns;
        long edges = (couplings + perEdge - 1) / perEdge;
        int dimensions = facts.recipe().structure() == ThesisMatrix.Structure.SYMMETRIC2D ? 2 : 3;
        int bandwidth = facts.bandwidth() / unknowns;
        // Half of the band is for the steps, since leftovers are paired within twice the longest.
        int wanted = 2 * facts.recipe().longest() / unknowns + 8;
        int[] steps = LatticeSteps.make(nodes, dimensions, bandwidth / 2, wanted, false);
        int reach = Arrays.stream(steps).max().orElse(0);
        int[] order = bandwidth > WIDE_FACTOR * reach ? shuffledSegments() : straight();
        int[] degrees = degrees(edges, deviation, order);
        SymmetricPattern graph = DegreeGraph.make(degrees, steps, order, seed);
        int dropped = (int) ((edges * perEdge - couplings) / 2);
        return new SymmetricRows(facts, graph, dropped, seed);
    }

    /**
     * Degrees of the nodes. Nodes without a diagonal entry are isolated where the shortest row is 0, as of an original
     * with empty rows; elsewhere they count like the others.
     */
    private int[] degrees(long edges, double deviation, int[] order) {
        ThesisMatrix.Recipe recipe = facts.recipe();
        boolean logarithmic = recipe.lengths().equals("lognormal");
        int missing = facts.rows() - facts.diagonal();
        boolean diagonal = missing < facts.rows();
        int isolated = recipe.shortest() == 0 ? missing : 0;
        int linked = nodes - isolated;
        double mean = 2.0 * edges / linked;
        // With d unknowns a node of degree g has rows of d(g + 1); without a diagonal rows of g.
        double squares = facts.rows() * (deviation * deviation + facts.mean() * facts.mean());
        double perNode = squares / linked / unknowns / unknowns / unknowns;
        double present = isolated > 0 ? 1 : (double) facts.diagonal() / facts.rows();
        double variance = perNode - (mean + present) * (mean + present) - present * (1 - present);
        int own = diagonal ? 1 : 0;
        int least = Math.max(1, (recipe.shortest() + unknowns - 1) / unknowns - own);
        int most = recipe.longest() / unknowns - own;
        int[] sorted = LengthHistogram.fit(linked, 2 * edges, Math.sqrt(Math.max(0, variance)), least, most,
                logarithmic);
        int[] dealt = SmoothOrder.deal(sorted, seed);
        if (isolated == 0) {
            return dealt;
        }
        int[] degrees = new int[nodes];
        int next = 0;
        for (int node = 0; node < nodes; node++) {
            degrees[node] = SymmetricRows.lacksDiagonal(order[node], missing, facts.rows()) ? 0 : dealt[next++];
        }
        return degrees;
    }

    private int[] straight() {
        int[] order = new int[nodes];
        Arrays.setAll(order, i -> i);
        return order;
    }

    /**
     * Cuts the nodes into segments of one length and puts these in another order; what is left over stays at the end.
     */
    private int[] shuffledSegments() {
        int segment = nodes / SEGMENTS;
        int[] place = new int[SEGMENTS];
        SplitMix random = new SplitMix(seed + 1);
        for (int i = 0; i < SEGMENTS; i++) {
            int j = random.nextInt(i + 1);
            place[i] = place[j];
            place[j] = i;
        }
        int[] order = straight();
        for (int node = 0; node < segment * SEGMENTS; node++) {
            order[node] = place[node / segment] * segment + node % segment;
        }
        return order;
    }
}
