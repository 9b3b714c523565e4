package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.sparse.algebra.IndependentSets;

/**
 * Aggregates around maximal independent sets of distance 2 over ranks: those that one rank makes, node by node, since
 * what is drawn is a function of a node's global index and each round of the search waits for all ranks (N. Bell, S.
 * Dalton, L. Olson, SIAM J. Sci. Comput. 34(4), 2012, section 3.2; B. Kelley, S. Rajamanickam, IPDPS 2022, algorithm
 * 3). Until they have numbers, aggregates are known by the global index of the node that began them.
 */
final class RankAggregates {
    /** Stands for the aggregate of a node that is in none. */
    static final long NONE = -1;

    private static final long FREE = -2;
    private static final long SEED = 1998;
    private static final int LEAST_NEIGHBOURS = 2;
    private static final int STATE_SHIFT = Long.SIZE - 2;
    private static final int INDEX_BITS = 31;

    private final Communicator communicator;
    private final long[] of;
    private final RootNumbers numbers;

    private RankAggregates(Communicator communicator, long[] of, RootNumbers numbers) {
        this.communicator = communicator;
        this.of = of;
        this.numbers = numbers;
    }

    /**
     * Aggregates. Collective.
     *
     * @param communicator the ranks
     * @param graph        the strong couplings of nodes, symmetric in pattern
     * @param oneSided     what nodes without strong couplings may join, or null
     * @param nodes        how many there are on all ranks
     */
    static RankAggregates of(Communicator communicator, LocalMatrix graph, LocalMatrix oneSided, long nodes) {
        RootNumbers numbers = new RootNumbers(communicator, nodes);
        boolean[] chosen = independentSet(communicator, graph);
        long[] first = new long[graph.elements()];
        for (int node = 0; node < graph.owned(); node++) {
            boolean alone = neighbours(graph, node) == 0;
            first[node] = alone ? NONE : chosen[node] ? graph.globals()[node] : FREE;
        }
        numbers.add(roots(graph, first));
        long[] second = joined(graph, graph.bring(first));
        LocalMatrix left = graph.filter((row, column, value) -> row == column
                || (second[row] == FREE && second[column] == FREE));
        boolean[] chosenLater = independentSet(communicator, left);
        long[] third = second.clone();
        for (int node = 0; node < graph.owned(); node++) {
            if (second[node] == FREE && chosenLater[node] && neighbours(left, node) >= LEAST_NEIGHBOURS) {
                third[node] = graph.globals()[node];
            }
        }
        long[] begun = new long[graph.owned()];
        Arrays.setAll(begun, node -> third[node] == second[node] ? FREE : third[node]);
        numbers.add(roots(graph, begun));
        long[] all = joined(graph, joined(left, graph.bring(third)));
        long[] owned = Arrays.copyOf(all, graph.owned());
        return new RankAggregates(communicator, oneSided == null ? owned : joinedAlone(oneSided, owned), numbers);
    }

    /** Lets nodes in none join, of what is strong for them, the neighbour whose coupling is greatest. */
    private static long[] joinedAlone(LocalMatrix couplings, long[] owned) {
        long[] before = couplings.bring(Arrays.copyOf(owned, couplings.elements()));
        long[] after = owned.clone();
        for (int node = 0; node < owned.length; node++) {
            if (before[node] == NONE) {
                after[node] = Math.max(NONE, strongest(couplings, node, before));
            }
        }
        return after;
    }

    private static long[] roots(LocalMatrix graph, long[] of) {
        long[] roots = new long[graph.owned()];
        int count = 0;
        for (int node = 0; node < graph.owned(); node++) {
            if (of[node] == graph.globals()[node]) {
                roots[count++] = of[node];
            }
        }
        return Arrays.copyOf(roots, count);
    }

    /** Lets free nodes join the neighbour to which their coupling is greatest, the first of several. */
    private static long[] joined(LocalMatrix graph, long[] before) {
        long[] after = before.clone();
        for (int node = 0; node < graph.owned(); node++) {
            if (before[node] == FREE) {
                after[node] = strongest(graph, node, before);
            }
        }
        return graph.bring(after);
    }

    private static long strongest(LocalMatrix graph, int node, long[] of) {
        long found = FREE;
        double greatest = -1;
        for (int k = graph.start(node); k < graph.end(node); k++) {
            long there = of[graph.columns()[k]];
            double coupling = Math.abs(graph.values()[k]);
            if (there >= 0 && coupling > greatest) {
                found = there;
                greatest = coupling;
            }
        }
        return found;
    }

    private static int neighbours(LocalMatrix graph, int node) {
        int count = 0;
        for (int k = graph.start(node); k < graph.end(node); k++) {
            count += graph.columns()[k] == node ? 0 : 1;
        }
        return count;
    }

    /**
     * Finds the set of {@link IndependentSets#distance2}, round by round. Only nodes that are undecided, or beside one
     * that is, are examined again: there is one node of the set at most beside another, so who has found it keeps it.
     */
    private static boolean[] independentSet(Communicator communicator, LocalMatrix graph) {
        int owned = graph.owned();
        long[] keys = new long[graph.elements()];
        long[] greatest = new long[graph.elements()];
        int[] undecided = new int[owned];
        int[] open = new int[owned];
        for (int node = 0; node < owned; node++) {
            keys[node] = key(graph.globals()[node]);
            undecided[node] = node;
            open[node] = node;
        }
        int left = owned;
        int changing = owned;
        do {
            graph.bring(keys);
            changing = greatestAround(graph, keys, open, changing, greatest);
            graph.bring(greatest);
            left = decide(graph, greatest, undecided, left, keys);
        } while (communicator.sum(left) > 0);
        boolean[] chosen = new boolean[owned];
        for (int node = 0; node < owned; node++) {
            chosen[node] = keys[node] >>> STATE_SHIFT == 1;
        }
        return chosen;
    }

    /** Finds the greatest keys at and beside nodes; returns how many of these may change, which are then first. */
    private static int greatestAround(LocalMatrix graph, long[] keys, int[] open, int count, long[] greatest) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            int node = open[i];
            long found = greatest(graph, keys, node);
            greatest[node] = found;
            if (found != 0 && found >>> STATE_SHIFT == 0) {
                open[left++] = node;
            }
        }
        return left;
    }

    /** Decides what can be decided; returns how many nodes are left, which are then first. */
    private static int decide(LocalMatrix graph, long[] greatest, int[] undecided, int count, long[] keys) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            int node = undecided[i];
            long around = greatest(graph, greatest, node);
            if (around == keys[node]) {
                keys[node] |= 1L << STATE_SHIFT;
            } else if (around >>> STATE_SHIFT == 1) {
                keys[node] = 0;
            } else {
                undecided[left++] = node;
            }
        }
        return left;
    }

    private static long greatest(LocalMatrix graph, long[] keys, int node) {
        int[] columns = graph.columns();
        long greatest = keys[node];
        int end = graph.end(node);
        for (int k = graph.start(node); k < end; k++) {
            greatest = Math.max(greatest, keys[columns[k]]);
        }
        return greatest;
    }

    /** Returns the key of an undecided node; that of a node in the set has a further bit, that of others is 0. */
    private static long key(long node) {
        return ((IndependentSets.weight(node, SEED) << INDEX_BITS) | node) + 1;
    }

    /** Returns the number of aggregates on all ranks. */
    long count() {
        return numbers.count();
    }

    /** Returns how many owned nodes are in none. */
    long alone() {
        return Arrays.stream(of).filter(root -> root == NONE).count();
    }

    /**
     * Gives aggregates the numbers that one rank gives them: in the order of the nodes that began them, those of the
     * first set before those of the second. Collective.
     *
     * @return by owned node
     */
    Numbered numbered() {
        IndexMap places = new IndexMap(of.length / 4);
        for (long root : of) {
            if (root != NONE) {
                places.add(root);
            }
        }
        long[] known = new long[places.size()];
        Arrays.setAll(known, places::index);
        long[] found = numbers.find(known);
        long[] number = new long[of.length];
        int[] owner = new int[of.length];
        for (int node = 0; node < of.length; node++) {
            if (of[node] == NONE) {
                number[node] = NONE;
                owner[node] = communicator.rank();
            } else {
                int place = places.get(of[node]);
                number[node] = found[2 * place];
                owner[node] = (int) found[2 * place + 1];
            }
        }
        return new Numbered(number, owner);
    }

    /**
     * Aggregates of owned nodes.
     *
     * @param number the number of the aggregate of each, or {@link #NONE}
     * @param owner  the rank of the node that began it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Numbered(long[] number, int[] owner) {}
}
