package org.trellis.distributed.partitioned;

import org.trellis.common.Checks;

/**
 * Consecutive rows cut into blocks whose sizes differ by at most one: block {@code b} of {@code q} starts at
 * {@code ⌈n b / q⌉}, so that row {@code i} is in block {@code ⌊i q / n⌋}.
 *
 * @param rows   n, at least 0
 * @param blocks q, at least 1
 */
public record RowRanges(long rows, int blocks) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if there are less than 0 rows or no blocks, or the product of both exceeds 2⁶³
     */
    public RowRanges {
        if (rows < 0 || rows > Long.MAX_VALUE / Checks.positive("number of blocks", blocks)) {
            throw new IllegalArgumentException("number of rows is " + rows + ", expected 0 to "
                    + Long.MAX_VALUE / blocks);
        }
    }

    /**
     * Returns where a block starts.
     *
     * @param block the block, or {@link #blocks} for the end of the last
     * @return its first row
     */
    public long start(int block) {
        return Math.ceilDiv(rows * block, (long) blocks);
    }

    /**
     * Returns the rows of a block.
     *
     * @param block the block
     * @return a new array
     * @throws IllegalArgumentException if there are more rows than an array holds
     */
    public long[] rows(int block) {
        long first = start(block);
        long[] indices = new long[Checks.arrayLength("rows of block " + block, start(block + 1) - first)];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = first + i;
        }
        return indices;
    }

    /**
     * Returns the block of a row.
     *
     * @param row the row, 0 to {@code rows - 1}
     * @return its block
     */
    public int blockOf(long row) {
        return (int) (row * blocks / rows);
    }
}
