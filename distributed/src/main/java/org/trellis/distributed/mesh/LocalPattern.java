package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.distributed.partitioned.RowRanges;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.RankedPattern;

/**
 * What a rank has of a pattern: that of its own mesh, whose maps lead to all rows and columns that the elements which
 * it runs have. Rows that it owns are complete, since it runs every element that leads to one. Entries get the
 * numbers that one rank gives them, row by row in the user's order: sizes of rows are added up where the rows are at
 * home, in blocks of consecutive rows; those of other ranks' rows are asked of the rows' owners. So no rank sees the
 * whole.
 */
final class LocalPattern implements RankedPattern {
    private final RankMesh share;
    private final Communicator communicator;
    private final AssemblyPattern local;
    private final LocalSet rows;
    private final LocalSet columns;
    /** The user's number of each entry. */
    private final int[] users;
    private final int[] haloRanks;
    private final int total;

    /**
     * Finds the entries. Called by all ranks.
     *
     * @param share     what the rank has
     * @param name      of the pattern
     * @param couplings of the whole mesh
     */
    LocalPattern(RankMesh share, String name, List<AssemblyPattern.Coupling> couplings) {
        this.share = share;
        this.communicator = share.communicator();
        this.local = AssemblyPattern.of(name, couplings.stream()
                .map(c -> new AssemblyPattern.Coupling(share.map(c.rows()), share.map(c.columns()))).toList());
        this.rows = share.set(couplings.getFirst().rows().to());
        this.columns = share.set(couplings.getFirst().columns().to());
        int[] offsets = local.rowOffsets();
        int owned = rows.parts().owned();
        this.users = new int[local.columnIndices().length];
        this.haloRanks = new int[users.length - offsets[owned]];
        for (int row = owned; row < rows.parts().total(); row++) {
            Arrays.fill(haloRanks, offsets[row] - offsets[owned], offsets[row + 1] - offsets[owned],
                    rows.haloRank(row));
        }
        this.total = numberOwned(owned);
        askOwners(owned);
    }

    /** Numbers the entries of owned rows; returns how many all ranks have. */
    private int numberOwned(int owned) {
        RowRanges homes = new RowRanges(rows.whole().size(), communicator.size());
        Packet[] sizes = new Packet[communicator.size()];
        int[] offsets = local.rowOffsets();
        for (int row = 0; row < owned; row++) {
            RowDirectory.packetFor(sizes, homes.blockOf(rows.user(row))).put(rows.user(row))
                    .put(offsets[row + 1] - offsets[row]);
        }
        byte[][] brought = communicator.exchange(RowDirectory.bytes(sizes));
        int first = (int) homes.start(communicator.rank());
        long[] starts = new long[(int) homes.start(communicator.rank() + 1) - first + 1];
        for (byte[] message : brought) {
            Packet packet = Packet.of(message);
            while (packet.hasMore()) {
                int row = packet.getInt();
                starts[row - first + 1] = packet.getInt();
            }
        }
        Arrays.parallelPrefix(starts, Long::sum);
        long[] ofRanks = new long[communicator.size()];
        ofRanks[communicator.rank()] = starts[starts.length - 1];
        communicator.allReduce(Reduction.SUM, ofRanks);
        long all = Arrays.stream(ofRanks).sum();
        if (all > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(local + " has " + all + " entries on all ranks, expected at most "
                    + Integer.MAX_VALUE);
        }
        long before = Arrays.stream(ofRanks, 0, communicator.rank()).sum();
        byte[][] answers = new byte[brought.length][];
        for (int rank = 0; rank < brought.length; rank++) {
            Packet question = Packet.of(brought[rank]);
            Packet answer = new Packet();
            while (question.hasMore()) {
                answer.put((int) (before + starts[question.getInt() - first]));
                question.getInt();
            }
            answers[rank] = answer.toBytes();
        }
        number(owned, homes, communicator.exchange(answers));
        return (int) all;
    }

    private void number(int owned, RowRanges homes, byte[][] answers) {
        Packet[] starts = Arrays.stream(answers).map(Packet::of).toArray(Packet[]::new);
        int[] offsets = local.rowOffsets();
        for (int row = 0; row < owned; row++) {
            int next = starts[homes.blockOf(rows.user(row))].getInt();
            long[] sorted = new long[offsets[row + 1] - offsets[row]];
            for (int k = 0; k < sorted.length; k++) {
                int entry = offsets[row] + k;
                sorted[k] = (long) columns.user(local.columnIndices()[entry]) << Integer.SIZE | entry;
            }
            Arrays.sort(sorted);
            for (long one : sorted) {
                users[(int) one] = next++;
            }
        }
    }

    /** Asks the owners of other rows for the numbers of their entries. */
    private void askOwners(int owned) {
        Packet[] questions = new Packet[communicator.size()];
        int[] offsets = local.rowOffsets();
        for (int row = owned; row < rows.parts().total(); row++) {
            for (int entry = offsets[row]; entry < offsets[row + 1]; entry++) {
                RowDirectory.packetFor(questions, rows.haloRank(row)).put(rows.user(row))
                        .put(columns.user(local.columnIndices()[entry]));
            }
        }
        byte[][] asked = communicator.exchange(RowDirectory.bytes(questions));
        byte[][] answers = new byte[asked.length][];
        for (int rank = 0; rank < asked.length; rank++) {
            Packet question = Packet.of(asked[rank]);
            Packet answer = new Packet();
            while (question.hasMore()) {
                answer.put(own(question.getInt(), question.getInt()));
            }
            answers[rank] = answer.toBytes();
        }
        Packet[] found = Arrays.stream(communicator.exchange(answers)).map(Packet::of).toArray(Packet[]::new);
        for (int row = owned; row < rows.parts().total(); row++) {
            for (int entry = offsets[row]; entry < offsets[row + 1]; entry++) {
                users[entry] = found[rows.haloRank(row)].getInt();
            }
        }
    }

    /** Returns the user's number of an entry of a row that this rank owns, -1 if there is none. */
    private int own(int row, int column) {
        int place = rows.place(row);
        int there = columns.place(column);
        if (place == LocalSet.ABSENT || place >= rows.parts().owned() || there == LocalSet.ABSENT) {
            return LocalSet.ABSENT;
        }
        int entry = local.entry(place, there);
        return entry < 0 ? LocalSet.ABSENT : users[entry];
    }

    @Override
    public int entries() {
        return total;
    }

    @Override
    public void bind(MeshSet entries, List<MeshMap> positions) {
        LocalSet own = new LocalSet(local.entries(), entries, users, haloRanks);
        share.add(own);
        for (int c = 0; c < positions.size(); c++) {
            share.add(positions.get(c), local.positions(c));
        }
    }

    @Override
    public int entry(int row, int column) {
        long[] found = {own(row, column)};
        communicator.allReduce(Reduction.MAX, found);
        return (int) found[0];
    }

    @Override
    public AssemblyPattern local() {
        return local;
    }

    @Override
    public int[] rowUsers() {
        return rows.users();
    }

    @Override
    public int[] columnUsers() {
        return columns.users();
    }

    @Override
    public String toString() {
        return "a rank's " + local;
    }
}
