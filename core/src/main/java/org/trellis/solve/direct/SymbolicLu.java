package org.trellis.solve.direct;

import java.util.Arrays;

/**
 * Counts the entries of L and U for pivots on the diagonal, exactly: the searches of {@link LuKernel} without numbers.
 * In time of the order of the structure that pruning leaves, most often far less than the factorisation.
 */
final class SymbolicLu {
    private final ColumnStructure block;
    private final int[] order;
    private final int[] step;
    private final int n;
    private final int[] lowerStart;
    private int[] lower;
    private final int[] searchedTo;
    private final boolean[] pruned;
    private final int[] mark;
    private final int[] path;
    private final int[] next;
    private final int[] reached;
    private int reachedCount;
    private long entries;
    private double operations;

    private SymbolicLu(ColumnStructure block, int[] order) {
        this.block = block;
        this.order = order;
        n = block.columns();
        step = new int[n];
        for (int k = 0; k < n; k++) {
            step[order[k]] = k;
        }
        lowerStart = new int[n + 1];
        lower = new int[Math.max(16, 2 * block.start()[n])];
        searchedTo = new int[n];
        pruned = new boolean[n];
        mark = new int[n];
        Arrays.fill(mark, -1);
        path = new int[n];
        next = new int[n];
        reached = new int[n];
    }

    /**
     * What was counted.
     *
     * @param entries    of L and U, the diagonal once
     * @param operations multiplications and additions together
     */
    record Count(long entries, double operations) {}

    /**
     * Counts.
     *
     * @param block a square matrix with a full diagonal
     * @param order the order of its rows and columns
     * @param most  entries after which counting ends
     * @return the count, or null if there are more entries
     */
    static Count of(ColumnStructure block, int[] order, long most) {
        SymbolicLu state = new SymbolicLu(block, order);
        for (int k = 0; k < state.n; k++) {
            state.column(k);
            if (state.entries > most || state.lowerStart[k + 1] > Integer.MAX_VALUE - 8 - state.n) {
                return null;
            }
        }
        return new Count(state.entries, state.operations);
    }

    private void column(int k) {
        reachedCount = 0;
        int at = lowerStart[k];
        if (lower.length - at < n - k) {
            lower = Arrays.copyOf(lower, (int) Math.min(Integer.MAX_VALUE - 8L, at + (long) at / 2 + n - k));
        }
        mark[k] = k;
        for (int e = block.start()[order[k]]; e < block.start()[order[k] + 1]; e++) {
            int other = step[block.row()[e]];
            if (mark[other] != k) {
                at = search(other, k, at);
            }
        }
        lowerStart[k + 1] = at;
        searchedTo[k] = at;
        entries += 1L + reachedCount + at - lowerStart[k];
        operations += at - lowerStart[k];
        for (int i = 0; i < reachedCount; i++) {
            int s = reached[i];
            operations += 2.0 * (lowerStart[s + 1] - lowerStart[s]);
            prune(s, k);
        }
    }

    private int search(int start, int k, int from) {
        int at = from;
        mark[start] = k;
        if (start > k) {
            lower[at] = start;
            return at + 1;
        }
        int depth = 0;
        path[0] = start;
        next[0] = lowerStart[start];
        while (depth >= 0) {
            int s = path[depth];
            int e = next[depth];
            int end = searchedTo[s];
            int child = -1;
            while (e < end && child < 0) {
                int other = lower[e++];
                if (mark[other] != k) {
                    mark[other] = k;
                    if (other > k) {
                        lower[at++] = other;
                    } else {
                        child = other;
                    }
                }
            }
            next[depth] = e;
            if (child < 0) {
                reached[reachedCount++] = s;
                depth--;
            } else {
                path[++depth] = child;
                next[depth] = lowerStart[child];
            }
        }
        return at;
    }

    /** A column of L that has the row of a later step whose column of U has its step need not be searched beyond. */
    private void prune(int s, int k) {
        if (pruned[s]) {
            return;
        }
        int from = lowerStart[s];
        int end = lowerStart[s + 1];
        int e = from;
        while (e < end && lower[e] != k) {
            e++;
        }
        if (e == end) {
            return;
        }
        pruned[s] = true;
        int tail = end;
        int head = from;
        while (head < tail) {
            if (lower[head] <= k) {
                head++;
            } else {
                int swapped = lower[--tail];
                lower[tail] = lower[head];
                lower[head] = swapped;
            }
        }
        searchedTo[s] = tail;
    }
}
