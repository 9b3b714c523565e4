package org.trellis.distributed.multigrid;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.RowDirectory;
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
    private static final byte OUT = 0;
    private static final byte UNDECIDED = 1;
    private static final byte IN = 2;
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
     * @param strong       the strong couplings of nodes
     * @param oneSided     what nodes without strong couplings may join, or null
     * @param directory    who owns the nodes
     * @param nodes        how many there are on all ranks
     * @param tags         gives numbers to messages
     */
    static RankAggregates of(Communicator communicator, LocalMatrix strong, LocalMatrix oneSided,
            RowDirectory directory, long nodes, Tags tags) {
        LocalMatrix graph = strong.symmetric(communicator, directory, tags.next());
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

    /** Finds the set of {@link IndependentSets#distance2}, round by round. */
    private static boolean[] independentSet(Communicator communicator, LocalMatrix graph) {
        byte[] states = new byte[graph.owned()];
        Arrays.fill(states, UNDECIDED);
        long[] keys = new long[graph.elements()];
        long undecided = 1;
        while (undecided > 0) {
            for (int node = 0; node < states.length; node++) {
                keys[node] = key(graph.globals()[node], states[node]);
            }
            long[] around = greatestAround(graph, greatestAround(graph, keys));
            long here = 0;
            for (int node = 0; node < states.length; node++) {
                if (states[node] == UNDECIDED) {
                    if (around[node] == key(graph.globals()[node], UNDECIDED)) {
                        states[node] = IN;
                    } else if (around[node] >>> STATE_SHIFT == 1) {
                        states[node] = OUT;
                    } else {
                        here++;
                    }
                }
            }
            undecided = communicator.sum(here);
        }
        boolean[] chosen = new boolean[states.length];
        for (int node = 0; node < chosen.length; node++) {
            chosen[node] = states[node] == IN;
        }
        return chosen;
    }

    private static long[] greatestAround(LocalMatrix graph, long[] keys) {
        graph.bring(keys);
        long[] next = new long[keys.length];
        for (int node = 0; node < graph.owned(); node++) {
            long greatest = keys[node];
            for (int k = graph.start(node); k < graph.end(node); k++) {
                greatest = Math.max(greatest, keys[graph.columns()[k]]);
            }
            next[node] = greatest;
        }
        return next;
    }

    private static long key(long node, byte state) {
        if (state == OUT) {
            return 0;
        }
        long weight = IndependentSets.weight(node, SEED);
        return (state == IN ? 1L << STATE_SHIFT : 0) | (((weight << INDEX_BITS) | node) + 1);
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
        long[] known = Arrays.stream(of).filter(root -> root != NONE).distinct().toArray();
        long[] found = numbers.find(known);
        Map<Long, Integer> placeOf = new HashMap<>();
        for (int i = 0; i < known.length; i++) {
            placeOf.put(known[i], i);
        }
        long[] number = new long[of.length];
        int[] owner = new int[of.length];
        for (int node = 0; node < of.length; node++) {
            if (of[node] == NONE) {
                number[node] = NONE;
                owner[node] = communicator.rank();
            } else {
                int place = placeOf.get(of[node]);
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
