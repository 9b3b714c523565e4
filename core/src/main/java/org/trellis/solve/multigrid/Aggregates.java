package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.algebra.IndependentSets;
import org.trellis.sparse.algebra.MatrixGraphs;

/** Groups of nodes that become one node of the next level; nodes without strong couplings are in none. */
final class Aggregates {
    /** What {@link #of} returns for nodes in no aggregate. */
    static final int NONE = -1;

    private static final int FREE = -2;
    private static final int ROWS_PER_TASK = 1024;
    private static final long SEED = 1998;
    /** Free neighbours with which a node that is left begins an aggregate. */
    private static final int LEAST_NEIGHBOURS = 2;

    private final int[] aggregateOf;
    private final int count;

    private Aggregates(int[] aggregateOf, int count) {
        this.aggregateOf = aggregateOf;
        this.count = count;
    }

    /**
     * Aggregates in the order of the nodes (P. Vaněk, J. Mandel, M. Brezina, Computing 56, 1996, algorithm 5.1): a node
     * whose neighbours are all free takes them; then nodes that are left join the first neighbour that was taken so.
     * Costs two passes on one thread, and gives what PyAMG's {@code standard} gives.
     *
     * @param strong the strong couplings
     * @return the aggregates, numbered in the order of the nodes that began them
     */
    static Aggregates greedy(CsrMatrix strong) {
        int[] of = new int[strong.rows()];
        Arrays.fill(of, FREE);
        int count = 0;
        for (int node = 0; node < of.length; node++) {
            if (of[node] == FREE) {
                count = begin(strong, node, of, count);
            }
        }
        int[] joined = of.clone();
        for (int node = 0; node < of.length; node++) {
            if (of[node] == FREE) {
                joined[node] = firstNeighbour(strong, node, of);
            }
        }
        for (int node = 0; node < of.length; node++) {
            if (joined[node] == FREE) {
                count = takeFree(strong, node, joined, count);
            }
        }
        return new Aggregates(joined, count);
    }

    private static int begin(CsrMatrix strong, int node, int[] of, int count) {
        CsrSegment segment = strong.segmentOf(node);
        int[] columns = segment.columnIndices();
        boolean alone = true;
        for (int k = segment.rowStart(node); k < segment.rowEnd(node); k++) {
            if (columns[k] != node) {
                alone = false;
                if (of[columns[k]] != FREE) {
                    return count;
                }
            }
        }
        if (alone) {
            of[node] = NONE;
            return count;
        }
        of[node] = count;
        for (int k = segment.rowStart(node); k < segment.rowEnd(node); k++) {
            of[columns[k]] = count;
        }
        return count + 1;
    }

    private static int firstNeighbour(CsrMatrix strong, int node, int[] of) {
        CsrSegment segment = strong.segmentOf(node);
        for (int k = segment.rowStart(node); k < segment.rowEnd(node); k++) {
            int there = of[segment.columnIndices()[k]];
            if (there >= 0) {
                return there;
            }
        }
        return FREE;
    }

    /** Begins an aggregate with what is left; that happens where couplings are not symmetric only. */
    private static int takeFree(CsrMatrix strong, int node, int[] of, int count) {
        CsrSegment segment = strong.segmentOf(node);
        of[node] = count;
        for (int k = segment.rowStart(node); k < segment.rowEnd(node); k++) {
            if (of[segment.columnIndices()[k]] == FREE) {
                of[segment.columnIndices()[k]] = count;
            }
        }
        return count + 1;
    }

    /**
     * Aggregates around the nodes of a maximal independent set of distance 2 (N. Bell, S. Dalton, L. Olson, SIAM J.
     * Sci. Comput. 34(4), 2012, section 3.2), in two phases (B. Kelley, S. Rajamanickam, "Parallel, portable algorithms
     * for distance-2 maximal independent set and graph coarsening", IPDPS 2022, algorithm 3): neighbours join the nodes
     * of the set; among those that are left, a second set of nodes that have two free neighbours or more begins
     * aggregates with these; each other node joins the neighbour whose coupling is greatest. On several threads; the
     * same aggregates however many there are.
     *
     * @param strong the strong couplings
     * @return the aggregates, numbered in the order of the nodes of the first set, then of the second
     */
    static Aggregates independentSet(CsrMatrix strong) {
        CsrMatrix graph = MatrixGraphs.symmetric(strong);
        boolean[] chosen = IndependentSets.distance2(graph, SEED);
        int[] first = new int[graph.rows()];
        int count = 0;
        for (int node = 0; node < first.length; node++) {
            boolean alone = isAlone(graph, node);
            first[node] = alone ? NONE : chosen[node] ? count : FREE;
            count += chosen[node] && !alone ? 1 : 0;
        }
        int[] second = joined(graph, first);
        CsrMatrix left = graph.filter((i, j, value) -> i == j || (second[i] == FREE && second[j] == FREE));
        boolean[] chosenLater = IndependentSets.distance2(left, SEED);
        int[] third = second.clone();
        for (int node = 0; node < third.length; node++) {
            if (second[node] == FREE && chosenLater[node] && neighbours(left, node) >= LEAST_NEIGHBOURS) {
                third[node] = count++;
            }
        }
        return new Aggregates(joined(graph, joined(left, third)), count);
    }

    private static int neighbours(CsrMatrix graph, int node) {
        CsrSegment segment = graph.segmentOf(node);
        int count = 0;
        for (int k = segment.rowStart(node); k < segment.rowEnd(node); k++) {
            count += segment.columnIndices()[k] == node ? 0 : 1;
        }
        return count;
    }

    /**
     * Lets nodes in no aggregate join that of the neighbour to which their coupling is greatest.
     *
     * @param couplings who may be joined; the diagonal does not count
     * @return other aggregates, of the same number; nodes without such a neighbour stay in none
     */
    Aggregates joined(CsrMatrix couplings) {
        int[] all = aggregateOf.clone();
        ParallelRanges.run(all.length, ROWS_PER_TASK, (from, to) -> {
            for (int node = from; node < to; node++) {
                if (aggregateOf[node] == NONE) {
                    all[node] = Math.max(NONE, strongest(couplings, node, aggregateOf));
                }
            }
        });
        return new Aggregates(all, count);
    }

    /** Lets free nodes join the neighbour in an aggregate to which their coupling is greatest, the first of several. */
    private static int[] joined(CsrMatrix graph, int[] before) {
        int[] after = before.clone();
        ParallelRanges.run(graph.rows(), ROWS_PER_TASK, (from, to) -> {
            for (int node = from; node < to; node++) {
                if (before[node] == FREE) {
                    after[node] = strongest(graph, node, before);
                }
            }
        });
        return after;
    }

    private static int strongest(CsrMatrix graph, int node, int[] of) {
        CsrSegment segment = graph.segmentOf(node);
        int found = FREE;
        double greatest = -1;
        for (int k = segment.rowStart(node); k < segment.rowEnd(node); k++) {
            int there = of[segment.columnIndices()[k]];
            double coupling = Math.abs(segment.values().get(k));
            if (there >= 0 && coupling > greatest) {
                found = there;
                greatest = coupling;
            }
        }
        return found;
    }

    private static boolean isAlone(CsrMatrix graph, int node) {
        CsrSegment segment = graph.segmentOf(node);
        int length = segment.rowEnd(node) - segment.rowStart(node);
        return length == 0 || (length == 1 && segment.columnIndices()[segment.rowStart(node)] == node);
    }

    /** Returns the number of nodes. */
    int nodes() {
        return aggregateOf.length;
    }

    /** Returns the number of aggregates. */
    int count() {
        return count;
    }

    /** Returns the aggregate of a node, or {@link #NONE}. */
    int of(int node) {
        return aggregateOf[node];
    }

    /** Returns the nodes sorted by aggregate, those in none left out, and where each aggregate begins. */
    Members members() {
        int[] offsets = new int[count + 1];
        for (int aggregate : aggregateOf) {
            if (aggregate != NONE) {
                offsets[aggregate + 1]++;
            }
        }
        ParallelRanges.accumulate(offsets);
        int[] next = offsets.clone();
        int[] nodes = new int[offsets[count]];
        for (int node = 0; node < aggregateOf.length; node++) {
            if (aggregateOf[node] != NONE) {
                nodes[next[aggregateOf[node]]++] = node;
            }
        }
        return new Members(offsets, nodes);
    }

    /** The nodes of each aggregate, in their order, one aggregate after the other. */
    record Members(int[] offsets, int[] nodes) {}
}
