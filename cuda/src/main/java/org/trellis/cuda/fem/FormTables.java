package org.trellis.cuda.fem;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.fem.DeviceForms;
import org.trellis.sparse.SparsityPattern;

/** Which elements a row has, and where their entries are in it. */
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

    /** Places in their rows of the entries of element matrices, as bytes; all ones where there is none. */
    static byte[] bytes(DeviceForms.Elements elements, SparsityPattern pattern) {
        int n = elements.kernels().unknowns();
        byte[] places = new byte[Checks.arrayLength("places of entries", (long) elements.unknowns().length * n)];
        IntStream.range(0, elements.cells()).parallel().forEach(e -> {
            for (int k = e * n; k < (e + 1) * n; k++) {
                for (int j = 0; j < n; j++) {
                    places[k * n + j] = (byte) place(pattern, elements, k, e * n + j);
                }
            }
        });
        return places;
    }

    /** The same where rows are longer. */
    static short[] shorts(DeviceForms.Elements elements, SparsityPattern pattern) {
        int n = elements.kernels().unknowns();
        short[] places = new short[Checks.arrayLength("places of entries", (long) elements.unknowns().length * n)];
        IntStream.range(0, elements.cells()).parallel().forEach(e -> {
            for (int k = e * n; k < (e + 1) * n; k++) {
                for (int j = 0; j < n; j++) {
                    places[k * n + j] = (short) place(pattern, elements, k, e * n + j);
                }
            }
        });
        return places;
    }

    private static int place(SparsityPattern pattern, DeviceForms.Elements elements, int k, int l) {
        int row = elements.unknowns()[k];
        int column = elements.unknowns()[l];
        if (row >= elements.rows() || column >= elements.rows()) {
            return -1;
        }
        int[] offsets = pattern.rowOffsets();
        return Arrays.binarySearch(pattern.columnIndices(), offsets[row], offsets[row + 1], column) - offsets[row];
    }
}
