package org.trellis.sparse.algebra;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;

/**
 * The rows of a matrix in pieces of so many, as threads have computed them: each piece lies one row behind the other
 * somewhere in a block of memory ({@link EntryBlocks}). A product whose rows are used once stays that, and one that is
 * to be kept becomes a matrix. Values are doubles, rounded to the matrix's precision.
 */
final class RowPieces {
    /** Rows of a piece, as a power of two. */
    static final int SHIFT = 9;

    private static final int ROWS = 1 << SHIFT;

    private final int rows;
    private final int columnCount;
    private final Precision precision;
    private final long expected;
    /** Of each piece: its block, and where each of its rows starts there and the last one ends. */
    private final int[][] columns;
    private final double[][] values;
    private final int[] offsets;
    private final int[] lengths;
    private final List<EntryBlocks.Block> blocks = Collections.synchronizedList(new ArrayList<>());

    /**
     * Prepares for rows.
     *
     * @param rows        how many
     * @param columnCount columns of the matrix
     * @param precision   what values are rounded to
     * @param expected    entries that there may be
     */
    RowPieces(int rows, int columnCount, Precision precision, long expected) {
        this.rows = rows;
        this.columnCount = columnCount;
        this.precision = precision;
        this.expected = expected;
        int pieces = Math.ceilDiv(rows, ROWS);
        this.columns = new int[pieces][];
        this.values = new double[pieces][];
        this.offsets = new int[Checks.arrayLength("starts of the rows of a product", (long) rows + pieces)];
        this.lengths = new int[rows];
    }

    int columnCount() {
        return columnCount;
    }

    int pieces() {
        return columns.length;
    }

    int firstRow(int piece) {
        return piece * ROWS;
    }

    int endRow(int piece) {
        return (int) Math.min(rows, (piece + 1L) * ROWS);
    }

    /** Returns the columns of the blocks in which pieces lie. */
    int[][] columns() {
        return columns;
    }

    /** Returns the values of the blocks in which pieces lie. */
    double[][] values() {
        return values;
    }

    /** Returns where rows start in their blocks, at the row's number plus that of its piece; they end at the next. */
    int[] offsets() {
        return offsets;
    }

    /** Returns the numbers of entries of rows, which are to be set before a piece is. */
    int[] lengths() {
        return lengths;
    }

    /** Counts the entries of all rows. */
    long entries() {
        long sum = 0;
        for (int length : lengths) {
            sum += length;
        }
        return sum;
    }

    /** Lends a block for as many entries at least. */
    EntryBlocks.Block block(long needed) {
        EntryBlocks.Block block = EntryBlocks.take(needed, expected);
        blocks.add(block);
        return block;
    }

    /** Takes a piece that lies in a block from a place on. */
    void set(int piece, EntryBlocks.Block block, int start) {
        int first = firstRow(piece);
        int end = endRow(piece);
        int at = start;
        for (int row = first; row < end; row++) {
            offsets[row + piece] = at;
            at += lengths[row];
        }
        offsets[end + piece] = at;
        if (precision == Precision.F32) {
            double[] exact = block.values();
            for (int i = start; i < at; i++) {
                exact[i] = (float) exact[i];
            }
        }
        columns[piece] = block.columns();
        values[piece] = block.values();
    }

    /** Copies the rows to a matrix and gives the memory back. */
    CsrMatrix toMatrix() {
        CsrMatrix made = CsrFill.fill(columnCount, precision, lengths, ROWS,
                (piece, start, count, toColumns, toValues, at) -> {
                    int from = offsets[firstRow(piece) + piece] + start;
                    System.arraycopy(columns[piece], from, toColumns, at, count);
                    toValues.setRange(at, values[piece], from, count);
                });
        close();
        return made;
    }

    /** Gives the memory back. */
    void close() {
        blocks.forEach(EntryBlocks::giveBack);
        blocks.clear();
    }
}
