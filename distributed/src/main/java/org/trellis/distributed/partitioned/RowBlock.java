package org.trellis.distributed.partitioned;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Packet;
import org.trellis.memory.HostVector;

/**
 * Some rows of a matrix, in any order, with the global indices of rows and columns. At most 2³¹ − 9 non-zeros: a rank's
 * share.
 *
 * @param indices the global index of each row. Not copied, and not to be changed
 * @param offsets where each row starts, and behind the last where it ends. Not copied, and not to be changed
 * @param columns the global column of each entry, strictly increasing within a row. Not copied, and not to be changed
 * @param values  the value of each entry; at least as many. Not copied, and not to be changed
 */
public record RowBlock(long[] indices, int[] offsets, long[] columns, HostVector values) {
    /**
     * Checks lengths and order.
     *
     * @throws IllegalArgumentException if lengths do not fit, offsets decrease, or columns do not increase; names the
     *                                  row
     */
    public RowBlock {
        Checks.length("offsets.length", offsets.length, indices.length + 1L);
        Checks.length("offsets[0]", offsets[0], 0);
        if (columns.length < offsets[indices.length] || values.length() < offsets[indices.length]) {
            throw new IllegalArgumentException("rows have " + columns.length + " columns and " + values.length()
                    + " values, expected " + offsets[indices.length] + " of both");
        }
        for (int i = 0; i < indices.length; i++) {
            if (offsets[i + 1] < offsets[i]) {
                throw new IllegalArgumentException("row " + indices[i] + " ends at " + offsets[i + 1]
                        + ", expected at least " + offsets[i] + ", where it starts");
            }
            for (int k = offsets[i] + 1; k < offsets[i + 1]; k++) {
                if (columns[k] <= columns[k - 1]) {
                    throw new IllegalArgumentException("row " + indices[i] + ": column " + columns[k] + " follows "
                            + columns[k - 1] + ", expected columns that increase strictly");
                }
            }
        }
    }

    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    public int rows() {
        return indices.length;
    }

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    public int nonZeros() {
        return offsets[indices.length];
    }

    /**
     * Returns the type of the values.
     *
     * @return the precision
     */
    public Precision precision() {
        return values.precision();
    }

    /**
     * Picks rows.
     *
     * @param chosen their places in this block, in any order
     * @return a new block
     * @throws IndexOutOfBoundsException if there is no such place
     * @throws IllegalArgumentException  if there are more entries than an array holds
     */
    public RowBlock select(int... chosen) {
        long entries = 0;
        for (int row : chosen) {
            int place = Checks.index("place of a row", row, rows());
            entries += offsets[place + 1] - offsets[place];
        }
        RowBlockBuilder builder =
                new RowBlockBuilder(precision(), chosen.length, Checks.arrayLength("rows of one rank", entries));
        for (int row : chosen) {
            builder.addRow(this, row);
        }
        return builder.build();
    }

    /**
     * Writes a row.
     *
     * @param row    its place in this block
     * @param packet where to
     */
    public void write(int row, Packet packet) {
        int count = offsets[row + 1] - offsets[row];
        packet.put(indices[row]).put(count).put(columns, offsets[row], count).put(values, offsets[row], count);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return rows() + " rows with " + nonZeros() + " non-zeros in " + precision().label();
    }
}
