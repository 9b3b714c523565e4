package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;

/**
 * The graph of A + Aᵀ without the diagonal, of a matrix that is spread over ranks: each rank has the vertices of its
 * rows, in local order, and vertices of lower ranks have lower numbers. Takes about 8 bytes an edge end and 16 while it
 * is made.
 *
 * @param offsets    where the neighbours of each row of this rank start, and the number of neighbours
 * @param neighbours numbers of the neighbours in the whole graph, rising for each vertex
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once
record LocalGraph(int[] offsets, int[] neighbours) {
    /** Makes the graph. Collective; four exchanges. */
    static LocalGraph of(PartitionedMatrix matrix) {
        Communicator communicator = matrix.communicator();
        Checks.arrayLength("graph of the whole matrix", matrix.globalRows());
        RowBlock rows = matrix.rows();
        int[] firsts = firsts(communicator.gatherNumbers(rows.rows()));
        int first = firsts[communicator.rank()];
        long[] columns = Arrays.stream(rows.columns(), 0, rows.nonZeros()).sorted().distinct().toArray();
        RowDirectory.Locations found = matrix.directory().find(columns);
        Packet[] packets = new Packet[communicator.size()];
        Edges edges = new Edges(rows.nonZeros());
        for (int row = 0; row < rows.rows(); row++) {
            int number = first + row;
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                int at = Arrays.binarySearch(columns, rows.columns()[k]);
                int other = firsts[found.owners()[at]] + found.places()[at];
                if (other == number) {
                    continue;
                }
                edges.add(number, other);
                if (found.owners()[at] == communicator.rank()) {
                    edges.add(other, number);
                } else {
                    RowDirectory.packetFor(packets, found.owners()[at]).put(other).put(number);
                }
            }
        }
        for (byte[] message : communicator.exchange(RowDirectory.bytes(packets))) {
            for (Packet packet = Packet.of(message); packet.hasMore();) {
                int own = packet.getInt();
                edges.add(own, packet.getInt());
            }
        }
        return edges.graph(first, rows.rows());
    }

    private static int[] firsts(long... counts) {
        int[] firsts = new int[counts.length];
        for (int rank = 1; rank < firsts.length; rank++) {
            firsts[rank] = firsts[rank - 1] + (int) counts[rank - 1];
        }
        return firsts;
    }

    /** Edges in the order in which they are found, some of them twice. */
    private static final class Edges {
        private long[] ends;
        private int count;

        Edges(int expected) {
            ends = new long[Math.max(64, expected)];
        }

        void add(int from, int to) {
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, Checks.arrayLength("edges of this rank's rows", 2L * count));
            }
            ends[count++] = (long) from << Integer.SIZE | to;
        }

        LocalGraph graph(int first, int vertices) {
            Arrays.sort(ends, 0, count);
            int[] offsets = new int[vertices + 1];
            int[] neighbours = new int[count];
            int kept = 0;
            for (int i = 0; i < count; i++) {
                if (i == 0 || ends[i] != ends[i - 1]) {
                    neighbours[kept++] = (int) ends[i];
                    offsets[(int) (ends[i] >>> Integer.SIZE) - first + 1]++;
                }
            }
            Arrays.parallelPrefix(offsets, Integer::sum);
            return new LocalGraph(offsets, Arrays.copyOf(neighbours, kept));
        }
    }
}
