package org.trellis.internal.simd;

import java.util.Arrays;
import org.trellis.internal.threads.product.DoubleOrderedRows;

/**
 * Cuts long rows into pieces of a fixed number of non-zeros, so that the bits of their sums do not depend on the number
 * of threads. A unit is one or more pieces: a part of a row or several whole rows.
 */
final class LongRowUnits {
    /** Non-zeros of a piece. */
    private static final int PIECE = DoubleOrderedRows.PIECE;

    private final int[] rows;
    /** The first piece of each row and the end of the last. */
    private final int[] firstPiece;
    /** The row, as an index into {@link #rows}, of each piece. */
    private final int[] rowOfPiece;
    private final ChunkUnits units;

    LongRowUnits(int[] offsets, int[] rows, int threads) {
        this.rows = rows;
        this.firstPiece = new int[rows.length + 1];
        for (int i = 0; i < rows.length; i++) {
            int length = offsets[rows[i] + 1] - offsets[rows[i]];
            firstPiece[i + 1] = firstPiece[i] + (length - 1) / PIECE + 1;
        }
        this.rowOfPiece = new int[firstPiece[rows.length]];
        for (int i = 0; i < rows.length; i++) {
            Arrays.fill(rowOfPiece, firstPiece[i], firstPiece[i + 1], i);
        }
        this.units = ChunkUnits.of(rowOfPiece.length, threads, piece -> to(offsets, piece) - from(offsets, piece));
    }

    int units() {
        return units.count();
    }

    int pieces() {
        return rowOfPiece.length;
    }

    int firstPiece(int unit) {
        return units.first(unit);
    }

    int endPiece(int unit) {
        return units.end(unit);
    }

    int from(int[] offsets, int piece) {
        int row = rowOfPiece[piece];
        return offsets[rows[row]] + (piece - firstPiece[row]) * PIECE;
    }

    int to(int[] offsets, int piece) {
        int from = from(offsets, piece);
        return from + Math.min(PIECE, offsets[rows[rowOfPiece[piece]] + 1] - from);
    }

    /** The row that a piece is the whole of, or -1. */
    int wholeRow(int piece) {
        int row = rowOfPiece[piece];
        return firstPiece[row + 1] - firstPiece[row] == 1 ? rows[row] : -1;
    }

    /** Whether a piece is the first of several. */
    boolean startsSplitRow(int piece) {
        int row = rowOfPiece[piece];
        return firstPiece[row] == piece && firstPiece[row + 1] > piece + 1;
    }

    int row(int piece) {
        return rows[rowOfPiece[piece]];
    }

    int endOfRow(int piece) {
        return firstPiece[rowOfPiece[piece] + 1];
    }
}
