package org.trellis.mesh.order;

import org.trellis.common.Permutation;

/** The reverse Cuthill-McKee order of one graph. */
final class CuthillMcKee {
    private final int[] offsets;
    private final int[] neighbours;
    private final BreadthFirst search;
    private final boolean[] numbered;
    private final int[] order;
    private int count;

    CuthillMcKee(Graph graph) {
        offsets = graph.offsets();
        neighbours = graph.neighbours();
        search = new BreadthFirst(graph);
        numbered = new boolean[graph.vertices()];
        order = new int[graph.vertices()];
    }

    Permutation reverseOrder() {
        for (int vertex = 0; vertex < numbered.length; vertex++) {
            if (!numbered[vertex]) {
                number(peripheral(vertex));
            }
        }
        for (int i = 0, j = order.length - 1; i < j; i++, j--) {
            int kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        return Permutation.ofOldIndices(order);
    }

    /** George and Liu's pseudo-peripheral vertex: from the least joined vertex of the last level, until no deeper. */
    private int peripheral(int start) {
        int root = start;
        search.search(root);
        while (search.levels() > 1) {
            int depth = search.levels();
            int end = search.endsOfEachDegree()[0];
            // A wider search is a worse start, however deep it is.
            boolean complete = search.search(end, search.width() + 1);
            if (!complete) {
                return root;
            }
            root = end;
            if (search.levels() <= depth) {
                return root;
            }
        }
        return root;
    }

    private void number(int root) {
        int from = count;
        order[count++] = root;
        numbered[root] = true;
        for (; from < count; from++) {
            int vertex = order[from];
            int first = count;
            for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
                int other = neighbours[i];
                if (!numbered[other]) {
                    numbered[other] = true;
                    order[count++] = other;
                }
            }
            BreadthFirst.sortByDegree(offsets, order, first, count);
        }
    }
}
