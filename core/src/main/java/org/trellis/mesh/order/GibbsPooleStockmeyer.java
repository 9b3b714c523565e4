package org.trellis.mesh.order;

import java.util.Arrays;
import org.trellis.common.Permutation;

/**
 * The Gibbs-Poole-Stockmeyer order of one graph, component by component:
 * <ol>
 * <li>find a pseudo-diameter: two vertices, each on the last level of the search from the other;</li>
 * <li>give each vertex a level between those of the two searches, so that the levels become narrow;</li>
 * <li>number level by level, following the neighbours of what has been numbered.</li>
 * </ol>
 */
final class GibbsPooleStockmeyer {
    private final Graph graph;
    private final int[] offsets;
    private final int[] neighbours;
    private final BreadthFirst search;
    private final NarrowLevels narrowLevels;
    private int[] levelFromFirst;
    private int[] levelFromSecond;
    private final int[] level;
    private final int[] members;
    private final int[] bucketed;
    private final int[] order;
    private final int[] position;
    private int count;
    private int first;
    private int second;
    private int depth;
    private int firstWidth;

    GibbsPooleStockmeyer(Graph graph) {
        int n = graph.vertices();
        this.graph = graph;
        offsets = graph.offsets();
        neighbours = graph.neighbours();
        search = new BreadthFirst(graph);
        narrowLevels = new NarrowLevels(graph);
        levelFromFirst = new int[n];
        levelFromSecond = new int[n];
        level = new int[n];
        members = new int[n];
        bucketed = new int[n];
        order = new int[n];
        position = new int[n];
        Arrays.fill(position, -1);
    }

    Permutation order() {
        for (int vertex = 0; vertex < position.length; vertex++) {
            if (position[vertex] < 0) {
                component(vertex);
            }
        }
        return Permutation.ofNewIndices(position);
    }

    private void component(int start) {
        search.search(start);
        int size = search.count();
        int root = start;
        for (int i = 0; i < size; i++) {
            members[i] = search.reached(i);
            root = graph.degree(members[i]) < graph.degree(root) ? members[i] : root;
        }
        int secondWidth = findDiameter(root);
        boolean firstIsNarrower = firstWidth <= secondWidth;
        narrowLevels.assign(members, size, depth, levelFromFirst, levelFromSecond, firstIsNarrower, level);
        if (graph.degree(second) < graph.degree(first)) {
            int kept = first;
            first = second;
            second = kept;
            for (int i = 0; i < size; i++) {
                level[members[i]] = depth - level[members[i]];
            }
        }
        int from = count;
        number(size);
        reverseIfBetter(from);
    }

    /** Finds both ends and the levels of the searches from them; returns the width of the second search. */
    private int findDiameter(int start) {
        first = start;
        search.search(first);
        while (true) {
            depth = search.levels() - 1;
            firstWidth = search.width();
            search.copyLevels(levelFromFirst);
            int[] ends = search.endsOfEachDegree();
            int narrowest = Integer.MAX_VALUE;
            second = first;
            boolean deeper = false;
            for (int i = 0; i < ends.length && !deeper; i++) {
                if (!search.search(ends[i], narrowest)) {
                    continue;
                }
                deeper = search.levels() - 1 > depth;
                if (deeper) {
                    first = ends[i];
                } else {
                    narrowest = search.width();
                    second = ends[i];
                    search.copyLevels(levelFromSecond);
                }
            }
            if (!deeper) {
                return narrowest;
            }
        }
    }

    private void number(int size) {
        int[] starts = bucketByLevel(size);
        int begin = count;
        append(first);
        for (int now = 0; now <= depth; now++) {
            int cursor = starts[now];
            int at = begin;
            while (true) {
                for (; at < count; at++) {
                    appendNeighbours(order[at], now);
                }
                while (cursor < starts[now + 1] && position[bucketed[cursor]] >= 0) {
                    cursor++;
                }
                if (cursor == starts[now + 1]) {
                    break;
                }
                append(bucketed[cursor]);
            }
            int end = count;
            for (int i = begin; i < end && now < depth; i++) {
                appendNeighbours(order[i], now + 1);
            }
            begin = end;
        }
    }

    private void append(int vertex) {
        position[vertex] = count;
        order[count++] = vertex;
    }

    private void appendNeighbours(int vertex, int wanted) {
        int from = count;
        for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
            int other = neighbours[i];
            if (level[other] == wanted && position[other] < 0) {
                append(other);
            }
        }
        if (count - from > 1) {
            BreadthFirst.sortByDegree(offsets, order, from, count);
            for (int i = from; i < count; i++) {
                position[order[i]] = i;
            }
        }
    }

    /** Lists the members level by level, those of a level by increasing degree; returns where each level starts. */
    private int[] bucketByLevel(int size) {
        int[] starts = new int[depth + 2];
        for (int i = 0; i < size; i++) {
            starts[level[members[i]] + 1]++;
        }
        for (int i = 0; i <= depth; i++) {
            starts[i + 1] += starts[i];
        }
        int[] at = starts.clone();
        for (int i = 0; i < size; i++) {
            bucketed[at[level[members[i]]]++] = members[i];
        }
        for (int i = 0; i <= depth; i++) {
            BreadthFirst.sortByDegree(offsets, bucketed, starts[i], starts[i + 1]);
        }
        return starts;
    }

    /** The original paper derives from its choices which direction is better; here both profiles are computed. */
    private void reverseIfBetter(int from) {
        long forward = 0;
        long backward = 0;
        for (int i = from; i < count; i++) {
            int lowest = i;
            int highest = i;
            for (int j = offsets[order[i]]; j < offsets[order[i] + 1]; j++) {
                int other = position[neighbours[j]];
                lowest = Math.min(lowest, other);
                highest = Math.max(highest, other);
            }
            forward += i - lowest;
            backward += highest - i;
        }
        if (backward < forward) {
            for (int i = from; i < count; i++) {
                position[order[i]] = from + count - 1 - i;
            }
        }
    }
}
