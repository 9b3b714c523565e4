package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The first pass of Ruge and Stüben ("Algebraic multigrid", 1987, section 4.6) over a block of rows: the unknown on
 * which most others depend becomes C, those become F, and what these depend on is more worth becoming C. Unknowns of
 * equal worth are taken last in, first out, so that C unknowns grow from one place with regular distances.
 */
final class FirstPass {
    private static final int NONE = -1;

    private final CsrMatrix strong;
    private final CsrMatrix influenced;
    private final byte[] states;
    private final int from;
    private final int to;
    private final int[] worth;
    /** Lists of undecided unknowns of equal worth: the first of each, and the neighbours of unknowns in them. */
    private final int[] first;
    private final int[] next;
    private final int[] previous;
    private int greatest;

    private FirstPass(CsrMatrix strong, CsrMatrix influenced, byte[] states, int from, int to) {
        this.strong = strong;
        this.influenced = influenced;
        this.states = states;
        this.from = from;
        this.to = to;
        this.worth = new int[to - from];
        this.next = new int[to - from];
        this.previous = new int[to - from];
        int most = 0;
        for (int i = from; i < to; i++) {
            worth[i - from] = influenced.rowLength(i);
            most = Math.max(most, worth[i - from]);
        }
        // Each unknown that depends on another makes that one worth more once.
        this.first = new int[2 * most + 1];
        Arrays.fill(first, NONE);
    }

    /**
     * Splits the undecided unknowns of some rows; couplings to other rows count for nothing but the first worth.
     *
     * @param strong     for each row the unknowns that it depends on
     * @param influenced its transpose
     * @param states     what unknowns are; changed from the first row to before the last
     * @param from       the first row
     * @param to         the row behind the last
     */
    static void run(CsrMatrix strong, CsrMatrix influenced, byte[] states, int from, int to) {
        new FirstPass(strong, influenced, states, from, to).run();
    }

    private void run() {
        for (int i = to - 1; i >= from; i--) {
            if (states[i] == Splitting.UNDECIDED) {
                enter(i);
            }
        }
        while (greatest >= 0) {
            int i = first[greatest];
            if (i == NONE) {
                greatest--;
            } else {
                leave(i);
                states[i] = Splitting.COARSE;
                neighboursOf(i);
            }
        }
    }

    /** Makes F of who depends on a new C unknown. */
    private void neighboursOf(int i) {
        CsrSegment dependants = influenced.segmentOf(i);
        for (int k = dependants.rowStart(i); k < dependants.rowEnd(i); k++) {
            int j = dependants.columnIndices()[k];
            if (isOpen(j)) {
                leave(j);
                states[j] = Splitting.FINE;
                changeWorth(j, 1);
            }
        }
        changeWorth(i, -1);
    }

    /** Changes what the unknowns that one depends on are worth. */
    private void changeWorth(int i, int by) {
        CsrSegment row = strong.segmentOf(i);
        for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
            int j = row.columnIndices()[k];
            if (isOpen(j)) {
                leave(j);
                worth[j - from] += by;
                enter(j);
            }
        }
    }

    private boolean isOpen(int i) {
        return i >= from && i < to && states[i] == Splitting.UNDECIDED;
    }

    private void enter(int i) {
        int list = worth[i - from];
        int follower = first[list];
        next[i - from] = follower;
        previous[i - from] = NONE;
        if (follower != NONE) {
            previous[follower - from] = i;
        }
        first[list] = i;
        greatest = Math.max(greatest, list);
    }

    private void leave(int i) {
        int before = previous[i - from];
        int after = next[i - from];
        if (before == NONE) {
            first[worth[i - from]] = after;
        } else {
            next[before - from] = after;
        }
        if (after != NONE) {
            previous[after - from] = before;
        }
    }
}
