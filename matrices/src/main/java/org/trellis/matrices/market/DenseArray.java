package org.trellis.matrices.market;

import java.util.Arrays;
import org.trellis.common.Checks;

/**
 * A dense matrix as array files hold it. Not copied: the maker gives the array away.
 *
 * @param rows    number of rows
 * @param columns number of columns
 * @param values  {@code rows * columns} values, column by column
 */
public record DenseArray(int rows, int columns, double[] values) {

    /**
     * Checks the length of the array.
     *
     * @throws IllegalArgumentException if it is not {@code rows * columns}, or one of them is negative
     */
    public DenseArray {
        Checks.notNegative("rows", rows);
        Checks.notNegative("columns", columns);
        Checks.length("values.length", values.length, (long) rows * columns);
    }

    /**
     * Returns an element.
     *
     * @param row    its row, from zero
     * @param column its column, from zero
     * @return its value
     * @throws IndexOutOfBoundsException if it lies outside
     */
    public double get(int row, int column) {
        return values[Checks.index("row", row, rows) + rows * Checks.index("column", column, columns)];
    }

    /**
     * Returns a copy of a column.
     *
     * @param column its index, from zero
     * @return a new array of {@code rows} values
     * @throws IndexOutOfBoundsException if there is none
     */
    public double[] column(int column) {
        int from = rows * Checks.index("column", column, columns);
        return Arrays.copyOfRange(values, from, from + rows);
    }

    /** The elements that are not zero, as rows. */
    CsrArrays compress() {
        int[] offsets = new int[rows + 1];
        for (int k = 0; k < values.length; k++) {
            offsets[k % rows + 1] += values[k] == 0 ? 0 : 1;
        }
        for (int row = 0; row < rows; row++) {
            offsets[row + 1] += offsets[row];
        }
        int[] places = Arrays.copyOf(offsets, rows);
        int[] columnIndices = new int[offsets[rows]];
        double[] kept = new double[offsets[rows]];
        for (int k = 0; k < values.length; k++) {
            if (values[k] != 0) {
                int place = places[k % rows]++;
                columnIndices[place] = k / rows;
                kept[place] = values[k];
            }
        }
        return new CsrArrays(offsets, columnIndices, kept);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DenseArray array && rows == array.rows && columns == array.columns
                && Arrays.equals(values, array.values);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * rows + columns) + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "dense array " + rows + " x " + columns;
    }
}
