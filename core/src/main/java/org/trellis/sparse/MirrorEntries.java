package org.trellis.sparse;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trellis.common.ParallelRanges;

/**
 * Goes through the entries of a square matrix of symmetric pattern together with their mirror images: the entries of a
 * row left of the diagonal are met one after the other by the rows above it, so nothing is searched for but where a
 * piece of rows begins.
 */
public final class MirrorEntries {
    private static final int WORTHWHILE_NON_ZEROS = 1 << 17;
    /** Each piece looks for its first column in all rows below, so many pieces are no faster. */
    private static final int MOST_PIECES = 4;

    private final int[] offsets;
    private final int[] columns;
    private final int rows;
    private final PairTest test;

    private MirrorEntries(CsrSegment segment, PairTest test) {
        this.offsets = segment.rowOffsets();
        this.columns = segment.columnIndices();
        this.rows = segment.rows();
        this.test = test;
    }

    /** Looks at an entry and its mirror image. */
    @FunctionalInterface
    public interface PairTest {
        /**
         * Looks at a pair.
         *
         * @param entry  the place of an entry on or right of the diagonal, in the arrays of the segment
         * @param mirror the place of its mirror image; the same on the diagonal
         * @return whether to go on
         */
        boolean test(int entry, int mirror);
    }

    /**
     * Goes through all pairs, on up to {@value #MOST_PIECES} threads, each of which takes four bytes a row. Costs one
     * pass over the entries.
     *
     * @param segment all rows of a square matrix
     * @param test    called once for each pair, on any thread, in no order
     * @return whether each entry has a mirror image and the test held for all; if not, some pairs may be left out
     * @throws IllegalArgumentException if the segment does not begin with the first row
     */
    public static boolean all(CsrSegment segment, PairTest test) {
        if (segment.firstRow() != 0) {
            throw new IllegalArgumentException("mirror images in a segment from row " + segment.firstRow()
                    + ", expected all rows of a matrix");
        }
        int pieces = Math.clamp(segment.nonZeros() / WORTHWHILE_NON_ZEROS, 1,
                Math.min(MOST_PIECES, ForkJoinPool.getCommonPoolParallelism() + 1));
        return all(segment, pieces, test);
    }

    static boolean all(CsrSegment segment, int pieces, PairTest test) {
        MirrorEntries entries = new MirrorEntries(segment, test);
        AtomicBoolean symmetric = new AtomicBoolean(true);
        ParallelRanges.run(pieces, 1, (from, to) -> {
            for (int p = from; p < to && symmetric.getOpaque(); p++) {
                if (!entries.holds(entries.bound(p, pieces), entries.bound(p + 1, pieces))) {
                    symmetric.set(false);
                }
            }
        });
        return symmetric.get();
    }

    private int bound(int piece, int pieces) {
        return (int) ((long) rows * piece / pieces);
    }

    /** Goes through the entries of some rows that lie on or right of the diagonal. */
    private boolean holds(int first, int end) {
        int[] next = first == 0 ? offsets.clone() : placesOf(first);
        for (int row = first; row < end; row++) {
            int last = offsets[row + 1];
            int k = next[row];
            if (k < last && columns[k] < row) {
                return false; // No row above has met it.
            }
            for (; k < last; k++) {
                int column = columns[k];
                int mirror = column == row ? k : next[column]++;
                if (mirror >= offsets[column + 1] || columns[mirror] != row || !test.test(k, mirror)) {
                    return false;
                }
            }
        }
        return allMet(next, end);
    }

    /** Finds the first entry from a column on in each row below. */
    private int[] placesOf(int first) {
        int[] places = new int[rows];
        for (int row = first; row < rows; row++) {
            int found = Arrays.binarySearch(columns, offsets[row], offsets[row + 1], first);
            places[row] = found < 0 ? -found - 1 : found;
        }
        return places;
    }

    /** Says whether rows below have no entry left in the columns of the piece. */
    private boolean allMet(int[] next, int end) {
        for (int row = end; row < rows; row++) {
            if (next[row] < offsets[row + 1] && columns[next[row]] < end) {
                return false;
            }
        }
        return true;
    }
}
