package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Packet;
import org.trellis.memory.HostVector;

/** Builds a {@link RowBlock} row by row. Not thread-safe. */
public final class RowBlockBuilder {
    private final Precision precision;
    private long[] indices;
    private int[] offsets;
    private int rows;
    private long[] columns;
    private HostVector values;
    /** The elements of these values, or null where they are floats. */
    private double[] doubles;
    private int filled;
    private boolean built;

    /**
     * Starts an empty block.
     *
     * @param precision    the type of the values
     * @param expectedRows how many rows are expected; any number works
     */
    public RowBlockBuilder(Precision precision, int expectedRows) {
        this(precision, expectedRows, 8 * Math.max(4, expectedRows));
    }

    /**
     * Starts an empty block. Memory is taken once if the numbers are right.
     *
     * @param precision       the type of the values
     * @param expectedRows    how many rows are expected; any number works
     * @param expectedEntries how many entries are expected; any number works
     */
    public RowBlockBuilder(Precision precision, int expectedRows, int expectedEntries) {
        this.precision = precision;
        this.indices = new long[Math.max(4, expectedRows)];
        this.offsets = new int[indices.length + 1];
        this.columns = new long[Math.max(4, expectedEntries)];
        hold(HostVector.zeros(precision, columns.length));
    }

    private void hold(HostVector vector) {
        values = vector;
        doubles = precision == Precision.F64 ? vector.doubles() : null;
    }

    private void requireOpen() {
        if (built) {
            throw new IllegalStateException("builder of rows is used after build(), expected a new one for each block");
        }
    }

    private void room(int entries) {
        requireOpen();
        long needed = (long) filled + entries;
        if (needed > columns.length) {
            int capacity = (int) Math.max(Checks.arrayLength("rows of one rank", needed),
                    Math.min(Checks.LONGEST_ARRAY, 2L * columns.length));
            columns = Arrays.copyOf(columns, capacity);
            HostVector grown = HostVector.zeros(precision, capacity);
            values.copyRange(0, grown, 0, filled);
            hold(grown);
        }
    }

    /**
     * Adds an entry to the open row.
     *
     * @param column its global column, greater than that of the entry before it in the row
     * @param value  its value; rounded to nearest for {@link Precision#F32}
     * @return this builder
     * @throws IllegalArgumentException if there are more entries than an array holds
     * @throws IllegalStateException if the block has been built
     */
    public RowBlockBuilder add(long column, double value) {
        if (filled == columns.length) {
            room(1);
        }
        columns[filled] = column;
        if (doubles != null) {
            doubles[filled] = value;
        } else {
            values.set(filled, value);
        }
        filled++;
        return this;
    }

    /**
     * Ends the open row and opens the next.
     *
     * @param index the global index of the row that ends
     * @return this builder
     * @throws IllegalStateException if the block has been built
     */
    public RowBlockBuilder endRow(long index) {
        requireOpen();
        if (rows == indices.length) {
            indices = Arrays.copyOf(indices, 2 * rows);
            offsets = Arrays.copyOf(offsets, 2 * rows + 1);
        }
        indices[rows++] = index;
        offsets[rows] = filled;
        return this;
    }

    /**
     * Adds a row of another block.
     *
     * @param source a block of the same precision
     * @param row    the place of the row in it
     * @return this builder
     * @throws IllegalArgumentException if there are more entries than an array holds, or the precisions differ
     * @throws IllegalStateException if the block has been built
     */
    public RowBlockBuilder addRow(RowBlock source, int row) {
        int from = source.offsets()[row];
        int count = source.offsets()[row + 1] - from;
        room(count);
        System.arraycopy(source.columns(), from, columns, filled, count);
        source.values().copyRange(from, values, filled, count);
        filled += count;
        return endRow(source.indices()[row]);
    }

    /**
     * Adds all rows that were written to a packet.
     *
     * @param packet what {@link RowBlock#write} has written, in the precision of this builder; read to its end
     * @return this builder
     * @throws IllegalArgumentException if there are more entries than an array holds
     * @throws IllegalStateException if the block has been built
     */
    public RowBlockBuilder addAll(Packet packet) {
        while (packet.hasMore()) {
            long index = packet.getLong();
            int count = packet.getInt();
            room(count);
            packet.get(columns, filled, count);
            packet.get(values, filled, count);
            filled += count;
            endRow(index);
        }
        return this;
    }

    /**
     * Ends the block; the open row must have no entries. The builder is used up: the block has its arrays.
     *
     * @return the block
     * @throws IllegalStateException    if the open row has entries, or the block has been built
     * @throws IllegalArgumentException if the columns of a row do not increase; names it
     */
    public RowBlock build() {
        requireOpen();
        if (offsets[rows] != filled) {
            throw new IllegalStateException("the row after " + rows + " rows has entries and was not ended");
        }
        HostVector trimmed = values;
        long[] kept = columns;
        if (filled < columns.length) {
            trimmed = HostVector.zeros(precision, filled);
            values.copyRange(0, trimmed, 0, filled);
            kept = Arrays.copyOf(columns, filled);
        }
        RowBlock block = new RowBlock(rows == indices.length ? indices : Arrays.copyOf(indices, rows),
                Arrays.copyOf(offsets, rows + 1), kept, trimmed);
        built = true;
        columns = new long[0]; // so that the next entry asks for room, and is refused there
        filled = 0;
        return block;
    }
}
