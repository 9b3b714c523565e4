package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;

/**
 * The tentative prolongator over ranks (P. Vaněk, M. Brezina, J. Mandel, Numer. Math. 88, 2001, algorithm 2.1): the
 * rank that owns an aggregate gets what members on any rank have of the near null space, orthogonalises it in the order
 * of the nodes, as one rank does, and sends the rows back.
 */
final class RankTentative {
    /** A vector that is left with less than this share of its length depends on those before it. */
    private static final double DEPENDENT = 1e-10;

    private final RowBlock rows;
    private final long[] owned;
    private final double[][] coarse;

    private RankTentative(RowBlock rows, long[] owned, double[][] coarse) {
        this.rows = rows;
        this.owned = owned;
        this.coarse = coarse;
    }

    /**
     * What belongs to one node in the message to the owner of its aggregate.
     *
     * @param aggregate the aggregate
     * @param node      the global index of the node
     * @param rank      where it came from
     * @param order     which of that rank's
     * @param values    row by row, vector by vector
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Member(long aggregate, long node, int rank, int order, double[] values) {}

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
        int width = nodes.blockSize() * space.count();
        Packet[] packets = new Packet[communicator.size()];
        Arrays.setAll(packets, rank -> new Packet());
        for (int node = 0; node < groups.number().length; node++) {
            if (groups.number()[node] != RankAggregates.NONE) {
                Packet packet = packets[owners[node]].put(groups.number()[node]).put(nodes.matrix().globals()[node]);
                for (int row : nodes.rows(level, node)) {
                    for (int v = 0; v < space.count(); v++) {
                        packet.put(Double.doubleToRawLongBits(space.vector(v)[row]));
                    }
                }
            }
        }
        Member[] members = members(communicator.exchange(bytes(packets)), width);
        long[] aggregates = Arrays.stream(members).mapToLong(Member::aggregate).distinct().toArray();
        double[][] coarse = new double[space.count()][aggregates.length * space.count()];
        orthogonalise(members, space.count(), coarse);
        byte[][] answers = communicator.exchange(answers(members, communicator.size()));
        RowBlock rows = rows(level, nodes, groups, owners, space.count(), answers);
        return new RankTentative(rows, rowsOf(aggregates, space.count()), coarse);
    }

    private static byte[][] bytes(Packet[] packets) {
        byte[][] messages = new byte[packets.length][];
        Arrays.setAll(messages, rank -> packets[rank].toBytes());
        return messages;
    }

    /** Reads members, and sorts them by aggregate and node. */
    private static Member[] members(byte[][] received, int width) {
        int bytes = (2 + width) * Long.BYTES;
        Member[] members = new Member[Arrays.stream(received).mapToInt(message -> message.length / bytes).sum()];
        int at = 0;
        for (int rank = 0; rank < received.length; rank++) {
            Packet packet = Packet.of(received[rank]);
            for (int order = 0; packet.hasMore(); order++) {
                long aggregate = packet.getLong();
                long node = packet.getLong();
                double[] values = new double[width];
                Arrays.setAll(values, i -> Double.longBitsToDouble(packet.getLong()));
                members[at++] = new Member(aggregate, node, rank, order, values);
            }
        }
        Arrays.sort(members, (left, right) -> left.aggregate() == right.aggregate()
                ? Long.compare(left.node(), right.node())
                : Long.compare(left.aggregate(), right.aggregate()));
        return members;
    }

    private static void orthogonalise(Member[] members, int count, double[][] coarse) {
        int group = 0;
        for (int from = 0; from < members.length; group++) {
            int to = from;
            while (to < members.length && members[to].aggregate() == members[from].aggregate()) {
                to++;
            }
            Member[] some = Arrays.copyOfRange(members, from, to);
            for (int v = 0; v < count; v++) {
                orthogonalise(some, count, v, coarse, group * count);
            }
            from = to;
        }
    }

    /** Makes a vector orthogonal to those before it; the triangular factor goes into the next level's vectors. */
    private static void orthogonalise(Member[] members, int count, int v, double[][] coarse, int base) {
        double before = dot(members, count, v, v);
        for (int u = 0; u < v; u++) {
            double along = dot(members, count, u, v);
            for (Member member : members) {
                for (int row = 0; row < member.values().length; row += count) {
                    member.values()[row + v] -= along * member.values()[row + u];
                }
            }
            coarse[v][base + u] = along;
        }
        double left = Math.sqrt(dot(members, count, v, v));
        boolean independent = left > DEPENDENT * Math.sqrt(before);
        for (Member member : members) {
            for (int at = v; at < member.values().length; at += count) {
                member.values()[at] = independent ? member.values()[at] / left : 0;
            }
        }
        coarse[v][base + v] = independent ? left : 0;
    }

    private static double dot(Member[] members, int count, int u, int v) {
        double sum = 0;
        for (Member member : members) {
            for (int row = 0; row < member.values().length; row += count) {
                sum += member.values()[row + u] * member.values()[row + v];
            }
        }
        return sum;
    }

    private static byte[][] answers(Member[] members, int ranks) {
        Member[] order = members.clone();
        Arrays.sort(order, (left, right) -> Integer.compare(left.order(), right.order()));
        Packet[] packets = new Packet[ranks];
        Arrays.setAll(packets, rank -> new Packet());
        for (Member member : order) {
            for (double value : member.values()) {
                packets[member.rank()].put(Double.doubleToRawLongBits(value));
            }
        }
        return bytes(packets);
    }

    /** Reads the rows of this rank, in its order of the level's rows. */
    private static RowBlock rows(PartitionedMatrix level, Nodes nodes, RankAggregates.Numbered groups, int[] owners,
            int count, byte[][] answers) {
        Packet[] packets = new Packet[answers.length];
        Arrays.setAll(packets, rank -> Packet.of(answers[rank]));
        double[][] found = new double[level.ownedRows()][];
        long[] first = new long[level.ownedRows()];
        for (int node = 0; node < groups.number().length; node++) {
            if (groups.number()[node] != RankAggregates.NONE) {
                Packet packet = packets[owners[node]];
                for (int row : nodes.rows(level, node)) {
                    found[row] = new double[count];
                    Arrays.setAll(found[row], v -> Double.longBitsToDouble(packet.getLong()));
                    first[row] = groups.number()[node] * count;
                }
            }
        }
        RowBlockBuilder builder = new RowBlockBuilder(level.precision(), found.length);
        for (int row = 0; row < found.length; row++) {
            for (int v = 0; v < count && found[row] != null; v++) {
                if (found[row][v] != 0) {
                    builder.add(first[row] + v, found[row][v]);
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
