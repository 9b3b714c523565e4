package org.trellis.distributed.partitioned;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;

/**
 * Entries of a matrix in any order, as a part of a file has them. Entries at the same place are added up, those of
 * lower ranks first and each rank's in their order, so that the result does not depend on how a file is cut. Takes 24
 * bytes an entry, in pieces that are let go as their entries travel: together with what arrives, little more at any
 * time.
 */
public final class EntryBatch {
    /** Entries of a piece, and the most that a rank sends at a time. */
    private static final int PIECE_BITS = 16;
    private static final int PIECE = 1 << PIECE_BITS;
    /** Shorter rows are sorted by insertion. */
    private static final int SHORT_ROW = 24;

    private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
    private long size;

    /** Some entries, side by side. */
    private static final class Piece {
        private final long[] rows = new long[PIECE];
        private final long[] columns = new long[PIECE];
        private final double[] values = new double[PIECE];
        private int filled;

        void add(long row, long column, double value) {
            rows[filled] = row;
            columns[filled] = column;
            values[filled++] = value;
        }
    }

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
        Piece last = pieces.peekLast();
        if (last == null || last.filled == PIECE) {
            Checks.arrayLength("entries of one rank", size + 1L);
            last = new Piece();
            pieces.add(last);
        }
        last.add(row, column, value);
        size++;
    }

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    public int size() {
        return (int) size;
    }

    private void addAll(EntryBatch other) {
        while (!other.pieces.isEmpty()) {
            Piece piece = other.pieces.poll();
            for (int i = 0; i < piece.filled; i++) {
                add(piece.rows[i], piece.columns[i], piece.values[i]);
            }
        }
        other.size = 0;
    }

    /** Sends entries to the ranks whose block of rows they are in; the batch is empty then. Collective. */
    EntryBatch sendTo(Communicator communicator, RowRanges ranges) {
        List<EntryBatch> from = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++) {
            from.add(new EntryBatch());
        }
        for (long rounds = communicator.greatest(pieces.size()); rounds > 0; rounds--) {
            Packet[] packets = new Packet[communicator.size()];
            Piece piece = pieces.poll();
            for (int i = 0; piece != null && i < piece.filled; i++) {
                long row = piece.rows[i];
                if (row < 0 || row >= ranges.rows()) {
                    throw new IllegalArgumentException("rank " + communicator.rank() + " brings an entry in row " + row
                            + ", expected 0 to " + (ranges.rows() - 1));
                }
                int to = ranges.blockOf(row);
                if (to == communicator.rank()) {
                    from.get(to).add(row, piece.columns[i], piece.values[i]);
                } else {
                    RowDirectory.packetFor(packets, to).put(row).put(piece.columns[i])
                            .put(Double.doubleToRawLongBits(piece.values[i]));
                }
            }
            byte[][] messages = communicator.exchange(RowDirectory.bytes(packets));
            for (int rank = 0; rank < messages.length; rank++) {
                for (Packet packet = Packet.of(messages[rank]); packet.hasMore();) {
                    from.get(rank).add(packet.getLong(), packet.getLong(), Double.longBitsToDouble(packet.getLong()));
                }
            }
        }
        size = 0;
        EntryBatch own = from.getFirst();
        from.subList(1, from.size()).forEach(own::addAll);
        return own;
    }

    /** Makes rows of the entries: a counting sort by row, and within rows a stable sort by column. */
    RowBlock toRows(long firstRow, int count, Precision precision) {
        Piece[] all = pieces.toArray(Piece[]::new);
        int[] offsets = new int[count + 1];
        for (Piece piece : all) {
            for (int i = 0; i < piece.filled; i++) {
                offsets[(int) (piece.rows[i] - firstRow) + 1]++;
            }
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] order = new int[size()];
        for (int p = 0; p < all.length; p++) {
            for (int i = 0; i < all[p].filled; i++) {
                order[offsets[(int) (all[p].rows[i] - firstRow)]++] = (p << PIECE_BITS) + i;
            }
        }
        // Now offsets are the ends of rows.
        RowBlockBuilder builder = new RowBlockBuilder(precision, count, size());
        for (int row = 0; row < count; row++) {
            addRow(builder, all, order, row == 0 ? 0 : offsets[row - 1], offsets[row]);
            builder.endRow(firstRow + row);
        }
        return builder.build();
    }

    private static long column(Piece[] all, int entry) {
        return all[entry >>> PIECE_BITS].columns[entry & (PIECE - 1)];
    }

    private static double value(Piece[] all, int entry) {
        return all[entry >>> PIECE_BITS].values[entry & (PIECE - 1)];
    }

    private static void addRow(RowBlockBuilder builder, Piece[] all, int[] order, int from, int to) {
        sort(all, order, from, to);
        for (int i = from; i < to;) {
            long column = column(all, order[i]);
            double sum = value(all, order[i++]);
            for (; i < to && column(all, order[i]) == column; i++) {
                sum += value(all, order[i]);
            }
            builder.add(column, sum);
        }
    }

    /** Sorts entries of a row by column; those of one column stay in their order. */
    private static void sort(Piece[] all, int[] order, int from, int to) {
        if (to - from > SHORT_ROW) {
            Integer[] entries = Arrays.stream(order, from, to).boxed().toArray(Integer[]::new);
            Arrays.sort(entries, (a, b) -> Long.compare(column(all, a), column(all, b)));
            for (int i = 0; i < entries.length; i++) {
                order[from + i] = entries[i];
            }
            return;
        }
        for (int i = from + 1; i < to; i++) {
            int entry = order[i];
            long column = column(all, entry);
            int at = i;
            for (; at > from && column(all, order[at - 1]) > column; at--) {
                order[at] = order[at - 1];
            }
            order[at] = entry;
        }
    }
}
