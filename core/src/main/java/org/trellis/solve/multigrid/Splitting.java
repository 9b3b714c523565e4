package org.trellis.solve.multigrid;

import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Which unknowns stay on the next level (C) and which are interpolated (F), by the parallel modified independent set
 * (PMIS: H. De Sterck, U. M. Yang, J. Heys, SIAM J. Matrix Anal. Appl. 27(4), 2006, section 4): an unknown joins C when
 * more depend on it than on any undecided neighbour, and who depends on it becomes F. Ties are decided by fixed
 * pseudo-random numbers, so the splitting is the same each time, on any number of threads.
 */
final class Splitting {
    private static final int ROWS_PER_TASK = 1024;
    private static final int TIE_BITS = 12;
    private static final byte UNDECIDED = 0;
    private static final byte COARSE = 1;
    private static final byte FINE = 2;

    private final byte[] states;
    private final int[] coarseIndex;
    private final int count;

    private Splitting(byte[] states) {
        this.states = states;
        this.coarseIndex = new int[states.length];
        int next = 0;
        for (int row = 0; row < states.length; row++) {
            coarseIndex[row] = states[row] == COARSE ? next++ : -1;
        }
        this.count = next;
    }

    /**
     * Splits. Costs a transposition and a few passes over the strong couplings.
     *
     * @param strong for each row the unknowns that it depends on
     * @return the splitting
     */
    static Splitting of(CsrMatrix strong) {
        CsrMatrix influenced = strong.transpose();
        long[] keys = new long[strong.rows()];
        byte[] states = new byte[strong.rows()];
        for (int row = 0; row < keys.length; row++) {
            keys[row] = key(influenced.rowLength(row), row);
            states[row] = influenced.rowLength(row) == 0 ? FINE : UNDECIDED;
        }
        boolean undecided = true;
        while (undecided) {
            byte[] next = states.clone();
            select(strong, influenced, keys, states, next);
            undecided = dependants(strong, next) > 0;
            System.arraycopy(next, 0, states, 0, states.length);
        }
        return new Splitting(states);
    }

    /** Who depends on it counts first, then a pseudo-random number, then the index. */
    private static long key(int influence, int row) {
        long mixed = (row + 1L) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        long tie = (mixed ^ (mixed >>> 27)) >>> (Long.SIZE - TIE_BITS);
        return ((long) Math.min(influence, 1 << 19) << (TIE_BITS + 31)) | (tie << 31) | row;
    }

    private static void select(CsrMatrix strong, CsrMatrix influenced, long[] keys, byte[] states, byte[] next) {
        ParallelRanges.run(states.length, ROWS_PER_TASK, (from, to) -> {
            for (int row = from; row < to; row++) {
                if (states[row] == UNDECIDED && isGreatest(strong, row, keys, states)
                        && isGreatest(influenced, row, keys, states)) {
                    next[row] = COARSE;
                }
            }
        });
    }

    private static boolean isGreatest(CsrMatrix graph, int row, long[] keys, byte[] states) {
        CsrSegment segment = graph.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int other = segment.columnIndices()[k];
            if (states[other] == UNDECIDED && keys[other] > keys[row]) {
                return false;
            }
        }
        return true;
    }

    /** Makes F of who depends on C; returns how many are undecided still. */
    private static int dependants(CsrMatrix strong, byte[] states) {
        AtomicInteger left = new AtomicInteger();
        ParallelRanges.run(states.length, ROWS_PER_TASK, (from, to) -> {
            int here = 0;
            for (int row = from; row < to; row++) {
                if (states[row] == UNDECIDED) {
                    if (dependsOnCoarse(strong, row, states)) {
                        states[row] = FINE;
                    } else {
                        here++;
                    }
                }
            }
            left.addAndGet(here);
        });
        return left.get();
    }

    private static boolean dependsOnCoarse(CsrMatrix strong, int row, byte[] states) {
        CsrSegment segment = strong.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            if (states[segment.columnIndices()[k]] == COARSE) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of unknowns. */
    int rows() {
        return states.length;
    }

    /** Returns the number of unknowns that stay. */
    int count() {
        return count;
    }

    /** Says whether an unknown stays. */
    boolean isCoarse(int row) {
        return states[row] == COARSE;
    }

    /** Returns the index of an unknown on the next level, or −1. */
    int coarseIndex(int row) {
        return coarseIndex[row];
    }

    @Override
    public String toString() {
        return count + " of " + states.length + " unknowns";
    }
}
