package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;

/**
 * The tentative prolongator over ranks (P. Vaněk, M. Brezina, J. Mandel, Numer. Math. 88, 2001, algorithm 2.1): the
 * rank that owns an aggregate gets what members on any rank have of the near null space, orthogonalises it in the order
 * of the nodes, as one rank does, and sends the rows back.
 */
final class RankTentative {
    private final RowBlock rows;
    private final long[] owned;
    private final double[][] coarse;

    private RankTentative(RowBlock rows, long[] owned, double[][] coarse) {
        this.rows = rows;
        this.owned = owned;
        this.coarse = coarse;
    }

    /**
     * Makes the prolongator. Collective; two exchanges.
     *
     * @param communicator the ranks
     * @param level        the matrix of the level
     * @param nodes        its nodes
     * @param groups       their aggregates
     * @param owners       the rank that is to own each of these aggregates, by owned node
     * @param space        the near null space
     */
    static RankTentative of(Communicator communicator, PartitionedMatrix level, Nodes nodes,
            RankAggregates.Numbered groups, int[] owners, RankSpace space) {
        Packet[] packets = new Packet[communicator.size()];
        for (int node = 0; node < groups.number().length; node++) {
            if (groups.number()[node] != RankAggregates.NONE) {
                Packet packet = RowDirectory.packetFor(packets, owners[node]).put(groups.number()[node])
                        .put(nodes.matrix().globals()[node]);
                for (int component = 0; component < nodes.blockSize(); component++) {
                    int row = nodes.row(level, node, component);
                    for (int v = 0; v < space.count(); v++) {
                        packet.put(Double.doubleToRawLongBits(space.vector(v)[row]));
                    }
                }
            }
        }
        byte[][] received = communicator.exchange(RowDirectory.bytes(packets));
        AggregateMembers members = AggregateMembers.of(received, nodes.blockSize(), space.count());
        double[][] coarse = members.orthogonalise();
        byte[][] answers = communicator.exchange(members.answers());
        RowBlock rows = rows(level, nodes, groups, owners, space.count(), answers);
        return new RankTentative(rows, rowsOf(members.aggregates(), space.count()), coarse);
    }

    /** Reads the rows of this rank, in its order of the level's rows. */
    private static RowBlock rows(PartitionedMatrix level, Nodes nodes, RankAggregates.Numbered groups, int[] owners,
            int count, byte[][] answers) {
        Packet[] packets = new Packet[answers.length];
        Arrays.setAll(packets, rank -> Packet.of(answers[rank]));
        double[] found = new double[level.ownedRows() * count];
        long[] first = new long[level.ownedRows()];
        for (int node = 0; node < groups.number().length; node++) {
            if (groups.number()[node] != RankAggregates.NONE) {
                Packet packet = packets[owners[node]];
                for (int component = 0; component < nodes.blockSize(); component++) {
                    int row = nodes.row(level, node, component);
                    for (int v = 0; v < count; v++) {
                        found[row * count + v] = Double.longBitsToDouble(packet.getLong());
                    }
                    first[row] = groups.number()[node] * count;
                }
            }
        }
        RowBlockBuilder builder = new RowBlockBuilder(level.precision(), first.length);
        for (int row = 0; row < first.length; row++) {
            for (int v = 0; v < count; v++) {
                if (found[row * count + v] != 0) {
                    builder.add(first[row] + v, found[row * count + v]);
                }
            }
            builder.endRow(level.rows().indices()[row]);
        }
        return builder.build();
    }

    private static long[] rowsOf(long[] aggregates, int count) {
        long[] rows = new long[aggregates.length * count];
        Arrays.setAll(rows, i -> aggregates[i / count] * count + i % count);
        return rows;
    }

    /** Returns T: a row for each owned row of the level. */
    RowBlock rows() {
        return rows;
    }

    /** Returns the rows of the next level that this rank is to own, in their order. */
    long[] owned() {
        return owned;
    }

    /** Returns the near null space of the next level, in the order of {@link #owned}. */
    double[][] coarse() {
        return coarse;
    }
}
