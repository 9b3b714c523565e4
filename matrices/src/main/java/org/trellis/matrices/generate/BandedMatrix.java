package org.trellis.matrices.generate;

import org.trellis.common.Checks;

/**
 * A square matrix whose entries lie within a band around the diagonal. The diagonal is full; every other place of the
 * band has an entry with a given probability, (i, j) exactly if (j, i) where both lie in the band. Costs a hash per
 * place of the band, twice where the density is below 1.
 */
public final class BandedMatrix implements RowSource {
    private static final long PATTERN = 1;
    private static final long VALUES = 2;

    private final int size;
    private final int lower;
    private final int upper;
    private final double density;
    private final ValueRule values;
    private final long seed;

    /**
     * Creates a matrix.
     *
     * @param size    number of rows and columns, at least 0
     * @param lower   diagonals below the main one, at least 0
     * @param upper   diagonals above the main one, at least 0
     * @param density share of the places off the diagonal that have an entry, 0 to 1
     * @param values  the values; with {@link ValueRule#DOMINANT} and {@code lower == upper} the matrix is symmetric
     *                positive definite
     * @param seed    any number
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public BandedMatrix(int size, int lower, int upper, double density, ValueRule values, long seed) {
        this.size = Checks.notNegative("banded: n", size);
        this.lower = Checks.notNegative("banded: lower", lower);
        this.upper = Checks.notNegative("banded: upper", upper);
        if (!(density >= 0 && density <= 1)) {
            throw new IllegalArgumentException("banded: density is " + density + ", expected 0 to 1");
        }
        this.density = density;
        this.values = values;
        this.seed = seed;
    }

    @Override
    public int rows() {
        return size;
    }

    @Override
    public int columns() {
        return size;
    }

    /** Ten standard deviations below what is expected, where pairs of entries are there or not. */
    @Override
    public long leastNonZeros() {
        double places = (double) places(lower) + places(upper);
        double deviation = Math.sqrt(2 * places * density * (1 - density));
        return size + (long) Math.max(0, places * density - 10 * deviation);
    }

    /** Places on so many diagonals beside the main one. */
    private long places(int diagonals) {
        long inside = Math.min(diagonals, Math.max(0, size - 1L));
        return inside * size - inside * (inside + 1) / 2;
    }

    @Override
    public int length(int row) {
        int from = first(row);
        int to = last(row);
        if (density == 1) {
            return to - from + 1;
        }
        int length = 0;
        long patternSeed = SplitMix.hash(seed, PATTERN);
        for (int column = from; column <= to; column++) {
            length += present(patternSeed, row, column) ? 1 : 0;
        }
        return length;
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int to = last(row);
        long patternSeed = SplitMix.hash(seed, PATTERN);
        for (int column = first(row); column <= to; column++) {
            if (present(patternSeed, row, column)) {
                buffer.add(column, 0);
            }
        }
        values.apply(SplitMix.hash(seed, VALUES), row, buffer);
    }

    private int first(int row) {
        return Math.max(0, row - lower);
    }

    private int last(int row) {
        return (int) Math.min(size - 1L, (long) row + upper);
    }

    private boolean present(long patternSeed, int row, int column) {
        if (density == 1 || row == column) {
            return true;
        }
        long low = Math.min(row, column);
        long high = Math.max(row, column);
        return SplitMix.unit(SplitMix.hash(patternSeed, high << 32 | low)) < density;
    }
}
