package org.trellis.cuda.sparse;

/**
 * What rules see of a matrix.
 *
 * @param rows             number of rows
 * @param columns          number of columns
 * @param nonZeros         number of non-zeros
 * @param maximumRowLength non-zeros of the longest row; costs one pass over the row offsets
 */
public record RowProfile(int rows, int columns, long nonZeros, int maximumRowLength) {
    /**
     * Returns the mean row length.
     *
     * @return non-zeros a row, 0 without rows
     */
    public double meanRowLength() {
        return rows == 0 ? 0 : (double) nonZeros / rows;
    }
}
