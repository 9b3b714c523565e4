package org.trellis.distributed.solve;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.solve.krylov.NodeBlocks;

/**
 * Finds out over ranks what the choice of a method depends on, the same on all: each entry whose mirror image is
 * another rank's is sent there and compared. Costs a pass over the rows, two exchanges and two reductions.
 */
final class RankProperties {
    private final PartitionedMatrix matrix;
    private final RowBlock rows;
    private final double[] values;
    private final double tolerance;

    private RankProperties(PartitionedMatrix matrix) {
        this.matrix = matrix;
        this.rows = matrix.rows();
        this.values = rows.values().toDoubleArray();
        this.tolerance = MatrixProperties.tolerance(matrix.precision());
    }

    /**
     * Looks at a matrix. Collective.
     *
     * @param matrix           the matrix
     * @param hasNearNullSpace whether that is given, on all ranks alike
     * @param onHost           whether this rank's vectors are on the host
     */
    static MatrixProperties of(PartitionedMatrix matrix, boolean hasNearNullSpace, boolean onHost) {
        RankProperties here = new RankProperties(matrix);
        Communicator communicator = matrix.communicator();
        boolean broken = !here.isSymmetricHere();
        broken |= !here.isSymmetricAcross();
        long[] least = {broken ? 0 : 1, here.firstNonPositive(), onHost ? 1 : 0};
        communicator.allReduce(Reduction.MIN, least);
        MatrixProperties.Couplings couplings = here.couplings();
        communicator.allReduce(Reduction.SUM, couplings.sums());
        boolean asked = least[0] == 1 && least[1] == Long.MAX_VALUE && !hasNearNullSpace
                && matrix.globalRows() >= MatrixProperties.LEAST_MULTIGRID;
        return new MatrixProperties(matrix.globalRows(), matrix.globalRows(), least[0] == 1,
                least[1] == Long.MAX_VALUE ? -1 : least[1], couplings.elliptic(), hasNearNullSpace, least[2] == 1,
                asked ? here.blockSize() : 1);
    }

    /** Finds the unknowns of a node if no node is divided between ranks. Collective. */
    private int blockSize() {
        for (int size : NodeBlocks.sizes()) {
            if (matrix.globalRows() % size == 0) {
                NodeBlocks blocks = blocks(size);
                for (double[] sums : blocks.sums()) {
                    matrix.communicator().allReduce(Reduction.SUM, sums);
                }
                if (blocks.found()) {
                    return size;
                }
            }
        }
        return 1;
    }

    private NodeBlocks blocks(int size) {
        NodeBlocks blocks = new NodeBlocks(size);
        Set<Long> seen = new HashSet<>();
        long[] globals = rows.indices();
        int[] order = IntStream.range(0, rows.rows()).boxed().sorted(Comparator.comparingLong(i -> globals[i]))
                .mapToInt(Integer::intValue).toArray();
        int begin = 0;
        while (begin < order.length) {
            long node = globals[order[begin]] / size;
            int end = begin;
            seen.clear();
            while (end < order.length && globals[order[end]] / size == node) {
                int row = order[end++];
                for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                    long column = rows.columns()[k];
                    blocks.add(globals[row], column, values[k], seen.add(column / size));
                }
            }
            blocks.addDivided(end - begin == size ? 0 : end - begin);
            begin = end;
        }
        return blocks;
    }

    /** Returns the value of an entry of an own row, 0 if there is none. */
    private double value(int row, long column) {
        int at = Arrays.binarySearch(rows.columns(), rows.offsets()[row], rows.offsets()[row + 1], column);
        return at < 0 ? 0 : values[at];
    }

    private boolean isClose(double one, double other) {
        return one == other || Math.abs(one - other) <= tolerance * Math.max(Math.abs(one), Math.abs(other));
    }

    /** Compares entries whose mirror images are on this rank. */
    private boolean isSymmetricHere() {
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                int mirror = matrix.localIndex(rows.columns()[k]);
                if (mirror >= 0 && !isClose(values[k], value(mirror, rows.indices()[row]))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Sends the others to the ranks that have their mirror images, and compares what comes. */
    private boolean isSymmetricAcross() {
        long[] foreign =
                Arrays.stream(rows.columns(), 0, rows.nonZeros()).filter(c -> matrix.localIndex(c) < 0).toArray();
        RowDirectory.Locations where = matrix.directory().find(foreign);
        Communicator communicator = matrix.communicator();
        Packet[] packets = new Packet[communicator.size()];
        int next = 0;
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                if (matrix.localIndex(rows.columns()[k]) < 0) {
                    RowDirectory.packetFor(packets, where.owners()[next]).put(where.places()[next])
                            .put(rows.indices()[row]).put(Double.doubleToRawLongBits(values[k]));
                    next++;
                }
            }
        }
        boolean all = true;
        for (byte[] message : communicator.exchange(RowDirectory.bytes(packets))) {
            Packet packet = Packet.of(message);
            while (packet.hasMore()) {
                int row = packet.getInt();
                double mine = value(row, packet.getLong());
                all &= isClose(mine, Double.longBitsToDouble(packet.getLong()));
            }
        }
        return all;
    }

    /** Returns the least global row of this rank whose diagonal element is not positive. */
    private long firstNonPositive() {
        long first = Long.MAX_VALUE;
        for (int row = 0; row < rows.rows(); row++) {
            if (!(value(row, rows.indices()[row]) > 0)) {
                first = Math.min(first, rows.indices()[row]);
            }
        }
        return first;
    }

    private MatrixProperties.Couplings couplings() {
        MatrixProperties.Couplings sums = new MatrixProperties.Couplings();
        for (int row = 0; row < rows.rows(); row++) {
            for (int k = rows.offsets()[row]; k < rows.offsets()[row + 1]; k++) {
                sums.add(rows.columns()[k] == rows.indices()[row], values[k]);
            }
        }
        return sums;
    }
}
