package org.trellis.sparse;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/** Between a {@link CsrMatrix} and dense arrays. */
public final class DenseBlocks {
    private DenseBlocks() {}

    /**
     * Makes a matrix of the elements that are not 0.
     *
     * @param elements  rows of equal length; without rows there are no columns. Copied
     * @param precision the type of the values; rounded to nearest
     * @return the matrix; elements that are NaN are kept, both zeros are not
     * @throws IllegalArgumentException if rows differ in length; names the first
     */
    public static CsrMatrix fromRows(double[][] elements, Precision precision) {
        int columns = elements.length == 0 ? 0 : elements[0].length;
        CsrBuilder builder = new CsrBuilder(columns, precision, 0);
        for (int i = 0; i < elements.length; i++) {
            Checks.length("length of row " + i, elements[i].length, columns);
            addRow(builder, elements[i], 0, columns);
        }
        return builder.build();
    }

    /**
     * Makes a matrix of the elements that are not 0.
     *
     * @param rows      number of rows
     * @param columns   number of columns
     * @param elements  the elements row by row, {@code rows × columns}. Copied
     * @param precision the type of the values; rounded to nearest
     * @return the matrix; elements that are NaN are kept, both zeros are not
     * @throws IllegalArgumentException if the array has another length
     */
    public static CsrMatrix fromRowMajor(int rows, int columns, double[] elements, Precision precision) {
        Checks.notNegative("rows", rows);
        Checks.notNegative("columns", columns);
        Checks.length("number of elements of " + rows + " x " + columns, elements.length, (long) rows * columns);
        CsrBuilder builder = new CsrBuilder(columns, precision, 0);
        for (int i = 0; i < rows; i++) {
            addRow(builder, elements, i * columns, columns);
        }
        return builder.build();
    }

    private static void addRow(CsrBuilder builder, double[] elements, int from, int columns) {
        for (int j = 0; j < columns; j++) {
            if (elements[from + j] != 0) {
                builder.add(j, elements[from + j]);
            }
        }
        builder.endRow();
    }

    /**
     * Returns all elements of a matrix.
     *
     * @param matrix the matrix
     * @return a new array of rows
     */
    public static double[][] toRows(CsrMatrix matrix) {
        double[][] elements = new double[matrix.rows()][matrix.columns()];
        matrix.forEachEntry((i, j, value) -> elements[i][j] = value);
        return elements;
    }

    /**
     * Returns all elements of a matrix row by row.
     *
     * @param matrix the matrix
     * @return a new vector of {@code rows × columns} elements, of the precision of the matrix
     * @throws IllegalArgumentException if there are 2³¹ or more elements
     */
    public static HostVector toRowMajor(CsrMatrix matrix) {
        long count = (long) matrix.rows() * matrix.columns();
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(matrix + " has " + count + " elements, expected fewer than 2^31");
        }
        HostVector elements = HostVector.zeros(matrix.precision(), (int) count);
        matrix.forEachEntry((i, j, value) -> elements.set(i * matrix.columns() + j, value));
        return elements;
    }
}
