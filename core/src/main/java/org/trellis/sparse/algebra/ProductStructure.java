package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * The columns of each row of a product, in order. Where a row's columns lie close together each term sets a bit;
 * elsewhere an array, indexed from the row's first column, says which row last had a column, and the columns are
 * sorted. A term costs one look-up and no branch. Two kinds of rows need neither: one whose left row has the columns of
 * the row before, as there are many where nodes have several unknowns, and one that is the row before shifted by one
 * column, as nearly all are on a grid.
 */
final class ProductStructure {
    private static final int ROWS_PER_PIECE = 512;
    /** Words of 64 columns that are looked through as quickly as one term is noted and sorted. */
    private static final int WORDS_PER_TERM = 1;
    /** Columns that insertion sorts faster than the library does. */
    private static final int SORTED_BY_INSERTION = 40;

    private final int[] lengths;
    /** Where the columns of each row start within its piece. */
    private final int[] starts;
    private final int[][] pieces;
    /** Whether the columns of a row, also in the left factor, are those of the row before. */
    private final boolean[] alike;
    /** Whether each row of the right factor is the row before shifted by one column: 0 is unknown. */
    private final byte[] shifted;

    private ProductStructure(int rows, int innerRows) {
        this.lengths = new int[rows];
        this.starts = new int[rows];
        this.pieces = new int[Math.ceilDiv(rows, ROWS_PER_PIECE)][];
        this.alike = new boolean[rows];
        this.shifted = new byte[innerRows];
    }

    /**
     * Says whether the arrays, of as many integers as the product has columns for each thread, are small beside the
     * factors.
     */
    static boolean isWorthwhile(CsrMatrix a, CsrMatrix b) {
        return b.columns() <= 2 * (a.nonZeros() + b.nonZeros()) + a.rows();
    }

    /** Finds the structure on several threads; it takes four bytes an entry. */
    static ProductStructure of(CsrMatrix a, CsrMatrix b) {
        ProductStructure structure = new ProductStructure(a.rows(), b.rows());
        ParallelRanges.run(structure.pieces.length, 1, () -> new Finder(a, b, structure.shifted),
                (from, to, finder) -> {
                    for (int piece = from; piece < to; piece++) {
                        structure.pieces[piece] = finder.find(piece, structure);
                    }
                });
        return structure;
    }

    /** Returns the number of entries of each row. */
    int[] lengths() {
        return lengths;
    }

    /** Copies the columns of a row to a place. */
    void copy(int row, int[] columns, int at) {
        System.arraycopy(pieces[row / ROWS_PER_PIECE], starts[row], columns, at, lengths[row]);
    }

    /** Says whether the columns of a row, also in the left factor, are known to be those of the row before. */
    boolean isAlike(int row) {
        return alike[row];
    }

    /** Finds the columns of rows for one thread. */
    private static final class Finder {
        private static final byte NO = 1;
        private static final byte YES = 2;

        private final CsrRowCursor left;
        private final CsrRowCursor before;
        private final CsrRowCursor right;
        private final CsrRowCursor rightBefore;
        private final int columns;
        /** Written by all threads, each of which finds the same for a row. */
        private final byte[] shifted;
        /** When each column, counted from the first of a row, was last noted. */
        private int[] noted = new int[64];
        private int time;
        private long[] bits = new long[64];
        private int[] found = new int[1 << 12];
        private int size;
        private int terms;
        private int lowest;
        private int highest;

        Finder(CsrMatrix a, CsrMatrix b, byte[] shifted) {
            this.left = new CsrRowCursor(a);
            this.before = new CsrRowCursor(a);
            this.right = new CsrRowCursor(b);
            this.rightBefore = new CsrRowCursor(b);
            this.columns = b.columns();
            this.shifted = shifted;
        }

        int[] find(int piece, ProductStructure into) {
            size = 0;
            int from = piece * ROWS_PER_PIECE;
            int end = Math.min(into.lengths.length, from + ROWS_PER_PIECE);
            for (int row = from; row < end; row++) {
                into.starts[row] = size;
                into.alike[row] = row(row, row > from ? size - into.starts[row - 1] : 0);
                into.lengths[row] = size - into.starts[row];
            }
            return Arrays.copyOf(found, size);
        }

        /** Finds a row, where the one before has so many columns; says whether they are the same. */
        private boolean row(int row, int lengthBefore) {
            left.moveTo(row);
            measure();
            if (terms == 0) {
                return false;
            }
            long range = (long) highest - lowest + 1;
            // One more, since a column is written before it is known to be new.
            long room = Math.min(terms, range) + 1;
            if (found.length - size < room) {
                found = Arrays.copyOf(found, (int) Math.max(2L * found.length, size + room));
            }
            if (lengthBefore > 0) {
                before.moveTo(row - 1);
                if (left.hasColumnsOf(before)) {
                    copyBefore(lengthBefore, 0);
                    return true;
                }
                if (left.hasShiftedColumnsOf(before) && isShifted()) {
                    copyBefore(lengthBefore, 1);
                    return false;
                }
            }
            if (range / Long.SIZE <= WORDS_PER_TERM * (long) terms) {
                byBits();
            } else {
                byNotes((int) range);
            }
            return false;
        }

        private void copyBefore(int length, int shift) {
            int[] to = found;
            for (int i = size; i < size + length; i++) {
                to[i] = to[i - length] + shift;
            }
            size += length;
        }

        /** Counts terms, and looks where the columns lie, which the ends of rows show. */
        private void measure() {
            int[] inner = left.columns();
            int end = left.end();
            long count = 0;
            lowest = Integer.MAX_VALUE;
            highest = -1;
            for (int k = left.start(); k < end; k++) {
                right.moveTo(inner[k]);
                if (right.start() < right.end()) {
                    count += right.end() - right.start();
                    lowest = Math.min(lowest, right.columns()[right.start()]);
                    highest = Math.max(highest, right.columns()[right.end() - 1]);
                }
            }
            terms = (int) Math.min(count, Integer.MAX_VALUE - Long.SIZE);
        }

        /** Says whether all rows of the right factor that the row names are the ones before them, shifted. */
        private boolean isShifted() {
            int[] inner = left.columns();
            int end = left.end();
            boolean all = true;
            for (int k = left.start(); k < end && all; k++) {
                int row = inner[k];
                if (shifted[row] == 0) {
                    right.moveTo(row);
                    rightBefore.moveTo(row - 1);
                    shifted[row] = right.hasShiftedColumnsOf(rightBefore) ? YES : NO;
                }
                all = shifted[row] == YES;
            }
            return all;
        }

        /** For columns that lie close together: a bit for each, which puts them in order without sorting. */
        private void byBits() {
            int base = lowest & -Long.SIZE;
            int words = (highest - base) / Long.SIZE + 1;
            if (bits.length < words) {
                bits = new long[Math.max(words, 2 * bits.length)];
            }
            long[] set = bits;
            int[] inner = left.columns();
            int end = left.end();
            for (int k = left.start(); k < end; k++) {
                right.moveTo(inner[k]);
                int[] these = right.columns();
                int last = right.end();
                for (int l = right.start(); l < last; l++) {
                    set[(these[l] - base) >>> 6] |= 1L << these[l];
                }
            }
            int at = size;
            for (int word = 0; word < words; word++) {
                for (long rest = set[word]; rest != 0; rest &= rest - 1) {
                    found[at++] = base + word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                }
                set[word] = 0;
            }
            size = at;
        }

        private void byNotes(int range) {
            if (noted.length < range) {
                noted = new int[(int) Math.min(columns, Math.max(range, 2L * noted.length))];
                time = 0;
            }
            time++;
            int start = size;
            int[] inner = left.columns();
            int end = left.end();
            for (int k = left.start(); k < end; k++) {
                right.moveTo(inner[k]);
                note(right.columns(), right.start(), right.end());
            }
            if (size - start > SORTED_BY_INSERTION) {
                Arrays.sort(found, start, size);
            } else {
                sortByInsertion(found, start, size);
            }
        }

        /** Half the columns are new, in no pattern, so a branch would be guessed wrong all the time. */
        private void note(int[] these, int from, int to) {
            int[] times = noted;
            int[] list = found;
            int now = time;
            int base = lowest;
            int at = size;
            for (int l = from; l < to; l++) {
                int column = these[l];
                list[at] = column;
                at += (times[column - base] - now) >>> 31;
                times[column - base] = now;
            }
            size = at;
        }

        private static void sortByInsertion(int[] list, int from, int to) {
            for (int i = from + 1; i < to; i++) {
                int column = list[i];
                int j = i - 1;
                while (j >= from && list[j] > column) {
                    list[j + 1] = list[j];
                    j--;
                }
                list[j + 1] = column;
            }
        }
    }
}
