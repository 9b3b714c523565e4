package org.trellis.matrices.generate;

import org.trellis.common.Checks;

/**
 * A matrix whose row lengths follow a distribution and whose columns are drawn at random: each set of columns of the
 * row's length is equally likely, from all columns or from a window around the (scaled) diagonal.
 */
public final class RandomMatrix implements RowSource {
    private static final long LENGTHS = 1;
    private static final long COLUMNS = 2;
    private static final long VALUES = 3;

    private final int rows;
    private final int columns;
    private final RowLengths lengths;
    private final int window;
    private final ValueRule values;
    private final long seed;

    /**
     * Creates a matrix.
     *
     * @param rows    number of rows, at least 0
     * @param columns number of columns, at least 0
     * @param lengths the distribution of the row lengths; a length is limited to the window, and raised to 1 for
     *                {@link ValueRule#DOMINANT}
     * @param window  columns of row i are drawn from this many consecutive ones around i·columns/rows, moved inwards at
     *                the edges; 0 or any number of at least {@code columns} stands for all columns
     * @param values  the values; {@link ValueRule#DOMINANT} needs at least as many columns as rows, so that each row
     *                has a diagonal entry
     * @param seed    any number
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public RandomMatrix(int rows, int columns, RowLengths lengths, int window, ValueRule values, long seed) {
        this.rows = Checks.notNegative("rows", rows);
        this.columns = Checks.notNegative("columns", columns);
        this.lengths = lengths;
        Checks.notNegative("window", window);
        this.window = window == 0 ? columns : Math.min(window, columns);
        this.values = values;
        this.seed = seed;
        if (values == ValueRule.DOMINANT && rows != columns) {
            throw new IllegalArgumentException("random: columns is " + columns + ", expected " + rows
                    + ", the number of rows, for diagonally dominant values");
        }
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public int length(int row) {
        int least = values == ValueRule.DOMINANT ? 1 : 0;
        int wanted = lengths.length(SplitMix.hash(seed, LENGTHS), row, rows);
        return Math.min(window, Math.max(least, wanted));
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        long centre = (long) row * columns / rows;
        int from = (int) Math.max(0, Math.min(columns - window, centre - window / 2));
        int required = values == ValueRule.DOMINANT ? row : -1;
        SplitMix random = SplitMix.of(SplitMix.hash(seed, COLUMNS), row);
        ColumnSampler.draw(random, from, window, length(row), required, buffer);
        values.apply(SplitMix.hash(seed, VALUES), row, buffer);
    }
}
