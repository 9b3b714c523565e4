package org.trellis.matrices.generate;

/** Which values the entries of a random pattern get. */
public enum ValueRule {
    /** 1 everywhere. */
    ONES,
    /**
     * Uniformly distributed in (−1, 1), a function of the seed and of the unordered pair of row and column: equal at
     * (i, j) and (j, i), so that a symmetric pattern makes a symmetric matrix.
     */
    UNIFORM,
    /**
     * As {@link #UNIFORM} off the diagonal; on it, 1 plus the sum of the magnitudes of the row's other entries.
     * Strictly diagonally dominant, so positive definite where the pattern is symmetric (Gershgorin). Every row has a
     * diagonal entry.
     */
    DOMINANT;

    /**
     * Sets the values of a row whose columns are there.
     *
     * @param seed the seed of the values
     * @param row  the row's index
     * @param buffer its columns; its values are written
     */
    void apply(long seed, int row, RowBuffer buffer) {
        if (this == ONES) {
            for (int k = 0; k < buffer.size(); k++) {
                buffer.setValue(k, 1);
            }
            return;
        }
        double sum = 1;
        int diagonal = -1;
        for (int k = 0; k < buffer.size(); k++) {
            int column = buffer.column(k);
            double value = symmetric(seed, row, column);
            buffer.setValue(k, value);
            if (column == row) {
                diagonal = k;
            } else {
                sum += Math.abs(value);
            }
        }
        if (this == DOMINANT && diagonal >= 0) {
            buffer.setValue(diagonal, sum);
        }
    }

    /**
     * Returns the value of {@link #UNIFORM} at a place.
     *
     * @param seed   the seed of the values
     * @param row    its row
     * @param column its column
     * @return a number in (−1, 1) other than 0, the same at (column, row)
     */
    public static double symmetric(long seed, int row, int column) {
        long low = Math.min(row, column);
        long high = Math.max(row, column);
        long bits = SplitMix.hash(seed, high << 32 | low);
        return ((bits >>> 12) + 0.5) * 0x1p-51 - 1;
    }
}
