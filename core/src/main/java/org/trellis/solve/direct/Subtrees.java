package org.trellis.solve.direct;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.trellis.common.ParallelRanges;

/**
 * A forest in postorder cut into subtrees that can be worked on at the same time, and what is above them.
 *
 * @param first the first node of each subtree, those of most work first
 * @param root  the last one
 * @param above the nodes that are in none, in postorder
 */
record Subtrees(int[] first, int[] root, int[] above) {
    /** Multiplications and additions below which another thread takes longer to start. */
    private static final double WORTH_THREADS = 1e7;
    /** The greatest subtree has this share of what a thread has to do. */
    private static final int PIECES_OF_THREAD = 6;

    /** Does the work of a range of nodes. */
    interface Worker {
        /** Works on the nodes of a subtree. */
        void run(int first, int root);
    }

    /** Everything in one: for a single thread. */
    static Subtrees none(int nodes) {
        int[] above = new int[nodes];
        Arrays.setAll(above, s -> s);
        return new Subtrees(new int[0], new int[0], above);
    }

    /**
     * Cuts.
     *
     * @param parent     the parent of each node, -1 for roots
     * @param operations the work of each node
     * @param threads    how many may take part
     */
    static Subtrees of(int[] parent, double[] operations, int threads) {
        int n = parent.length;
        double[] below = operations.clone();
        int[] firstOf = new int[n];
        Arrays.setAll(firstOf, s -> s);
        double total = 0;
        for (int s = 0; s < n; s++) {
            total += operations[s];
            if (parent[s] >= 0) {
                below[parent[s]] += below[s];
                firstOf[parent[s]] = Math.min(firstOf[parent[s]], firstOf[s]);
            }
        }
        if (threads < 2 || total < WORTH_THREADS) {
            return none(n);
        }
        double most = total / (PIECES_OF_THREAD * threads);
        int[] roots = new int[n];
        int[] above = new int[n];
        int subtrees = 0;
        int others = 0;
        for (int s = 0; s < n; s++) {
            if (below[s] > most) {
                above[others++] = s;
            } else if (parent[s] < 0 || below[parent[s]] > most) {
                roots[subtrees++] = s;
            }
        }
        int[] sorted = Arrays.stream(roots, 0, subtrees).boxed()
                .sorted((a, b) -> Double.compare(below[b], below[a])).mapToInt(Integer::intValue).toArray();
        return new Subtrees(Arrays.stream(sorted).map(s -> firstOf[s]).toArray(), sorted,
                Arrays.copyOf(above, others));
    }

    /** Returns how many threads there are. */
    static int threads() {
        return ForkJoinPool.getCommonPoolParallelism() + 1;
    }

    /**
     * Works on all subtrees, the greatest first.
     *
     * @param workers makes one for each thread
     * @param done    takes it back
     * @throws FactorisationException   of the first subtree of which a worker threw one
     * @throws IllegalArgumentException likewise
     */
    void run(Supplier<? extends Worker> workers, Consumer<Worker> done) {
        if (root.length == 0) {
            return;
        }
        AtomicInteger next = new AtomicInteger();
        RuntimeException[] failures = new RuntimeException[root.length];
        ParallelRanges.run(Math.min(threads(), root.length), 1, (from, to) -> {
            Worker worker = workers.get();
            for (int t = next.getAndIncrement(); t < root.length; t = next.getAndIncrement()) {
                try {
                    worker.run(first[t], root[t]);
                } catch (FactorisationException | IllegalArgumentException e) {
                    failures[t] = e;
                }
            }
            done.accept(worker);
        });
        int earliest = -1;
        for (int t = 0; t < root.length; t++) {
            if (failures[t] != null && (earliest < 0 || root[t] < root[earliest])) {
                earliest = t;
            }
        }
        if (earliest >= 0) {
            throw failures[earliest];
        }
    }
}
