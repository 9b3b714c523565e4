package org.trellis.solve.direct;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Solves with factors by columns for a right-hand side that is mostly 0: searches through the columns find which
 * elements of the solution can be other than 0, in an order in which each comes before those that it changes (J.
 * Gilbert, T. Peierls, 1988), and no other is touched.
 */
final class LuReach {
    private final LuColumnNumbers numbers;
    private final LuColumns above;
    private final int[] blockOf;
    /** Steps of each block that are not 0, as lists. */
    private final int[] firstOfBlock;
    private final int[] next;
    private final BitSet waiting;
    private final int[] mark;
    private final int[] path;
    private final int[] place;
    private final int[] reached;
    private final boolean[] listed;
    private int stamp;
    private int count;

    LuReach(LuColumnNumbers numbers, LuColumns above) {
        this.numbers = numbers;
        this.above = above;
        int n = numbers.pivots().length;
        int blocks = numbers.blockStart().length - 1;
        blockOf = new int[n];
        for (int b = 0; b < blocks; b++) {
            Arrays.fill(blockOf, numbers.blockStart()[b], numbers.blockStart()[b + 1], b);
        }
        firstOfBlock = new int[blocks];
        Arrays.fill(firstOfBlock, -1);
        next = new int[n];
        waiting = new BitSet(blocks);
        mark = new int[n];
        path = new int[n];
        place = new int[n];
        reached = new int[n];
        listed = new boolean[n];
    }

    /** Says that an element of the right-hand side may be other than 0; any number of times. */
    void add(int step) {
        if (!listed[step]) {
            listed[step] = true;
            int block = blockOf[step];
            next[step] = firstOfBlock[block];
            firstOfBlock[block] = step;
            waiting.set(block);
        }
    }

    /**
     * Solves.
     *
     * @param y     the right-hand side by steps, overwritten by the solution
     * @param steps gets the steps that may be other than 0
     * @return how many there are
     */
    int solve(double[] y, int[] steps) {
        int found = 0;
        for (int b = waiting.previousSetBit(waiting.length()); b >= 0; b = waiting.previousSetBit(b)) {
            waiting.clear(b);
            searchBlock(b, numbers.below());
            for (int i = count - 1; i >= 0; i--) {
                LuColumnNumbers.subtract(numbers.below(), reached[i], y);
            }
            for (int i = 0; i < count; i++) {
                listed[reached[i]] = false;
                add(reached[i]);
            }
            waiting.clear(b);
            searchBlock(b, numbers.beyond());
            for (int i = count - 1; i >= 0; i--) {
                int k = reached[i];
                y[k] /= numbers.pivots()[k];
                LuColumnNumbers.subtract(numbers.beyond(), k, y);
            }
            for (int i = 0; i < count; i++) {
                int k = reached[i];
                steps[found++] = k;
                listed[k] = false;
                LuColumnNumbers.subtract(above, k, y);
                for (int e = above.start()[k]; e < above.start()[k + 1]; e++) {
                    add(above.rows()[e]);
                }
            }
        }
        return found;
    }

    /** Finds all steps that the listed ones of a block reach through columns, each behind those that it changes. */
    private void searchBlock(int block, LuColumns columns) {
        stamp++;
        count = 0;
        for (int step = firstOfBlock[block]; step >= 0; step = next[step]) {
            if (mark[step] != stamp) {
                search(step, columns);
            }
        }
        firstOfBlock[block] = -1;
    }

    private void search(int start, LuColumns columns) {
        int depth = 0;
        path[0] = start;
        place[0] = columns.start()[start];
        mark[start] = stamp;
        while (depth >= 0) {
            int step = path[depth];
            int e = place[depth];
            int end = columns.start()[step + 1];
            while (e < end && mark[columns.rows()[e]] == stamp) {
                e++;
            }
            if (e == end) {
                reached[count++] = step;
                depth--;
            } else {
                int child = columns.rows()[e];
                place[depth] = e + 1;
                mark[child] = stamp;
                depth++;
                path[depth] = child;
                place[depth] = columns.start()[child];
            }
        }
    }
}
