package org.trellis.fem.integrate;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Rows whose entries are looked for: the structure of a matrix in compressed rows and the array of its values.
 *
 * @param rowOffsets    where rows start
 * @param columnIndices rising within a row
 * @param values        returns a {@code double[]} or {@code float[]} with a value for each entry
 */
public record RowTable(int[] rowOffsets, int[] columnIndices, Supplier<Object> values) {
    /** Checks that nothing is missing. */
    public RowTable {
        Objects.requireNonNull(rowOffsets);
        Objects.requireNonNull(columnIndices);
        Objects.requireNonNull(values);
    }

    int rows() {
        return rowOffsets.length - 1;
    }

    /** Finds an entry by bisection; one of those that are not stored, of constrained unknowns, is -1. */
    int place(int row, int column) {
        if (row >= rows() || column >= rows()) {
            return -1;
        }
        int low = rowOffsets[row];
        int high = rowOffsets[row + 1] - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (columnIndices[middle] < column) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
