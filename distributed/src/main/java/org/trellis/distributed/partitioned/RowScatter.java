package org.trellis.distributed.partitioned;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Sends the rows of a matrix that one rank has to those that are to own them, in as many rounds as it takes for no
 * message to come near to the length of an array. Receivers know beforehand what comes, and take memory once.
 */
final class RowScatter {
    /** Longer messages are divided; a row is not. */
    static final int MESSAGE_BYTES = 1 << 28;
    /** A row's index and length. */
    private static final int ROW_BYTES = Long.BYTES + Integer.BYTES;

    private final CsrMatrix matrix;
    private final int messageBytes;
    /** The rows of rank 0, of rank 1 and so on, increasing. */
    private final int[] rows;
    /** Where the rows of each rank that have not been sent begin, and where they end. */
    private final int[] next;
    private final int[] ends;

    private RowScatter(CsrMatrix matrix, Partition partition, int messageBytes) {
        this.matrix = matrix;
        this.messageBytes = messageBytes;
        int[] sizes = new int[partition.parts() + 1];
        for (int rank : partition.partOf()) {
            sizes[rank + 1]++;
        }
        for (int rank = 0; rank < partition.parts(); rank++) {
            sizes[rank + 1] += sizes[rank];
        }
        this.next = sizes.clone();
        this.rows = new int[matrix.rows()];
        for (int row = 0; row < rows.length; row++) {
            rows[next[partition.partOf()[row]]++] = row;
        }
        this.ends = new int[partition.parts()];
        System.arraycopy(sizes, 1, ends, 0, ends.length);
        System.arraycopy(sizes, 0, next, 0, next.length);
    }

    /** Spreads a matrix; collective. What {@link PartitionedMatrix#scatter} says of its parameters holds. */
    static PartitionedMatrix run(Communicator communicator, int root, CsrMatrix matrix, Partition partition,
            int messageBytes) {
        int size = communicator.size();
        RowScatter scatter = communicator.rank() == root ? new RowScatter(matrix, partition, messageBytes) : null;
        byte[][] announced = communicator.exchange(scatter == null ? new byte[size][] : scatter.announcements());
        Packet header = Packet.of(announced[root]);
        long globalRows = header.getLong();
        Precision precision = header.getInt() == 1 ? Precision.F64 : Precision.F32;
        RowBlockBuilder builder = new RowBlockBuilder(precision, header.getInt(), header.getInt());
        int rounds = header.getInt();
        for (int round = 0; round < rounds; round++) {
            byte[][] messages = scatter == null ? new byte[size][] : scatter.messages();
            builder.addAll(Packet.of(communicator.exchange(messages)[root]));
        }
        return PartitionedMatrix.ofRows(communicator, globalRows, builder.build());
    }

    /** Sends each rank the sizes of the whole and of its own rows, and how many messages come. */
    private byte[][] announcements() {
        int rounds = 0;
        long[] entries = new long[ends.length];
        for (int rank = 0; rank < ends.length; rank++) {
            int messages = 0;
            for (int from = next[rank]; from < ends[rank]; messages++) {
                int to = endOfMessage(from, ends[rank]);
                for (int i = from; i < to; i++) {
                    entries[rank] += length(rows[i]);
                }
                from = to;
            }
            rounds = Math.max(rounds, messages);
        }
        byte[][] announcements = new byte[ends.length][];
        for (int rank = 0; rank < ends.length; rank++) {
            announcements[rank] =
                    new Packet().put((long) matrix.rows()).put(matrix.precision() == Precision.F64 ? 1 : 0)
                            .put(ends[rank] - next[rank]).put(Checks.arrayLength("rows of one rank", entries[rank]))
                            .put(rounds).toBytes();
        }
        return announcements;
    }

    /** The next message for each rank that has rows to come. */
    private byte[][] messages() {
        byte[][] messages = new byte[ends.length][];
        for (int rank = 0; rank < ends.length; rank++) {
            if (next[rank] < ends[rank]) {
                int to = endOfMessage(next[rank], ends[rank]);
                messages[rank] = message(next[rank], to);
                next[rank] = to;
            }
        }
        return messages;
    }

    /** The first row that is not in the message which begins with a row: at least one is. */
    private int endOfMessage(int from, int end) {
        long bytes = bytes(rows[from]);
        int to = from + 1;
        while (to < end && bytes + bytes(rows[to]) <= messageBytes) {
            bytes += bytes(rows[to++]);
        }
        return to;
    }

    private byte[] message(int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += bytes(rows[i]);
        }
        Packet packet = new Packet(Checks.arrayLength("message of rows", bytes));
        for (int i = from; i < to; i++) {
            write(rows[i], packet);
        }
        return packet.toBytes();
    }

    private int length(int row) {
        CsrSegment segment = matrix.segmentOf(row);
        int local = row - segment.firstRow();
        return segment.rowOffsets()[local + 1] - segment.rowOffsets()[local];
    }

    private long bytes(int row) {
        return ROW_BYTES + (long) length(row) * (Long.BYTES + matrix.precision().bytes());
    }

    private void write(int row, Packet packet) {
        CsrSegment segment = matrix.segmentOf(row);
        int from = segment.rowOffsets()[row - segment.firstRow()];
        int count = segment.rowOffsets()[row - segment.firstRow() + 1] - from;
        packet.put((long) row).put(count);
        for (int k = from; k < from + count; k++) {
            packet.put((long) segment.columnIndices()[k]);
        }
        packet.put(segment.values(), from, count);
    }
}
