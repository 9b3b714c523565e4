package org.trellis.distributed.multigrid;

import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.memory.HostVector;

/**
 * The nodes of a level and the matrix of their couplings: the matrix itself for nodes of one unknown, else the
 * Frobenius norms of its blocks ({@link org.trellis.sparse.algebra.BlockNorms} over ranks).
 *
 * @param matrix    a row for each node
 * @param directory who owns the nodes
 * @param count     how many there are on all ranks
 * @param blockSize unknowns of a node
 */
record Nodes(LocalMatrix matrix, RowDirectory directory, long count, int blockSize) {
    /**
     * Makes the nodes of a level. Collective.
     *
     * @param level     its matrix
     * @param a         the same with local columns
     * @param blockSize unknowns of a node
     * @param tags      gives numbers to messages
     * @throws IllegalArgumentException if the unknowns of a node are on two ranks
     */
    static Nodes of(PartitionedMatrix level, LocalMatrix a, int blockSize, Communicator communicator, Tags tags) {
        if (blockSize == 1) {
            return new Nodes(a, level.directory(), level.globalRows(), 1);
        }
        PartitionedMatrix norms = PartitionedMatrix.ofRows(communicator, level.globalRows() / blockSize,
                norms(level, blockSize));
        return new Nodes(LocalMatrix.of(norms, communicator, tags.next()), norms.directory(), norms.globalRows(),
                blockSize);
    }

    private static RowBlock norms(PartitionedMatrix level, int blockSize) {
        RowBlock rows = level.rows();
        RowBlockBuilder squares = new RowBlockBuilder(rows.precision(), rows.rows() / blockSize);
        IndexMap done = new IndexMap(rows.rows() / blockSize);
        long[] nodes = new long[rows.nonZeros()];
        for (int k = 0; k < nodes.length; k++) {
            nodes[k] = rows.columns()[k] / blockSize;
        }
        ColumnNumbers numbers = ColumnNumbers.of(nodes);
        RowSums sums = new RowSums(numbers);
        for (int row = 0; row < rows.rows(); row++) {
            long node = rows.indices()[row] / blockSize;
            if (!done.add(node)) {
                continue;
            }
            for (int i = 0; i < blockSize; i++) {
                int place = place(level, node * blockSize + i);
                for (int k = rows.offsets()[place]; k < rows.offsets()[place + 1]; k++) {
                    double value = rows.values().get(k);
                    sums.add(numbers.of(0)[k], value * value);
                }
            }
            sums.endRow(squares, node);
        }
        RowBlock block = squares.build();
        HostVector roots = HostVector.of(block.precision(), block.nonZeros(),
                k -> Math.sqrt(block.values().get(k)));
        return new RowBlock(block.indices(), block.offsets(), block.columns(), roots);
    }

    private static int place(PartitionedMatrix level, long row) {
        int place = level.localIndex(row);
        if (place == IndexMap.ABSENT) {
            throw new IllegalArgumentException("row " + row + " is on another rank than others of its node, expected "
                    + "all unknowns of a node on one rank");
        }
        return place;
    }

    /** Returns the place of a row of an owned node. */
    int row(PartitionedMatrix level, int node, int component) {
        return blockSize == 1 ? node : level.localIndex(matrix.globals()[node] * blockSize + component);
    }
}
