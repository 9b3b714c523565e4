package org.trellis.distributed.multigrid;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Brings the rows that ranks have of a matrix to the first rank, in the order of their global indices, and deals rows
 * of a matrix there out. Rows travel in pieces, so that no message comes near to the length of an array. All methods
 * are collective.
 */
final class RowGathering {
    /** Entries of a piece, unless one row has more. */
    private static final int ENTRIES = 1 << 24;

    private final Communicator communicator;
    private final int entries;

    RowGathering(Communicator communicator) {
        this(communicator, ENTRIES);
    }

    /**
     * Takes pieces of another size.
     *
     * @param entries how many entries and rows a piece has at most, unless one row has more
     */
    RowGathering(Communicator communicator, int entries) {
        this.communicator = communicator;
        this.entries = entries;
    }

    /**
     * Some rows with 32-bit indices.
     *
     * @param rows    their global indices; null where the receiver knows them
     * @param offsets where each starts, and behind the last where it ends
     * @param columns of the entries
     * @param values  of the entries
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Piece(int[] rows, int[] offsets, int[] columns, HostVector values) {
        int count() {
            return offsets.length - 1;
        }

        int length(int row) {
            return offsets[row + 1] - offsets[row];
        }

        /** Writes rows from one to another one, and their indices if there are any. */
        byte[] write(int from, int to) {
            int[] lengths = new int[to - from];
            Arrays.setAll(lengths, row -> length(from + row));
            Packet packet = new Packet().put(lengths.length).put(lengths, 0, lengths.length);
            if (rows != null) {
                packet.put(rows, from, to - from);
            }
            int first = offsets[from];
            int size = offsets[to] - first;
            return packet.put(columns, first, size).put(values, first, size).toBytes();
        }

        static Piece read(byte[] message, boolean indexed, Precision precision) {
            Packet packet = Packet.of(message);
            int count = packet.getInt();
            int[] offsets = new int[count + 1];
            packet.get(offsets, 1, count);
            Arrays.parallelPrefix(offsets, Integer::sum);
            int[] rows = indexed ? new int[count] : null;
            if (indexed) {
                packet.get(rows, 0, count);
            }
            int[] columns = new int[offsets[count]];
            packet.get(columns, 0, columns.length);
            HostVector values = HostVector.zeros(precision, columns.length);
            packet.get(values, 0, columns.length);
            return new Piece(rows, offsets, columns, values);
        }
    }

    /** Returns where pieces of rows end. */
    private List<Integer> ends(int[] offsets) {
        List<Integer> ends = new ArrayList<>();
        int from = 0;
        for (int row = 1; row < offsets.length; row++) {
            boolean last = row == offsets.length - 1;
            if (last || offsets[row + 1] - offsets[from] > entries || row + 1 - from > entries) {
                ends.add(row);
                from = row;
            }
        }
        return ends;
    }

    /**
     * Brings rows to the first rank.
     *
     * @param rows       this rank's
     * @param globalRows how many there are on all ranks, and columns
     * @return the matrix on the first rank, null on others
     * @throws IllegalArgumentException if it has more entries than an array holds
     */
    CsrMatrix gather(RowBlock rows, int globalRows) {
        int[] indices = new int[rows.rows()];
        Arrays.setAll(indices, row -> (int) rows.indices()[row]);
        int[] columns = new int[rows.nonZeros()];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = (int) rows.columns()[k];
        }
        Piece own = new Piece(indices, rows.offsets(), columns, rows.values());
        boolean first = communicator.rank() == 0;
        List<Integer> ends = first ? List.of() : ends(own.offsets());
        long rounds = communicator.greatest(ends.size());
        List<Piece> pieces = new ArrayList<>();
        pieces.add(own);
        for (int round = 0; round < rounds; round++) {
            byte[][] messages = new byte[communicator.size()][];
            if (round < ends.size()) {
                messages[0] = own.write(round == 0 ? 0 : ends.get(round - 1), ends.get(round));
            }
            for (byte[] message : communicator.exchange(messages)) {
                if (message.length > 0) {
                    pieces.add(Piece.read(message, true, rows.precision()));
                }
            }
        }
        return first ? whole(pieces, globalRows, rows.precision()) : null;
    }

    private static CsrMatrix whole(List<Piece> pieces, int rows, Precision precision) {
        int[] offsets = new int[rows + 1];
        long all = 0;
        for (Piece piece : pieces) {
            for (int row = 0; row < piece.count(); row++) {
                offsets[piece.rows()[row] + 1] = piece.length(row);
            }
            all += piece.offsets()[piece.count()];
        }
        Checks.arrayLength("entries of a matrix on the first rank", all);
        Arrays.parallelPrefix(offsets, Integer::sum);
        int[] columns = new int[(int) all];
        HostVector values = HostVector.zeros(precision, columns.length);
        for (Piece piece : pieces) {
            for (int row = 0; row < piece.count(); row++) {
                int to = offsets[piece.rows()[row]];
                int from = piece.offsets()[row];
                System.arraycopy(piece.columns(), from, columns, to, piece.length(row));
                piece.values().copyRange(from, values, to, piece.length(row));
            }
        }
        return CsrMatrix.of(rows, rows, offsets, columns, values);
    }

    /**
     * Deals rows out.
     *
     * @param whole     a matrix of one segment on the first rank, null on others
     * @param owned     the rows of each rank on the first one, null on others
     * @param indices   the rows of this rank, as the first one has them
     * @param precision the type of the values
     * @return the rows of this rank, in that order
     */
    RowBlock scatter(CsrMatrix whole, int[][] owned, long[] indices, Precision precision) {
        boolean first = communicator.rank() == 0;
        List<List<Integer>> ends = new ArrayList<>();
        Piece[] parts = new Piece[communicator.size()];
        for (int rank = 0; rank < parts.length && first; rank++) {
            parts[rank] = select(whole, owned[rank]);
            ends.add(rank == 0 ? List.of() : ends(parts[rank].offsets()));
        }
        long rounds = communicator.greatest(ends.stream().mapToInt(List::size).max().orElse(0));
        List<Piece> pieces = new ArrayList<>();
        if (first) {
            pieces.add(parts[0]);
        }
        for (int round = 0; round < rounds; round++) {
            byte[][] messages = new byte[communicator.size()][];
            for (int rank = 0; rank < ends.size(); rank++) {
                List<Integer> ofRank = ends.get(rank);
                if (round < ofRank.size()) {
                    messages[rank] = parts[rank].write(round == 0 ? 0 : ofRank.get(round - 1), ofRank.get(round));
                }
            }
            byte[] message = communicator.exchange(messages)[0];
            if (message.length > 0) {
                pieces.add(Piece.read(message, false, precision));
            }
        }
        return block(pieces, indices, precision);
    }

    private static Piece select(CsrMatrix whole, int[] rows) {
        CsrSegment segment = whole.onlySegment();
        int[] offsets = new int[rows.length + 1];
        for (int row = 0; row < rows.length; row++) {
            offsets[row + 1] = offsets[row] + segment.rowOffsets()[rows[row] + 1] - segment.rowOffsets()[rows[row]];
        }
        int[] columns = new int[offsets[rows.length]];
        HostVector values = HostVector.zeros(whole.precision(), columns.length);
        for (int row = 0; row < rows.length; row++) {
            int from = segment.rowOffsets()[rows[row]];
            int length = offsets[row + 1] - offsets[row];
            System.arraycopy(segment.columnIndices(), from, columns, offsets[row], length);
            segment.values().copyRange(from, values, offsets[row], length);
        }
        return new Piece(null, offsets, columns, values);
    }

    private static RowBlock block(List<Piece> pieces, long[] indices, Precision precision) {
        int[] offsets = new int[indices.length + 1];
        int all = pieces.stream().mapToInt(piece -> piece.offsets()[piece.count()]).sum();
        long[] columns = new long[all];
        HostVector values = HostVector.zeros(precision, all);
        int row = 0;
        for (Piece piece : pieces) {
            int base = offsets[row];
            for (int i = 1; i <= piece.count(); i++) {
                offsets[++row] = base + piece.offsets()[i];
            }
            for (int k = 0; k < piece.columns().length; k++) {
                columns[base + k] = piece.columns()[k];
            }
            piece.values().copyRange(0, values, base, piece.columns().length);
        }
        return new RowBlock(indices, offsets, columns, values);
    }
}
