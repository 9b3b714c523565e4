package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * The columns of each row of a product, in order. An array says for each column which row last had it, so that a term
 * costs one look-up and nothing is searched for; neighbouring rows have neighbouring columns, so that the parts of the
 * array in use stay in the caches although the array is as long as the product is wide.
 */
final class ProductStructure {
    private static final int ROWS_PER_PIECE = 512;

    private final int[] lengths;
    /** Where the columns of each row start within its piece. */
    private final int[] starts;
    private final int[][] pieces;

    private ProductStructure(int rows) {
        this.lengths = new int[rows];
        this.starts = new int[rows];
        this.pieces = new int[Math.ceilDiv(rows, ROWS_PER_PIECE)][];
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

    private static final class Finder {
        private final CsrRowCursor left;
        private final CsrRowCursor right;
        private final int[] lastRow;
        private int[] found = new int[1 << 12];
        private int size;

        Finder(CsrMatrix a, CsrMatrix b) {
            this.left = new CsrRowCursor(a);
            this.right = new CsrRowCursor(b);
            this.lastRow = new int[b.columns()];
            Arrays.fill(lastRow, -1);
        }

        int[] find(int piece, ProductStructure into) {
            size = 0;
            int end = Math.min(into.lengths.length, (piece + 1) * ROWS_PER_PIECE);
            for (int row = piece * ROWS_PER_PIECE; row < end; row++) {
                into.starts[row] = size;
                row(row);
                into.lengths[row] = size - into.starts[row];
                Arrays.sort(found, into.starts[row], size);
            }
            return Arrays.copyOf(found, size);
        }

        private void row(int row) {
            left.moveTo(row);
            int[] inner = left.columns();
            int end = left.end();
            for (int k = left.start(); k < end; k++) {
                right.moveTo(inner[k]);
                note(row, right.columns(), right.start(), right.end());
            }
        }

        private void note(int row, int[] columns, int from, int to) {
            if (found.length < size + to - from) {
                found = Arrays.copyOf(found, Math.max(2 * found.length, size + to - from));
            }
            int at = size;
            for (int l = from; l < to; l++) {
                int column = columns[l];
                if (lastRow[column] != row) {
                    lastRow[column] = row;
                    found[at++] = column;
                }
            }
            size = at;
        }
    }
}
