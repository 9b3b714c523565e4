package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.order.FreeColours;

/**
 * Colours of the rows of a partitioned matrix such that no two neighbours have one colour, whatever their ranks; two
 * rows are neighbours if one of them has an entry in the column of the other. First fit in the order of the global
 * rows, each takes the lowest colour that none of its neighbours before it has: exactly the colours that
 * {@code MatrixGraphs.firstFit} gives the whole matrix on one rank, for any division.
 *
 * <p>Each rank colours what it can, rows whose neighbours before them have colours; then those that have neighbours
 * behind them on other ranks are sent there, and so on. That takes as many rounds as the longest chain of neighbours in
 * increasing order changes ranks, plus one: few for parts that are blocks of rows or of a grid, up to the number of
 * rows where neighbours lie on ranks at random. Memory is proportional to the entries of the rank's own rows and
 * columns.
 *
 * @param colours the colour of each owned row, in the order of {@link PartitionedMatrix#rows}. Not to be changed
 * @param count   the number of colours of the whole matrix, the same on all ranks
 * @param rounds  how often ranks coloured rows, the same on all ranks
 */
public record RankColouring(int[] colours, int count, int rounds) {
    /**
     * Colours the rows. Collective.
     *
     * @param matrix a square matrix, whose pattern need not be symmetric
     * @return the colours, the same each time and for any division
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static RankColouring firstFit(PartitionedMatrix matrix) {
        return new Search(new Edges(matrix)).run();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RankColouring that && count == that.count && rounds == that.rounds
                && Arrays.equals(colours, that.colours);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(colours);
    }

    @Override
    public String toString() {
        return count + " colours, " + colours.length + " rows of this rank, found in " + rounds + " rounds";
    }

    /** Numbers for each of some vertices. */
    private record Lists(int[] offsets, int[] targets) {
        /** Sorts pairs by their first number. */
        static Lists of(int vertices, int[] from, int[] to, int count) {
            int[] offsets = new int[vertices + 1];
            for (int e = 0; e < count; e++) {
                offsets[from[e] + 1]++;
            }
            Arrays.parallelPrefix(offsets, Integer::sum);
            int[] next = Arrays.copyOf(offsets, vertices);
            int[] targets = new int[count];
            for (int e = 0; e < count; e++) {
                targets[next[from[e]]++] = to[e];
            }
            return new Lists(offsets, targets);
        }
    }

    /**
     * The edges at the rows of a rank, of both triangles. Vertices are its own rows, in their order, then rows of
     * others. An edge that both its rows have is there twice.
     */
    private static final class Edges {
        final Communicator communicator;
        final int owned;
        final IndexMap vertices;
        /** The rank of each vertex behind the owned ones. */
        private int[] owners = new int[16];
        private int[] rows = new int[64];
        private int[] others = new int[64];
        private int count;

        Edges(PartitionedMatrix matrix) {
            RowBlock block = matrix.rows();
            communicator = matrix.communicator();
            owned = block.rows();
            vertices = new IndexMap(2 * owned);
            for (long index : block.indices()) {
                vertices.add(index);
            }
            for (int k = 0; k < block.nonZeros(); k++) {
                vertices.add(block.columns()[k]);
            }
            long[] foreign = new long[vertices.size() - owned];
            Arrays.setAll(foreign, i -> vertices.index(owned + i));
            RowDirectory.Locations where = matrix.directory().find(foreign);
            for (int i = 0; i < foreign.length; i++) {
                own(owned + i, where.owners()[i]);
            }
            Packet[] mirrored = new Packet[communicator.size()];
            for (int row = 0; row < owned; row++) {
                for (int k = block.offsets()[row]; k < block.offsets()[row + 1]; k++) {
                    int other = vertices.get(block.columns()[k]);
                    if (other >= owned) {
                        add(row, other);
                        RowDirectory.packetFor(mirrored, where.owners()[other - owned])
                                .put(where.places()[other - owned]).put(block.indices()[row]);
                    } else if (other != row) {
                        add(row, other);
                        add(other, row);
                    }
                }
            }
            byte[][] received = communicator.exchange(RowDirectory.bytes(mirrored));
            for (int from = 0; from < received.length; from++) {
                takeMirrored(from, Packet.of(received[from]));
            }
        }

        /** Adds the entries that rows of another rank have in own columns. */
        private void takeMirrored(int from, Packet packet) {
            while (packet.hasMore()) {
                int row = packet.getInt();
                long other = packet.getLong();
                if (vertices.add(other)) {
                    own(vertices.size() - 1, from);
                }
                add(row, vertices.get(other));
            }
        }

        private void own(int vertex, int rank) {
            int at = vertex - owned;
            if (at >= owners.length) {
                owners = Arrays.copyOf(owners, 2 * at);
            }
            owners[at] = rank;
        }

        private void add(int row, int other) {
            if (count == rows.length) {
                int length = (int) Math.min(Integer.MAX_VALUE - 8L, 2L * count);
                rows = Arrays.copyOf(rows, length);
                others = Arrays.copyOf(others, length);
            }
            rows[count] = row;
            others[count++] = other;
        }

        int ownerOf(int vertex) {
            return owners[vertex - owned];
        }

        private boolean isBefore(int vertex, int other) {
            return vertices.index(vertex) < vertices.index(other);
        }

        /** The neighbours before each own row, or, the other way round, the own rows behind each vertex. */
        Lists before(boolean behind) {
            int[] from = new int[count];
            int[] to = new int[count];
            int kept = 0;
            for (int e = 0; e < count; e++) {
                if (isBefore(others[e], rows[e])) {
                    from[kept] = behind ? others[e] : rows[e];
                    to[kept++] = behind ? rows[e] : others[e];
                }
            }
            return Lists.of(behind ? vertices.size() : owned, from, to, kept);
        }

        /** The ranks of the neighbours behind each own row; a rank may be there more than once. */
        Lists ranksBehind() {
            int[] from = new int[count];
            int[] to = new int[count];
            int kept = 0;
            for (int e = 0; e < count; e++) {
                if (others[e] >= owned && isBefore(rows[e], others[e])) {
                    from[kept] = rows[e];
                    to[kept++] = ownerOf(others[e]);
                }
            }
            return Lists.of(owned, from, to, kept);
        }
    }

    /** Colours rows round by round. */
    private static final class Search {
        private final Edges edges;
        private final Lists before;
        private final Lists behind;
        private final Lists ranksBehind;
        private final int[] colours;
        /** Edges of each own row to rows before it that have no colour yet. */
        private final int[] pending;
        /** Own rows in the order in which they can be coloured. */
        private final int[] queue;
        private int queued;
        private int done;
        private final FreeColours free = new FreeColours();
        /** The last row whose colour was noted for each rank, plus one. */
        private final int[] lastTold;
        private int count;

        Search(Edges edges) {
            this.edges = edges;
            before = edges.before(false);
            behind = edges.before(true);
            ranksBehind = edges.ranksBehind();
            colours = new int[edges.vertices.size()];
            pending = new int[edges.owned];
            lastTold = new int[edges.communicator.size()];
            queue = new int[edges.owned];
            for (int row = 0; row < edges.owned; row++) {
                pending[row] = before.offsets[row + 1] - before.offsets[row];
                if (pending[row] == 0) {
                    queue[queued++] = row;
                }
            }
        }

        RankColouring run() {
            Communicator communicator = edges.communicator;
            int rounds = 0;
            while (communicator.sum(edges.owned - done) > 0) {
                Packet[] messages = new Packet[communicator.size()];
                while (done < queued) {
                    int row = queue[done++];
                    colours[row] = lowestFree(row);
                    release(row);
                    tell(row, messages);
                }
                for (byte[] message : communicator.exchange(RowDirectory.bytes(messages))) {
                    take(Packet.of(message));
                }
                rounds++;
            }
            return new RankColouring(Arrays.copyOf(colours, edges.owned), (int) communicator.greatest(count), rounds);
        }

        private int lowestFree(int row) {
            for (int e = before.offsets[row]; e < before.offsets[row + 1]; e++) {
                free.take(colours[before.targets[e]]);
            }
            int colour = free.least();
            count = Math.max(count, colour + 1);
            return colour;
        }

        private void release(int vertex) {
            for (int e = behind.offsets[vertex]; e < behind.offsets[vertex + 1]; e++) {
                int row = behind.targets[e];
                if (--pending[row] == 0) {
                    queue[queued++] = row;
                }
            }
        }

        /** Notes the colour for each rank that has neighbours behind the row. */
        private void tell(int row, Packet[] messages) {
            for (int e = ranksBehind.offsets[row]; e < ranksBehind.offsets[row + 1]; e++) {
                int rank = ranksBehind.targets[e];
                if (lastTold[rank] != row + 1) {
                    lastTold[rank] = row + 1;
                    RowDirectory.packetFor(messages, rank).put(edges.vertices.index(row)).put(colours[row]);
                }
            }
        }

        private void take(Packet message) {
            while (message.hasMore()) {
                int vertex = edges.vertices.get(message.getLong());
                colours[vertex] = message.getInt();
                release(vertex);
            }
        }
    }
}
