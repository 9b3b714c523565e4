package org.trellis.sparse;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A matrix as diagonals, each an array aligned by columns as in SciPy's {@code dia_array}: element {@code j} of the
 * diagonal with offset {@code d} is that of row {@code j - d} and column {@code j}, and elements whose row is outside
 * are not read. A form to bring matrices in and out; products run on its {@link #toCsr}.
 *
 * @param rows      number of rows
 * @param columns   number of columns
 * @param offsets   of the diagonals, each once: 0 the main one, positive above it
 * @param diagonals one for each offset, of {@code columns} elements, all of one precision; not copied
 */
public record DiaMatrix(int rows, int columns, int[] offsets, HostVector... diagonals) {
    /**
     * Checks sizes.
     *
     * @throws IllegalArgumentException if a size is negative, a length does not fit, precisions differ, or an offset
     *                                  occurs twice
     */
    public DiaMatrix {
        Checks.notNegative("rows", rows);
        Checks.notNegative("columns", columns);
        Checks.length("number of diagonals", diagonals.length, offsets.length);
        int[] sorted = offsets.clone();
        Arrays.sort(sorted);
        for (int k = 0; k < offsets.length; k++) {
            Checks.length("length of diagonal " + k, diagonals[k].length(), columns);
            if (diagonals[k].precision() != diagonals[0].precision()) {
                throw new IllegalArgumentException("diagonal " + k + " is " + diagonals[k].precision().label()
                        + ", expected " + diagonals[0].precision().label() + " as diagonal 0");
            }
            if (k > 0 && sorted[k] == sorted[k - 1]) {
                throw new IllegalArgumentException("offset " + sorted[k] + " is given twice, expected each once");
            }
        }
    }

    /**
     * Copies a matrix. Costs a pass over the matrix and {@code columns} elements for each diagonal that has an entry.
     *
     * @param matrix the matrix
     * @return its diagonals, in increasing order of offsets
     * @throws IllegalArgumentException if rows and columns together exceed the length of an array
     */
    public static DiaMatrix from(CsrMatrix matrix) {
        int[] offsets = CsrDiagonals.offsets(matrix);
        HostVector[] diagonals = new HostVector[offsets.length];
        Arrays.setAll(diagonals, k -> HostVector.zeros(matrix.precision(), matrix.columns()));
        matrix.forEachEntry((row, column, value) -> diagonals[Arrays.binarySearch(offsets, column - row)]
                .set(column, value));
        return new DiaMatrix(matrix.rows(), matrix.columns(), offsets, diagonals);
    }

    /**
     * Copies to compressed rows. Elements of 0 within a diagonal become entries.
     *
     * @return a new matrix; of doubles if there is no diagonal
     */
    public CsrMatrix toCsr() {
        Precision precision = diagonals.length == 0 ? Precision.F64 : diagonals[0].precision();
        Integer[] order = new Integer[offsets.length];
        Arrays.setAll(order, k -> k);
        Arrays.sort(order, (k, l) -> Integer.compare(offsets[k], offsets[l]));
        CsrBuilder builder = new CsrBuilder(columns, precision, 0);
        for (int row = 0; row < rows; row++) {
            for (int k : order) {
                long column = (long) row + offsets[k];
                if (column >= 0 && column < columns) {
                    builder.add((int) column, diagonals[k].get((int) column));
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DiaMatrix dia && toCsr().sameAs(dia.toCsr());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(offsets) + 31 * rows + columns;
    }

    @Override
    public String toString() {
        return "DIA matrix " + rows + " x " + columns + ", " + offsets.length + " diagonals";
    }
}
