package org.trellis.mesh.order;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;

/** Elements sorted by their sorted targets: one stable counting sort a column, from the last to the first. */
final class LexicographicOrder {
    /** Targets of an element up to which insertion sorts them. */
    private static final int MAX_INSERTION_SORT = 24;

    private LexicographicOrder() {}

    static Permutation of(int[] table, int arity, Permutation targetOrder) {
        Checks.positive("arity", arity);
        if (table.length % arity != 0) {
            throw new IllegalArgumentException("the table has " + table.length + " entries, expected a multiple of "
                    + arity + ", its arity");
        }
        int[] words = sortedRows(table, arity, targetOrder.toArray());
        int elements = table.length / arity;
        int[] order = new int[elements];
        Arrays.setAll(order, i -> i);
        int[] spare = new int[elements];
        int[] starts = new int[targetOrder.size() + 1];
        for (int column = arity - 1; column >= 0; column--) {
            pass(words, arity, column, order, spare, starts);
            int[] kept = order;
            order = spare;
            spare = kept;
        }
        return Permutation.ofOldIndices(order);
    }

    private static int[] sortedRows(int[] table, int arity, int[] newIndices) {
        int[] words = new int[table.length];
        for (int i = 0; i < table.length; i++) {
            int target = table[i];
            if (target < 0 || target >= newIndices.length) {
                throw new IllegalArgumentException("target " + i % arity + " of element " + i / arity + " is " + target
                        + ", expected 0 to " + (newIndices.length - 1));
            }
            words[i] = newIndices[target];
        }
        for (int from = 0; from < words.length; from += arity) {
            sort(words, from, from + arity);
        }
        return words;
    }

    private static void sort(int[] words, int from, int to) {
        if (to - from > MAX_INSERTION_SORT) {
            Arrays.sort(words, from, to);
            return;
        }
        for (int i = from + 1; i < to; i++) {
            int key = words[i];
            int at = i;
            while (at > from && words[at - 1] > key) {
                words[at] = words[at - 1];
                at--;
            }
            words[at] = key;
        }
    }

    private static void pass(int[] words, int arity, int column, int[] order, int[] sorted, int[] starts) {
        Arrays.fill(starts, 0);
        for (int i = column; i < words.length; i += arity) {
            starts[words[i] + 1]++;
        }
        for (int i = 1; i < starts.length; i++) {
            starts[i] += starts[i - 1];
        }
        for (int element : order) {
            sorted[starts[words[element * arity + column]]++] = element;
        }
    }
}
