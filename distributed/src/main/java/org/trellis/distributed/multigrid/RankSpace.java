package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.HostVector;
import org.trellis.solve.multigrid.NearNullSpace;

/**
 * The near null space over ranks: what each rank has of the vectors that coarse levels are to represent exactly, in the
 * local order of its rows ({@link org.trellis.solve.multigrid.NearNullSpace} is that of one rank). Unknowns of a node
 * follow one another globally, and belong to one rank.
 */
public final class RankSpace {
    private final int blockSize;
    private final double[][] vectors;

    private RankSpace(int blockSize, double[][] vectors) {
        this.blockSize = blockSize;
        this.vectors = vectors;
    }

    /**
     * Takes constants: a vector for each component of a node.
     *
     * @param matrix    the matrix
     * @param blockSize unknowns of a node; 1 for scalar problems
     * @return {@code blockSize} vectors
     * @throws IllegalArgumentException if the number of rows is no multiple of the block size
     */
    public static RankSpace constants(PartitionedMatrix matrix, int blockSize) {
        requireNodes(matrix, blockSize);
        double[][] vectors = new double[blockSize][matrix.ownedRows()];
        for (int row = 0; row < matrix.ownedRows(); row++) {
            vectors[(int) (matrix.rows().indices()[row] % blockSize)][row] = 1;
        }
        return new RankSpace(blockSize, vectors);
    }

    /**
     * Takes given vectors.
     *
     * @param matrix    the matrix
     * @param blockSize unknowns of a node; 1 for scalar problems
     * @param vectors   this rank's elements of at least one vector, in the local order of its rows; copied
     * @return the vectors
     * @throws IllegalArgumentException if there is none, their lengths are not that of the rank's rows, an element is
     *                                  not finite, or the number of rows is no multiple of the block size
     */
    public static RankSpace given(PartitionedMatrix matrix, int blockSize, double[]... vectors) {
        Checks.positive("number of vectors of the near null space", vectors.length);
        requireNodes(matrix, blockSize);
        double[][] copies = new double[vectors.length][];
        for (int v = 0; v < vectors.length; v++) {
            Checks.length("length of vector " + v + " of the near null space", vectors[v].length, matrix.ownedRows());
            copies[v] = vectors[v].clone();
            for (int row = 0; row < copies[v].length; row++) {
                if (!Double.isFinite(copies[v][row])) {
                    throw new IllegalArgumentException("near null space: row " + matrix.rows().indices()[row]
                            + " of vector " + v + " is " + copies[v][row] + ", expected a finite number");
                }
            }
        }
        return new RankSpace(blockSize, copies);
    }

    private static void requireNodes(PartitionedMatrix matrix, int blockSize) {
        Checks.positive("block size", blockSize);
        if (matrix.globalRows() % blockSize != 0) {
            throw new IllegalArgumentException("near null space of " + matrix.globalRows()
                    + " rows, expected a multiple of the " + blockSize + " unknowns of a node");
        }
    }

    /** Takes the vectors of a coarse level, whose nodes have an unknown for each vector. */
    static RankSpace coarse(double[][] vectors) {
        return new RankSpace(vectors.length, vectors);
    }

    /**
     * Divides vectors that one rank has. Collective.
     *
     * @param matrix the matrix
     * @param root   the rank that has them
     * @param whole  the vectors on that rank, or null there if there are none; ignored on others. Those of a matrix in
     *               single precision are rounded
     * @return this rank's part; null if there are none
     * @throws IllegalArgumentException if they have another length than the matrix
     */
    public static RankSpace spread(PartitionedMatrix matrix, int root, NearNullSpace whole) {
        boolean here = matrix.communicator().rank() == root;
        byte[] sizes = matrix.communicator().broadcast(root, here
                ? new Packet().put(whole == null ? 0 : whole.count()).put(whole == null ? 1 : whole.blockSize())
                        .toBytes()
                : new byte[0]);
        Packet packet = Packet.of(sizes);
        int count = packet.getInt();
        int blockSize = packet.getInt();
        if (count == 0) {
            return null;
        }
        double[][] vectors = new double[count][];
        for (int v = 0; v < count; v++) {
            int vector = v;
            HostVector all = here
                    ? HostVector.of(matrix.precision(), whole.rows(), row -> whole.get(vector, row))
                    : HostVector.zeros(matrix.precision(), 0);
            vectors[v] = matrix.spread(root, all).toDoubleArray();
        }
        return given(matrix, blockSize, vectors);
    }

    /**
     * Returns the number of unknowns of a node.
     *
     * @return at least 1
     */
    public int blockSize() {
        return blockSize;
    }

    /**
     * Returns the number of vectors.
     *
     * @return at least 1
     */
    public int count() {
        return vectors.length;
    }

    /** Returns a vector itself, not to be written. */
    double[] vector(int number) {
        return vectors[number];
    }

    @Override
    public String toString() {
        return vectors.length + " vectors of " + Arrays.stream(vectors).mapToInt(vector -> vector.length).max()
                .orElse(0) + " owned rows, " + blockSize + " to a node";
    }
}
