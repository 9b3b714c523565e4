package org.trellis.sparse.algebra;

import java.util.Arrays;

/** Sets that are joined: union by size, paths halved (Tarjan and van Leeuwen, Journal of the ACM 31(2), 1984). */
final class DisjointSets {
    private final int[] parents;
    private final int[] sizes;

    DisjointSets(int count) {
        parents = new int[count];
        sizes = new int[count];
        Arrays.setAll(parents, i -> i);
        Arrays.fill(sizes, 1);
    }

    int find(int element) {
        int at = element;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    /** Returns whether they were in different sets. */
    boolean join(int a, int b) {
        int large = find(a);
        int small = find(b);
        if (large == small) {
            return false;
        }
        if (sizes[large] < sizes[small]) {
            int kept = large;
            large = small;
            small = kept;
        }
        parents[small] = large;
        sizes[large] += sizes[small];
        return true;
    }
}
