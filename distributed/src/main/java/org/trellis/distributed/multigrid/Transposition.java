package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowDirectory;

/** Transposes the rows of ranks: entries that stay on a rank are sorted into place there, the others sent. */
final class Transposition {
    private final int rank;
    private final RowBlock rows;
    private final int[] numbers;
    private final RowDirectory.Locations where;
    private final int[] offsets;
    private final int[] at;
    private final long[] columns;
    private final double[] values;

    private Transposition(Communicator communicator, RowBlock rows, int[] numbers, RowDirectory.Locations where,
            int owned, byte[][] received) {
        this.rank = communicator.rank();
        this.rows = rows;
        this.numbers = numbers;
        this.where = where;
        this.offsets = new int[owned + 1];
        for (int k = 0; k < rows.nonZeros(); k++) {
            if (where.owners()[numbers[k]] == rank) {
                offsets[where.places()[numbers[k]] + 1]++;
            }
        }
        for (byte[] message : received) {
            Packet packet = Packet.of(message);
            while (packet.hasMore()) {
                offsets[packet.getInt() + 1]++;
                packet.getLong();
                packet.getLong();
            }
        }
        for (int row = 0; row < owned; row++) {
            offsets[row + 1] += offsets[row];
        }
        this.at = offsets.clone();
        this.columns = new long[offsets[owned]];
        this.values = new double[columns.length];
    }

    /**
     * Transposes a matrix. Collective; one exchange.
     *
     * @param communicator the ranks
     * @param rows         this rank's rows
     * @param numbers      the number of the column of each entry
     * @param where        who owns the row of the transpose that belongs to each of these numbers, and where
     * @param owned        the rows of the transpose that this rank owns, in their local order
     * @return these rows, in that order
     */
    static RowBlock of(Communicator communicator, RowBlock rows, int[] numbers, RowDirectory.Locations where,
            long[] owned) {
        double[] values = LocalMatrix.doubles(rows);
        Packet[] packets = new Packet[communicator.size()];
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                int owner = where.owners()[numbers[k]];
                if (owner != communicator.rank()) {
                    RowDirectory.packetFor(packets, owner).put(where.places()[numbers[k]]).put(rows.indices()[row])
                            .put(Double.doubleToRawLongBits(values[k]));
                }
            }
        }
        byte[][] received = communicator.exchange(RowDirectory.bytes(packets));
        Transposition transposed = new Transposition(communicator, rows, numbers, where, owned.length, received);
        for (int from = 0; from < received.length; from++) {
            if (from == communicator.rank()) {
                transposed.sortOwn(values);
            } else {
                transposed.sort(Packet.of(received[from]));
            }
        }
        return transposed.rows(owned, rows.precision());
    }

    private void put(int place, long column, double value) {
        columns[at[place]] = column;
        values[at[place]++] = value;
    }

    private void sortOwn(double[] own) {
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                if (where.owners()[numbers[k]] == rank) {
                    put(where.places()[numbers[k]], rows.indices()[row], own[k]);
                }
            }
        }
    }

    private void sort(Packet packet) {
        while (packet.hasMore()) {
            put(packet.getInt(), packet.getLong(), Double.longBitsToDouble(packet.getLong()));
        }
    }

    private RowBlock rows(long[] owned, Precision precision) {
        for (int row = 0; row < owned.length; row++) {
            order(offsets[row], offsets[row + 1]);
        }
        return new RowBlock(Arrays.copyOf(owned, owned.length), offsets, columns,
                LocalMatrix.vector(values, precision));
    }

    /** Sorts a row by insertion: what comes from a rank is mostly in order. */
    private void order(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            long column = columns[i];
            double value = values[i];
            int place = i - 1;
            while (place >= from && columns[place] > column) {
                columns[place + 1] = columns[place];
                values[place + 1] = values[place];
                place--;
            }
            columns[place + 1] = column;
            values[place + 1] = value;
        }
    }
}
