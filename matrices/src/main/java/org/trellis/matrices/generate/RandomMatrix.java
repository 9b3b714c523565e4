package org.trellis.matrices.generate;

import org.trellis.common.Checks;

/**
 * A matrix whose row lengths follow a distribution and whose columns are drawn at random: from all columns, or from a
 * window around the (scaled) diagonal with a few from outside. Each set of columns of the requested number is equally
 * likely, in the window and outside.
 */
public final class RandomMatrix implements RowSource {
    /** Rows whose lengths are drawn to estimate all. */
    private static final int SAMPLES = 1 << 12;
    private static final long LENGTHS = 1;
    private static final long COLUMNS = 2;
    private static final long VALUES = 3;

    private final int rows;
    private final int columns;
    private final RowLengths lengths;
    private final int window;
    private final double far;
    private final boolean diagonal;
    private final ValueRule values;
    private final long seed;

    /**
     * Where the columns of a row are.
     *
     * @param window   row i has a window of this many consecutive columns around i·columns/rows, moved inwards at the
     *               edges; 0 or any number of at least the number of columns stands for all columns
     * @param far    share of a row's entries that are drawn from the columns outside its window, 0 to 1; rounded to a
     *               whole number of entries at random
     * @param diagonal whether each row has an entry on the diagonal, which needs a square matrix
     */
    public record Locality(int window, double far, boolean diagonal) {
        /** All columns. */
        public static final Locality NONE = new Locality(0, 0, false);

        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if the window is negative, or the share is not from 0 to 1
         */
        public Locality {
            Checks.notNegative("random: window", window);
            if (!(far >= 0 && far <= 1)) {
                throw new IllegalArgumentException("random: far is " + far + ", expected 0 to 1");
            }
        }
    }

    /**
     * Creates a matrix.
     *
     * @param rows     number of rows, at least 0
     * @param columns  number of columns, at least 0
     * @param lengths  the distribution of the row lengths; a length is limited to the window if nothing is drawn
     *                 outside it, else to the columns, and raised to 1 where there is a full diagonal
     * @param locality where the columns of a row are
     * @param values   the values; {@link ValueRule#DOMINANT} makes a full diagonal and needs a square matrix
     * @param seed     any number
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public RandomMatrix(int rows, int columns, RowLengths lengths, Locality locality, ValueRule values, long seed) {
        this.rows = Checks.notNegative("random: rows", rows);
        this.columns = Checks.notNegative("random: columns", columns);
        this.lengths = lengths;
        this.window = locality.window == 0 ? columns : Math.min(locality.window, columns);
        this.far = locality.far;
        this.diagonal = locality.diagonal || values == ValueRule.DOMINANT;
        this.values = values;
        this.seed = seed;
        if (diagonal && rows != columns) {
            throw new IllegalArgumentException("random: columns is " + columns + ", expected " + rows
                    + ", the number of rows, for a full diagonal");
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

    /** The sum of all lengths where they follow a rule; ten standard deviations below their mean where chance does. */
    @Override
    public long leastNonZeros() {
        if (rows == 0) {
            return 0;
        }
        return switch (lengths) {
            case RowLengths.Constant same -> (long) rows * limited(same.value());
            case RowLengths.Huge huge -> {
                long longRows = Math.min(huge.longRows(), rows);
                yield longRows * limited(huge.longLength()) + (rows - longRows) * limited(huge.shortLength());
            }
            case RowLengths.Normal any -> estimated();
            case RowLengths.PowerLaw any -> estimated();
            case RowLengths.Given given -> 0;
        };
    }

    private long estimated() {
        int samples = Math.min(rows, SAMPLES);
        double sum = 0;
        double squares = 0;
        for (int k = 0; k < samples; k++) {
            double length = length((int) ((long) k * rows / samples));
            sum += length;
            squares += length * length;
        }
        double mean = sum / samples;
        double deviation = samples == rows ? 0 : Math.sqrt(Math.max(0, squares / samples - mean * mean) / samples);
        return (long) Math.max(0, rows * (mean - 10 * deviation));
    }

    @Override
    public int length(int row) {
        return limited(lengths.length(SplitMix.hash(seed, LENGTHS), row, rows));
    }

    private int limited(int wanted) {
        int least = diagonal ? 1 : 0;
        return Math.min(far > 0 ? columns : window, Math.max(least, wanted));
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        long centre = (long) row * columns / rows;
        int from = (int) Math.max(0, Math.min(columns - window, centre - window / 2));
        int required = diagonal ? row : -1;
        SplitMix random = SplitMix.of(SplitMix.hash(seed, COLUMNS), row);
        int length = length(row);
        int outside = far > 0 ? outside(length, random) : 0;
        if (outside == 0) {
            ColumnSampler.draw(random, from, window, length, required, buffer);
        } else {
            drawBoth(random, from, length - outside, outside, required, buffer);
        }
        values.apply(SplitMix.hash(seed, VALUES), row, buffer);
    }

    /** Entries outside the window: the share, and at least what the window cannot hold. */
    private int outside(int length, SplitMix random) {
        int least = diagonal ? 1 : 0;
        int wanted = (int) (length * far + random.nextDouble());
        return Math.max(length - window, Math.min(Math.min(wanted, length - least), columns - window));
    }

    private void drawBoth(SplitMix random, int from, int inside, int outside, int required, RowBuffer buffer) {
        RowBuffer others = new RowBuffer();
        ColumnSampler.draw(random, 0, columns - window, outside, -1, others);
        RowBuffer local = new RowBuffer();
        ColumnSampler.draw(random, from, window, inside, required, local);
        int next = 0;
        while (next < outside && others.column(next) < from) {
            buffer.add(others.column(next++), 0);
        }
        for (int k = 0; k < inside; k++) {
            buffer.add(local.column(k), 0);
        }
        while (next < outside) {
            buffer.add(others.column(next++) + window, 0);
        }
    }
}
