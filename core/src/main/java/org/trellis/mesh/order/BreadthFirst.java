package org.trellis.mesh.order;

import java.util.Arrays;
import java.util.function.Function;
import org.trellis.common.Permutation;

/**
 * Breadth-first searches of one graph that share their memory: a search costs in proportion to what it reaches, however
 * many there were before.
 */
final class BreadthFirst {
    /** How many vertices are sorted by insertion. */
    private static final int MAX_INSERTION_SORT = 24;

    private final int[] offsets;
    private final int[] neighbours;
    private final int[] stampOf;
    private int stamp;
    private int[] reached;
    private int[] levelStarts = new int[16];
    private int count;
    private int levels;
    private int width;

    BreadthFirst(Graph graph) {
        offsets = graph.offsets();
        neighbours = graph.neighbours();
        stampOf = new int[graph.vertices()];
        reached = new int[graph.vertices()];
    }

    /**
     * Orders a graph by way of numbers in breadth-first order. On a mesh in random order every search waits for memory;
     * after one such search the others do not. The first costs about as much as one of those it saves.
     */
    static Permutation throughLocalNumbers(Graph graph, Function<Graph, Permutation> algorithm) {
        Permutation local = order(graph);
        return local.then(algorithm.apply(graph.renumbered(local)));
    }

    static Permutation order(Graph graph) {
        BreadthFirst search = new BreadthFirst(graph);
        int[] order = new int[graph.vertices()];
        int done = 0;
        search.stamp = 1;
        for (int root = 0; root < order.length; root++) {
            if (search.stampOf[root] == 0) {
                search.spread(root, order.length + 1);
                System.arraycopy(search.reached, 0, order, done, search.count);
                done += search.count;
            }
        }
        return Permutation.ofOldIndices(order);
    }

    /** Reaches everything from a vertex. */
    void search(int root) {
        search(root, Integer.MAX_VALUE);
    }

    /**
     * Reaches everything from a vertex, or stops at a level of some width.
     *
     * @param root       where to start
     * @param widthLimit a width
     * @return whether every level is narrower than that; if not, the search stopped there
     */
    boolean search(int root, int widthLimit) {
        stamp++;
        return spread(root, widthLimit);
    }

    private boolean spread(int root, int widthLimit) {
        reached[0] = root;
        stampOf[root] = stamp;
        count = 1;
        levels = 0;
        width = 0;
        int from = 0;
        while (from < count) {
            int end = count;
            startLevel(from);
            width = Math.max(width, end - from);
            if (end - from >= widthLimit) {
                levelStarts[levels] = end;
                return false;
            }
            for (; from < end; from++) {
                int vertex = reached[from];
                for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
                    int other = neighbours[i];
                    if (stampOf[other] != stamp) {
                        stampOf[other] = stamp;
                        reached[count++] = other;
                    }
                }
            }
        }
        levelStarts[levels] = count;
        return true;
    }

    private void startLevel(int from) {
        if (levels + 2 > levelStarts.length) {
            levelStarts = Arrays.copyOf(levelStarts, 2 * levelStarts.length);
        }
        levelStarts[levels++] = from;
    }

    /** Returns how many vertices the last search reached. */
    int count() {
        return count;
    }

    /** Returns a vertex in the order in which the last search reached them. */
    int reached(int position) {
        return reached[position];
    }

    /** Returns how many levels the last search has, the root's among them. */
    int levels() {
        return levels;
    }

    /** Returns the most vertices on one level. */
    int width() {
        return width;
    }

    /** Returns the position of the first vertex of a level. */
    int levelStart(int level) {
        return levelStarts[level];
    }

    /** Writes down the level of each vertex that the last search reached. */
    void copyLevels(int[] levelOf) {
        for (int level = 0; level < levels; level++) {
            for (int i = levelStarts[level]; i < levelStarts[level + 1]; i++) {
                levelOf[reached[i]] = level;
            }
        }
    }

    /**
     * Returns the vertices on the last level, one of each degree, by increasing degree.
     *
     * @return at least one
     */
    int[] endsOfEachDegree() {
        int[] ends = Arrays.copyOfRange(reached, levelStarts[levels - 1], count);
        sortByDegree(offsets, ends, 0, ends.length);
        int kept = 1;
        for (int i = 1; i < ends.length; i++) {
            if (degree(ends[i]) != degree(ends[kept - 1])) {
                ends[kept++] = ends[i];
            }
        }
        return Arrays.copyOf(ends, kept);
    }

    private int degree(int vertex) {
        return offsets[vertex + 1] - offsets[vertex];
    }

    /** Sorts part of a list of vertices by degree; equal ones keep their order if they are few, else come by number. */
    static void sortByDegree(int[] offsets, int[] vertices, int from, int to) {
        if (to - from > MAX_INSERTION_SORT) {
            sortMany(offsets, vertices, from, to);
            return;
        }
        for (int i = from + 1; i < to; i++) {
            int vertex = vertices[i];
            int degree = offsets[vertex + 1] - offsets[vertex];
            int at = i;
            while (at > from && offsets[vertices[at - 1] + 1] - offsets[vertices[at - 1]] > degree) {
                vertices[at] = vertices[at - 1];
                at--;
            }
            vertices[at] = vertex;
        }
    }

    private static void sortMany(int[] offsets, int[] vertices, int from, int to) {
        long[] keys = new long[to - from];
        for (int i = from; i < to; i++) {
            keys[i - from] = (long) (offsets[vertices[i] + 1] - offsets[vertices[i]]) << 32 | vertices[i];
        }
        Arrays.sort(keys);
        for (int i = from; i < to; i++) {
            vertices[i] = (int) keys[i - from];
        }
    }
}
