package org.trellis.cuda.fem;

import java.util.stream.IntStream;
import org.trellis.sparse.SparsityPattern;

/** Sizes of rows. */
final class FormTables {
    private FormTables() {}

    /** Entries of the longest row. */
    static int longestRow(SparsityPattern pattern) {
        int[] offsets = pattern.rowOffsets();
        return IntStream.range(0, pattern.rows()).parallel().map(row -> offsets[row + 1] - offsets[row]).max()
                .orElse(0);
    }

    /** Values of the rows of a block, at most. */
    static int capacity(SparsityPattern pattern, int rowsPerBlock) {
        int[] offsets = pattern.rowOffsets();
        int rows = pattern.rows();
        return IntStream.range(0, Math.ceilDiv(rows, rowsPerBlock)).parallel()
                .map(block -> offsets[Math.min(rows, (block + 1) * rowsPerBlock)] - offsets[block * rowsPerBlock])
                .max().orElse(0);
    }
}
