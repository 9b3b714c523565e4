package org.trellis.mesh.order;

import org.trellis.common.Permutation;

/**
 * Renumberings that bring neighbours close to each other. All of them are deterministic, bear graphs of several
 * components, isolated vertices, loops and repeated edges, and need the graph to have each edge in both directions.
 */
public final class Orderings {
    private Orderings() {}

    /**
     * Numbers vertices in the order in which breadth-first searches reach them, each from the first vertex that was not
     * reached before. Takes linear time; worse than the other orders, but several times as fast.
     *
     * @param graph the graph
     * @return where each vertex goes
     */
    public static Permutation breadthFirst(Graph graph) {
        return BreadthFirst.order(graph);
    }

    /**
     * Numbers vertices by breadth-first search from a vertex at the edge of the graph, neighbours by increasing degree,
     * and reverses the numbers (E. Cuthill, J. McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969; A.
     * George, J. W. H. Liu, "Computer Solution of Large Sparse Positive Definite Systems", 1981, for the start). Takes
     * linear time for bounded degrees. Components come one after another.
     *
     * @param graph the graph
     * @return where each vertex goes
     */
    public static Permutation reverseCuthillMcKee(Graph graph) {
        return BreadthFirst.throughLocalNumbers(graph, local -> new CuthillMcKee(local).reverseOrder());
    }

    /**
     * Numbers vertices level by level, where the levels combine those of searches from both ends of a pseudo-diameter
     * so
     * that they are narrow (N. E. Gibbs, W. G. Poole, P. K. Stockmeyer, "An algorithm for reducing the bandwidth and
     * profile of a sparse matrix", SIAM J. Numer. Anal. 13, 1976). As in Lewis's implementation (ACM TOMS algorithm
     * 582), only one vertex of each degree is tried as the other end. Of the order and its reverse, the one of smaller
     * profile is returned. Takes linear time for bounded degrees but for sorting what the two searches disagree about.
     *
     * @param graph the graph
     * @return where each vertex goes
     */
    public static Permutation gibbsPooleStockmeyer(Graph graph) {
        return BreadthFirst.throughLocalNumbers(graph, local -> new GibbsPooleStockmeyer(local).order());
    }

    /**
     * Orders elements by their targets: each element's targets in increasing order are a word, and the words are
     * sorted.
     * Elements with the same targets keep their order. A radix sort: {@code arity} passes over elements and targets.
     *
     * @param table   targets of the elements, {@code arity} each, with the numbers that are to count
     * @param arity   targets of an element, at least 1
     * @param targets number of targets
     * @return where each element goes
     * @throws IllegalArgumentException if the table has no whole number of elements or an entry is no target
     */
    public static Permutation lexicographic(int[] table, int arity, int targets) {
        return LexicographicOrder.of(table, arity, Permutation.identity(targets));
    }

    /**
     * Orders elements by the numbers that their targets will get, as {@link #lexicographic(int[], int, int)} does.
     *
     * @param table       targets of the elements, {@code arity} each, with their old numbers
     * @param arity       targets of an element, at least 1
     * @param targetOrder where each target goes
     * @return where each element goes
     * @throws IllegalArgumentException if the table has no whole number of elements or an entry is no target
     */
    public static Permutation lexicographic(int[] table, int arity, Permutation targetOrder) {
        return LexicographicOrder.of(table, arity, targetOrder);
    }
}
