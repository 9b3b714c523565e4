package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * The columns of each row of a product, in order. Where a row's columns lie close together, as they do for meshes, each
 * term sets a bit; elsewhere an array says for each column which row last had it, and the columns are sorted. Either
 * way a term costs one look-up, and nothing is searched for. A row of the left factor with the columns of the row
 * before, as there are many where nodes have several unknowns, gets the columns found there.
 */
final class ProductStructure {
    private static final int ROWS_PER_PIECE = 512;
    /** Words of 64 columns that are looked through more quickly than one term is sorted. */
    private static final int WORDS_PER_TERM = 6;

    private final int[] lengths;
    /** Where the columns of each row start within its piece. */
    private final int[] starts;
    private final int[][] pieces;
    /** Whether the columns of a row, also in the left factor, are those of the row before. */
    private final boolean[] alike;

    private ProductStructure(int rows) {
        this.lengths = new int[rows];
        this.starts = new int[rows];
        this.pieces = new int[Math.ceilDiv(rows, ROWS_PER_PIECE)][];
        this.alike = new boolean[rows];
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
        ProductStructure structure = new ProductStructure(a.rows());
        ParallelRanges.run(structure.pieces.length, 1, () -> new Finder(a, b), (from, to, finder) -> {
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
        private final CsrRowCursor left;
        private final CsrRowCursor before;
        private final CsrRowCursor right;
        private final int columns;
        /** The row that last had each column; made when a row first needs it. */
        private int[] lastRow;
        private long[] bits = new long[64];
        private int[] found = new int[1 << 12];
        private int size;
        private int terms;
        private int lowest;
        private int highest;

        Finder(CsrMatrix a, CsrMatrix b) {
            this.left = new CsrRowCursor(a);
            this.before = new CsrRowCursor(a);
            this.right = new CsrRowCursor(b);
            this.columns = b.columns();
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
            if (found.length - size < Math.min(terms, range)) {
                found = Arrays.copyOf(found, (int) Math.max(2L * found.length, size + Math.min(terms, range)));
            }
            if (lengthBefore > 0 && isLikeBefore(row)) {
                System.arraycopy(found, size - lengthBefore, found, size, lengthBefore);
                size += lengthBefore;
                return true;
            }
            if (range / Long.SIZE <= WORDS_PER_TERM * (long) terms) {
                byBits();
            } else {
                byMarks(row);
            }
            return false;
        }

        private boolean isLikeBefore(int row) {
            before.moveTo(row - 1);
            return left.hasColumnsOf(before);
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

        private void byMarks(int row) {
            if (lastRow == null) {
                lastRow = new int[columns];
                Arrays.fill(lastRow, -1);
            }
            int start = size;
            int[] inner = left.columns();
            int end = left.end();
            for (int k = left.start(); k < end; k++) {
                right.moveTo(inner[k]);
                note(row, right.columns(), right.start(), right.end());
            }
            Arrays.sort(found, start, size);
        }

        private void note(int row, int[] these, int from, int to) {
            int at = size;
            for (int l = from; l < to; l++) {
                int column = these[l];
                if (lastRow[column] != row) {
                    lastRow[column] = row;
                    found[at++] = column;
                }
            }
            size = at;
        }
    }
}
