package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.memory.HostVector;

/** What is done with the rows that ranks have of a matrix as a whole. */
final class Rows {
    private Rows() {}

    /** Returns the columns of some rows, each once, in the order in which they are found, without those of a map. */
    static long[] columns(RowBlock rows, IndexMap without) {
        IndexMap found = new IndexMap(rows.rows());
        for (int k = 0; k < rows.nonZeros(); k++) {
            long column = rows.columns()[k];
            if (without.get(column) == IndexMap.ABSENT) {
                found.add(column);
            }
        }
        long[] columns = new long[found.size()];
        Arrays.setAll(columns, found::index);
        return columns;
    }

    /** Returns a map of the indices of rows to their places. */
    static IndexMap places(long[] indices) {
        IndexMap places = new IndexMap(indices.length);
        for (long index : indices) {
            places.add(index);
        }
        return places;
    }

    /**
     * Transposes a matrix. Collective; three exchanges.
     *
     * @param communicator the ranks
     * @param rows         this rank's rows
     * @param columns      who owns the rows of the transpose
     * @param owned        the rows of the transpose that this rank owns, in the order of that directory
     * @return these rows, in that order
     */
    static RowBlock transpose(Communicator communicator, RowBlock rows, RowDirectory columns, long[] owned) {
        IndexMap numbers = places(columns(rows, new IndexMap(0)));
        long[] wanted = new long[numbers.size()];
        Arrays.setAll(wanted, numbers::index);
        RowDirectory.Locations found = columns.find(wanted);
        Packet[] packets = new Packet[communicator.size()];
        Arrays.setAll(packets, rank -> new Packet());
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                int column = numbers.get(rows.columns()[k]);
                packets[found.owners()[column]].put(found.places()[column]).put(rows.indices()[row])
                        .put(rows.values(), k, 1);
            }
        }
        byte[][] messages = new byte[packets.length][];
        Arrays.setAll(messages, rank -> packets[rank].toBytes());
        return collect(communicator.exchange(messages), rows.precision(), owned);
    }

    /** Sorts entries into rows: by place, and within a row by column. */
    private static RowBlock collect(byte[][] messages, Precision precision, long[] owned) {
        int bytes = Integer.BYTES + Long.BYTES + precision.bytes();
        int count = Math.toIntExact(Arrays.stream(messages).mapToLong(message -> message.length / bytes).sum());
        int[] places = new int[count];
        long[] columns = new long[count];
        HostVector values = HostVector.zeros(precision, count);
        int[] offsets = new int[owned.length + 1];
        int read = 0;
        for (byte[] message : messages) {
            Packet packet = Packet.of(message);
            for (; packet.hasMore(); read++) {
                places[read] = packet.getInt();
                columns[read] = packet.getLong();
                packet.get(values, read, 1);
                offsets[places[read] + 1]++;
            }
        }
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] at = offsets.clone();
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[at[places[i]]++] = i;
        }
        RowBlockBuilder builder = new RowBlockBuilder(precision, owned.length);
        for (int row = 0; row < owned.length; row++) {
            sort(order, columns, offsets[row], offsets[row + 1]);
            for (int i = offsets[row]; i < offsets[row + 1]; i++) {
                builder.add(columns[order[i]], values.get(order[i]));
            }
            builder.endRow(owned[row]);
        }
        return builder.build();
    }

    /** Sorts by insertion: what comes from a rank is mostly in order. */
    private static void sort(int[] order, long[] columns, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int moved = order[i];
            int place = i - 1;
            while (place >= from && columns[order[place]] > columns[moved]) {
                order[place + 1] = order[place];
                place--;
            }
            order[place + 1] = moved;
        }
    }

    /** What two rows with the same index become, entry by entry. */
    interface Combination {
        /** Combines two values, of which one is 0 where only the other row has an entry. */
        double of(double left, double right);
    }

    /**
     * Combines rows with others of the same indices.
     *
     * @param left  some rows
     * @param right as many, in the same order
     * @param how   makes the value of an entry that one of both has
     * @return rows with the entries of both
     */
    static RowBlock combine(RowBlock left, RowBlock right, Combination how) {
        RowBlockBuilder builder = new RowBlockBuilder(left.precision(), left.rows());
        for (int row = 0; row < left.rows(); row++) {
            int l = left.offsets()[row];
            int r = right.offsets()[row];
            int lastLeft = left.offsets()[row + 1];
            int lastRight = right.offsets()[row + 1];
            while (l < lastLeft || r < lastRight) {
                long leftColumn = l < lastLeft ? left.columns()[l] : Long.MAX_VALUE;
                long rightColumn = r < lastRight ? right.columns()[r] : Long.MAX_VALUE;
                double leftValue = leftColumn <= rightColumn ? left.values().get(l++) : 0;
                double rightValue = rightColumn <= leftColumn ? right.values().get(r++) : 0;
                builder.add(Math.min(leftColumn, rightColumn), how.of(leftValue, rightValue));
            }
            builder.endRow(left.indices()[row]);
        }
        return builder.build();
    }

    /**
     * Says whether rows equal those of the transpose.
     *
     * @param rows       some rows
     * @param transposed those of the transpose, in the same order
     * @param tolerance  how far two values may be apart, as a share of the greatest of both and the diagonal element of
     *                   the row; below 0 patterns count alone
     */
    static boolean equal(RowBlock rows, RowBlock transposed, double tolerance) {
        if (tolerance < 0) {
            return Arrays.equals(rows.offsets(), transposed.offsets())
                    && Arrays.equals(rows.columns(), 0, rows.nonZeros(), transposed.columns(), 0, rows.nonZeros());
        }
        boolean equal = true;
        for (int row = 0; row < rows.rows(); row++) {
            int last = rows.offsets()[row + 1];
            int own = Arrays.binarySearch(rows.columns(), rows.offsets()[row], last, rows.indices()[row]);
            double diagonal = own < 0 ? 0 : Math.abs(rows.values().get(own));
            int l = rows.offsets()[row];
            int r = transposed.offsets()[row];
            while (l < last || r < transposed.offsets()[row + 1]) {
                long leftColumn = l < last ? rows.columns()[l] : Long.MAX_VALUE;
                long rightColumn = r < transposed.offsets()[row + 1] ? transposed.columns()[r] : Long.MAX_VALUE;
                double left = leftColumn <= rightColumn ? rows.values().get(l++) : 0;
                double right = rightColumn <= leftColumn ? transposed.values().get(r++) : 0;
                double scale = Math.max(diagonal, Math.max(Math.abs(left), Math.abs(right)));
                equal &= Math.abs(left - right) <= tolerance * scale;
            }
        }
        return equal;
    }
}
