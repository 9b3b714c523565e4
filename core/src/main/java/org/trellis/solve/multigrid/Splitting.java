package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Which unknowns stay on the next level (C) and which are interpolated (F), by the parallel modified independent set
 * (PMIS: H. De Sterck, U. M. Yang, J. Heys, SIAM J. Matrix Anal. Appl. 27(4), 2006, section 4): an unknown joins C when
 * more depend on it than on any undecided neighbour, and who depends on it becomes F. Ties are decided by fixed
 * pseudo-random numbers, so the splitting is the same each time, on any number of threads. HMIS (the same, section 5)
 * begins with the {@link FirstPass} over blocks of rows. RS is both passes of Ruge and Stüben ("Algebraic multigrid",
 * 1987, section 4.6) over all rows.
 */
final class Splitting {
    private static final int ROWS_PER_TASK = 1024;
    private static final int TIE_BITS = 12;
    /** Rows that the first pass takes at once, whatever the number of threads. */
    private static final int ROWS_PER_BLOCK = 1 << 15;
    /** An unknown of which nothing is known yet. */
    static final byte UNDECIDED = 0;
    /** An unknown that stays. */
    static final byte COARSE = 1;
    /** An unknown that is interpolated. */
    static final byte FINE = 2;

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
     * @param method how
     * @return the splitting
     */
    static Splitting of(CsrMatrix strong, CoarseningOptions.SplittingMethod method) {
        return of(strong, method, ROWS_PER_BLOCK);
    }

    /** Splits with blocks of so many rows. */
    static Splitting of(CsrMatrix strong, CoarseningOptions.SplittingMethod method, int blockRows) {
        CsrMatrix influenced = strong.transpose();
        byte[] states = new byte[strong.rows()];
        for (int row = 0; row < states.length; row++) {
            states[row] = influenced.rowLength(row) == 0 || strong.rowLength(row) == 0 ? FINE : UNDECIDED;
        }
        switch (method) {
            case PMIS -> independentSet(strong, influenced, states);
            case HMIS -> {
                interiors(strong, influenced, states, blockRows);
                independentSet(strong, influenced, states);
            }
            case RS -> {
                FirstPass.run(strong, influenced, states, 0, states.length);
                secondPass(strong, states);
            }
        }
        return new Splitting(states);
    }

    /**
     * Of F unknowns that depend on each other without a C unknown in common one becomes C; those that depend on none
     * are left to sweeps.
     */
    private static void secondPass(CsrMatrix strong, byte[] states) {
        int[] coarseOf = new int[states.length];
        Arrays.fill(coarseOf, -1);
        for (int i = 0; i < states.length; i++) {
            if (states[i] != COARSE) {
                complete(strong, states, i, coarseOf);
            }
        }
    }

    /** Where one F unknown lacks a C unknown in common with i, it becomes C; where more do, i does. */
    private static void complete(CsrMatrix strong, byte[] states, int i, int[] coarseOf) {
        CsrSegment row = strong.segmentOf(i);
        for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
            if (states[row.columnIndices()[k]] == COARSE) {
                coarseOf[row.columnIndices()[k]] = i;
            }
        }
        int lacking = -1;
        for (int k = row.rowStart(i); k < row.rowEnd(i); k++) {
            int j = row.columnIndices()[k];
            if (states[j] == COARSE || strong.rowLength(j) == 0 || dependsOnOneOf(strong, j, coarseOf, i)) {
                continue;
            }
            if (lacking >= 0) {
                states[lacking] = FINE;
                states[i] = COARSE;
                return;
            }
            lacking = j;
            states[j] = COARSE;
            coarseOf[j] = i;
        }
    }

    private static boolean dependsOnOneOf(CsrMatrix strong, int j, int[] coarseOf, int i) {
        CsrSegment row = strong.segmentOf(j);
        for (int k = row.rowStart(j); k < row.rowEnd(j); k++) {
            if (coarseOf[row.columnIndices()[k]] == i) {
                return true;
            }
        }
        return false;
    }

    /**
     * Splits twice: of the unknowns that stay at first those stay that an independent set of paths of up to two strong
     * couplings has (K. Stüben, "Algebraic multigrid: an introduction with applications", 1999, section 7.1.2).
     *
     * @param strong for each row the unknowns that it depends on
     * @param method how
     * @return the splitting
     */
    static Splitting aggressive(CsrMatrix strong, CoarseningOptions.SplittingMethod method) {
        Splitting once = of(strong, method);
        Splitting twice = of(once.paths(strong), method);
        byte[] states = new byte[strong.rows()];
        for (int row = 0; row < states.length; row++) {
            states[row] = once.isCoarse(row) && twice.isCoarse(once.coarseIndex[row]) ? COARSE : FINE;
        }
        return new Splitting(states);
    }

    /** Returns which of the unknowns that stay depend on each other by one or two strong couplings. */
    private CsrMatrix paths(CsrMatrix strong) {
        int[][] columns = new int[count][];
        ParallelRanges.run(states.length, ROWS_PER_TASK, () -> new WeightRow(this, count, 0), (from, to, row) -> {
            for (int i = from; i < to; i++) {
                if (isCoarse(i)) {
                    columns[coarseIndex[i]] = paths(strong, i, row);
                }
            }
        });
        int[] lengths = new int[count];
        Arrays.setAll(lengths, i -> columns[i].length);
        return CsrFill.fill(count, strong.precision(), lengths, () -> (i, indices, values, at) -> {
            System.arraycopy(columns[i], 0, indices, at, columns[i].length);
            for (int k = 0; k < columns[i].length; k++) {
                values.set(at + k, 1);
            }
        });
    }

    private int[] paths(CsrMatrix strong, int i, WeightRow row) {
        CsrSegment near = strong.segmentOf(i);
        for (int k = near.rowStart(i); k < near.rowEnd(i); k++) {
            int neighbour = near.columnIndices()[k];
            reach(i, neighbour, row);
            CsrSegment far = strong.segmentOf(neighbour);
            for (int l = far.rowStart(neighbour); l < far.rowEnd(neighbour); l++) {
                reach(i, far.columnIndices()[l], row);
            }
        }
        row.end(1, 1);
        return row.columns();
    }

    private void reach(int i, int j, WeightRow row) {
        if (j != i && isCoarse(j) && !row.has(j)) {
            row.add(j);
            row.add(j, 1);
        }
    }

    /** Keeps of the first pass over each block the C unknowns without strong couplings to other blocks. */
    private static void interiors(CsrMatrix strong, CsrMatrix influenced, byte[] states, int blockRows) {
        byte[] next = states.clone();
        ParallelRanges.run(Math.ceilDiv(states.length, blockRows), 1, (firstBlock, endBlock) -> {
            for (int block = firstBlock; block < endBlock; block++) {
                int from = block * blockRows;
                int to = (int) Math.min(states.length, (long) from + blockRows);
                FirstPass.run(strong, influenced, next, from, to);
                for (int row = from; row < to; row++) {
                    boolean kept = next[row] == COARSE && isWithin(strong, row, from, to)
                            && isWithin(influenced, row, from, to);
                    next[row] = kept ? COARSE : states[row];
                }
            }
        });
        dependants(strong, next);
        System.arraycopy(next, 0, states, 0, states.length);
    }

    private static boolean isWithin(CsrMatrix graph, int row, int from, int to) {
        CsrSegment segment = graph.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            if (segment.columnIndices()[k] < from || segment.columnIndices()[k] >= to) {
                return false;
            }
        }
        return true;
    }

    /** Decides on all that are undecided still. */
    private static void independentSet(CsrMatrix strong, CsrMatrix influenced, byte[] states) {
        long[] keys = new long[states.length];
        for (int row = 0; row < keys.length; row++) {
            keys[row] = key(influenced.rowLength(row), row);
        }
        boolean undecided = true;
        while (undecided) {
            byte[] next = states.clone();
            select(strong, influenced, keys, states, next);
            undecided = dependants(strong, next) > 0;
            System.arraycopy(next, 0, states, 0, states.length);
        }
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

    /** Returns the unknowns that stay, in order. */
    int[] coarse() {
        int[] rows = new int[count];
        for (int row = 0; row < states.length; row++) {
            if (states[row] == COARSE) {
                rows[coarseIndex[row]] = row;
            }
        }
        return rows;
    }

    @Override
    public String toString() {
        return count + " of " + states.length + " unknowns";
    }
}
