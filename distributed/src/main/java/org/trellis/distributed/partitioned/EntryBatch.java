package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;

/**
 * Entries of a matrix in any order, as a part of a file has them. Entries at the same place are added up, those of
 * lower ranks first and each rank's in their order, so that the result does not depend on how a file is cut. Takes 24
 * bytes an entry.
 */
public final class EntryBatch {
    private long[] rows = new long[1024];
    private long[] columns = new long[1024];
    private double[] values = new double[1024];
    private int size;

    /** Starts an empty batch. */
    public EntryBatch() {}

    /**
     * Adds an entry.
     *
     * @param row    its global row
     * @param column its global column
     * @param value  its value
     * @throws IllegalArgumentException if there are more entries than an array holds
     */
    public void add(long row, long column, double value) {
        if (size == rows.length) {
            int capacity = (int) Math.max(Checks.arrayLength("entries of one rank", size + 1L),
                    Math.min(Checks.LONGEST_ARRAY, 2L * size));
            rows = Arrays.copyOf(rows, capacity);
            columns = Arrays.copyOf(columns, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        rows[size] = row;
        columns[size] = column;
        values[size++] = value;
    }

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    public int size() {
        return size;
    }

    /** Sends entries to the ranks whose block of rows they are in. Collective. */
    EntryBatch sendTo(Communicator communicator, RowRanges ranges) {
        Packet[] packets = new Packet[communicator.size()];
        for (int i = 0; i < size; i++) {
            if (rows[i] < 0 || rows[i] >= ranges.rows()) {
                throw new IllegalArgumentException("rank " + communicator.rank() + " brings an entry in row " + rows[i]
                        + ", expected 0 to " + (ranges.rows() - 1));
            }
            RowDirectory.packetFor(packets, ranges.blockOf(rows[i])).put(rows[i]).put(columns[i])
                    .put(Double.doubleToRawLongBits(values[i]));
        }
        EntryBatch own = new EntryBatch();
        for (byte[] message : communicator.exchange(RowDirectory.bytes(packets))) {
            Packet packet = Packet.of(message);
            while (packet.hasMore()) {
                own.add(packet.getLong(), packet.getLong(), Double.longBitsToDouble(packet.getLong()));
            }
        }
        return own;
    }

    /** Makes rows of the entries: a counting sort by row, and within rows a stable sort by column. */
    RowBlock toRows(long firstRow, int count, Precision precision) {
        int[] offsets = new int[count + 1];
        for (int i = 0; i < size; i++) {
            offsets[(int) (rows[i] - firstRow) + 1]++;
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] at = offsets.clone();
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[at[(int) (rows[i] - firstRow)]++] = i;
        }
        RowBlockBuilder builder = new RowBlockBuilder(precision, count);
        for (int row = 0; row < count; row++) {
            addRow(builder, order, offsets[row], offsets[row + 1]);
            builder.endRow(firstRow + row);
        }
        return builder.build();
    }

    private void addRow(RowBlockBuilder builder, int[] order, int from, int to) {
        Integer[] entries = new Integer[to - from];
        Arrays.setAll(entries, i -> order[from + i]);
        Arrays.sort(entries, (a, b) -> Long.compare(columns[a], columns[b]));
        for (int i = 0; i < entries.length;) {
            long column = columns[entries[i]];
            double sum = values[entries[i++]];
            for (; i < entries.length && columns[entries[i]] == column; i++) {
                sum += values[entries[i]];
            }
            builder.add(column, sum);
        }
    }
}
