package org.trellis.sparse;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Precision;

/** Makes a {@link CsrMatrix} of its diagonals, and gives it others. */
final class CsrDiagonals {
    private CsrDiagonals() {}

    static CsrMatrix of(int rows, int columns, Precision precision, int[] offsets, double[][] diagonals) {
        Checks.notNegative("rows", rows);
        Checks.notNegative("columns", columns);
        Checks.length("number of diagonals", diagonals.length, offsets.length);
        int[] order = IntStream.range(0, offsets.length).boxed().sorted(Comparator.comparingInt(k -> offsets[k]))
                .mapToInt(k -> k).toArray();
        for (int p = 0; p < order.length; p++) {
            check(rows, columns, offsets, diagonals, order[p]);
            if (p > 0 && offsets[order[p]] == offsets[order[p - 1]]) {
                throw new IllegalArgumentException("offset " + offsets[order[p]] + " is given twice, expected each "
                        + "diagonal once");
            }
        }
        CsrBuilder builder = new CsrBuilder(columns, precision, 0);
        for (int row = 0; row < rows; row++) {
            for (int k : order) {
                long column = (long) row + offsets[k];
                if (column >= 0 && column < columns) {
                    int place = offsets[k] >= 0 ? row : (int) column;
                    builder.add((int) column, diagonals[k][diagonals[k].length == 1 ? 0 : place]);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static void check(int rows, int columns, int[] offsets, double[][] diagonals, int k) {
        int offset = offsets[k];
        long length = Math.min(offset >= 0 ? rows : rows + (long) offset, columns - Math.max(0L, offset));
        if (length <= 0) {
            throw new IllegalArgumentException("diagonal " + k + " has offset " + offset + " in a matrix of " + rows
                    + " x " + columns + ", expected " + (1L - rows) + " to " + (columns - 1L));
        }
        if (diagonals[k].length != 1 && diagonals[k].length != length) {
            throw new IllegalArgumentException("diagonal " + k + " with offset " + offset + " has "
                    + diagonals[k].length + " elements, expected " + length + ", or 1 for all");
        }
    }

    static CsrMatrix replaced(CsrMatrix a, double[] diagonal) {
        Checks.length("length of the diagonal", diagonal.length, Math.min(a.rows(), a.columns()));
        if (diagonal.length == 0) {
            return a;
        }
        CsrMatrix without = a.filter((row, column, value) -> row != column);
        return without.plus(of(a.rows(), a.columns(), a.precision(), new int[]{0}, new double[][]{diagonal}));
    }

    static CsrMatrix reshaped(CsrMatrix a, int rows, int columns) {
        Checks.notNegative("rows", rows);
        Checks.notNegative("columns", columns);
        if ((long) rows * columns != (long) a.rows() * a.columns()) {
            throw new IllegalArgumentException("reshape of " + a + " to " + rows + " x " + columns + ", expected "
                    + (long) a.rows() * a.columns() + " elements as before");
        }
        CsrBuilder builder = new CsrBuilder(columns, a.precision(), a.nonZeros());
        int[] row = {0};
        a.forEachEntry((i, j, value) -> {
            long place = (long) i * a.columns() + j;
            for (; row[0] < place / columns; row[0]++) {
                builder.endRow();
            }
            builder.add((int) (place % columns), value);
        });
        for (; row[0] < rows; row[0]++) {
            builder.endRow();
        }
        return builder.build();
    }

    /** Diagonals in which something is stored, in increasing order. */
    static int[] offsets(CsrMatrix a) {
        boolean[] seen = new boolean[Checks.arrayLength("diagonals of " + a, Math.max(0L, (long) a.rows()
                + a.columns() - 1))];
        a.forEachEntry((row, column, value) -> seen[column - row + a.rows() - 1] = true);
        int[] found = IntStream.range(0, seen.length).filter(d -> seen[d]).toArray();
        Arrays.setAll(found, k -> found[k] - a.rows() + 1);
        return found;
    }
}
