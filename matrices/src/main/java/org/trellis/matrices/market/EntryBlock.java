package org.trellis.matrices.market;

/**
 * The entries of one block of text, in the order of the file: a range of arrays that it shares with other blocks.
 *
 * <p>Of an array file there are values only; of a pattern file, indices only.
 */
final class EntryBlock {

    private final int[] rows;
    private final int[] columns;
    private final double[] values;
    private final int from;
    private final int count;
    private final long lines;
    private final Shape shape;

    /**
     * What is known of the indices of a block without looking at them again.
     *
     * @param rowMajor every entry comes after the one before it, by rows and then by columns, and none twice
     * @param below    an entry lies below the diagonal
     * @param above    an entry lies above the diagonal
     * @param diagonal number of entries on the diagonal
     */
    record Shape(boolean rowMajor, boolean below, boolean above, int diagonal) {}

    EntryBlock(int[] rows, int[] columns, double[] values, int from, int count, long lines, Shape shape) {
        this.rows = rows;
        this.columns = columns;
        this.values = values;
        this.from = from;
        this.count = count;
        this.lines = lines;
        this.shape = shape;
    }

    /** Rows, counted from zero, those of this block in {@code [from, to)}; empty for an array. */
    int[] rows() {
        return rows;
    }

    /** Columns, counted from zero, those of this block in {@code [from, to)}; empty for an array. */
    int[] columns() {
        return columns;
    }

    /** Values, those of this block in {@code [from, to)}; empty for a pattern. */
    double[] values() {
        return values;
    }

    /** Index of the first entry. */
    int from() {
        return from;
    }

    /** Index behind the last entry. */
    int to() {
        return from + count;
    }

    int count() {
        return count;
    }

    /** Lines of the text, with comments and blank ones. */
    long lines() {
        return lines;
    }

    Shape shape() {
        return shape;
    }

    /** Row and column of an entry as one number that sorts by rows first. */
    static long key(int row, int column) {
        return (long) row << 32 | column;
    }

    /** The key of the first entry; there must be one. */
    long firstKey() {
        return key(rows[from], columns[from]);
    }

    /** The key of the last entry; there must be one. */
    long lastKey() {
        return key(rows[to() - 1], columns[to() - 1]);
    }
}
