package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.IndexMap;

/**
 * What the nodes of this rank's aggregates have of the near null space, from whatever rank they came: made orthogonal
 * aggregate by aggregate, in the order of the nodes as on one rank.
 */
final class AggregateMembers {
    /** A vector that is left with less than this share of its length depends on those before it. */
    private static final double DEPENDENT = 1e-10;

    private final int count;
    private final int width;
    /** How many members came from each rank. */
    private final int[] sizes;
    /** The global index of the node of each member. */
    private final long[] nodes;
    /** Member by member in the order of arrival, row by row, vector by vector. */
    private final double[] values;
    private final long[] aggregates;
    /** Where the members of each aggregate start among the ordered ones. */
    private final int[] offsets;
    /** Members by aggregate and node. */
    private final int[] order;

    private AggregateMembers(byte[][] received, int blockSize, int count) {
        this.count = count;
        this.width = blockSize * count;
        this.sizes = new int[received.length];
        for (int rank = 0; rank < sizes.length; rank++) {
            sizes[rank] = received[rank].length / ((2 + width) * Long.BYTES);
        }
        int size = Arrays.stream(sizes).sum();
        this.nodes = new long[size];
        this.values = new double[size * width];
        long[] of = new long[size];
        read(received, of);
        IndexMap found = new IndexMap(size / 4);
        for (long aggregate : of) {
            found.add(aggregate);
        }
        this.aggregates = new long[found.size()];
        Arrays.setAll(aggregates, found::index);
        Arrays.sort(aggregates);
        int[] group = new int[aggregates.length];
        for (int i = 0; i < group.length; i++) {
            group[found.get(aggregates[i])] = i;
        }
        this.offsets = new int[group.length + 1];
        for (long aggregate : of) {
            offsets[group[found.get(aggregate)] + 1]++;
        }
        for (int i = 0; i < group.length; i++) {
            offsets[i + 1] += offsets[i];
        }
        this.order = new int[size];
        int[] at = offsets.clone();
        for (int member = 0; member < size; member++) {
            order[at[group[found.get(of[member])]]++] = member;
        }
    }

    private void read(byte[][] received, long[] of) {
        int member = 0;
        for (byte[] message : received) {
            Packet packet = Packet.of(message);
            for (; packet.hasMore(); member++) {
                of[member] = packet.getLong();
                nodes[member] = packet.getLong();
                for (int i = 0; i < width; i++) {
                    values[member * width + i] = Double.longBitsToDouble(packet.getLong());
                }
            }
        }
    }

    /**
     * Reads members.
     *
     * @param received  from each rank: of each node its aggregate, its global index and its values
     * @param blockSize unknowns of a node
     * @param count     vectors
     */
    static AggregateMembers of(byte[][] received, int blockSize, int count) {
        return new AggregateMembers(received, blockSize, count);
    }

    /** Returns the numbers of the aggregates, in order; not copied. */
    long[] aggregates() {
        return aggregates;
    }

    /** Makes the vectors of each aggregate orthonormal; returns the near null space of the next level. */
    double[][] orthogonalise() {
        double[][] coarse = new double[count][aggregates.length * count];
        for (int group = 0; group < aggregates.length; group++) {
            sort(offsets[group], offsets[group + 1]);
            for (int v = 0; v < count; v++) {
                orthogonalise(group, v, coarse);
            }
        }
        return coarse;
    }

    /** Sorts by node, by insertion: what comes from a rank is mostly in order. */
    private void sort(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int moved = order[i];
            int place = i - 1;
            while (place >= from && nodes[order[place]] > nodes[moved]) {
                order[place + 1] = order[place];
                place--;
            }
            order[place + 1] = moved;
        }
    }

    /** Makes a vector orthogonal to those before it; the triangular factor goes into the next level's vectors. */
    private void orthogonalise(int group, int v, double[][] coarse) {
        int base = group * count;
        double before = dot(group, v, v);
        for (int u = 0; u < v; u++) {
            double along = dot(group, u, v);
            for (int i = offsets[group]; i < offsets[group + 1]; i++) {
                int start = order[i] * width;
                for (int at = start; at < start + width; at += count) {
                    values[at + v] -= along * values[at + u];
                }
            }
            coarse[v][base + u] = along;
        }
        double left = Math.sqrt(dot(group, v, v));
        boolean independent = left > DEPENDENT * Math.sqrt(before);
        for (int i = offsets[group]; i < offsets[group + 1]; i++) {
            int start = order[i] * width;
            for (int at = start + v; at < start + width; at += count) {
                values[at] = independent ? values[at] / left : 0;
            }
        }
        coarse[v][base + v] = independent ? left : 0;
    }

    private double dot(int group, int u, int v) {
        double sum = 0;
        for (int i = offsets[group]; i < offsets[group + 1]; i++) {
            int start = order[i] * width;
            for (int at = start; at < start + width; at += count) {
                sum += values[at + u] * values[at + v];
            }
        }
        return sum;
    }

    /** Returns the values for each rank, in the order in which its nodes came. */
    byte[][] answers() {
        byte[][] messages = new byte[sizes.length][];
        int at = 0;
        for (int rank = 0; rank < sizes.length; rank++) {
            Packet packet = new Packet();
            for (int end = at + sizes[rank] * width; at < end; at++) {
                packet.put(Double.doubleToRawLongBits(values[at]));
            }
            messages[rank] = packet.toBytes();
        }
        return messages;
    }
}
