package org.trellis.bench.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowRanges;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.sparse.CsrMatrix;

/** Loads matrices on rank 0 and divides them, while the other ranks know that this takes its time. */
public final class RankMatrices {
    private static final double TOLERANCE = 1.05;

    private RankMatrices() {}

    /**
     * Loads a matrix on rank 0. Collective: the others hear again and again that rank 0 is at work, so that a long
     * load does not look like a rank that has gone.
     *
     * @param communicator the ranks
     * @param source       the matrix
     * @param progress     receives how far it is, on rank 0
     * @return the matrix in double precision on rank 0, null on others
     * @throws UncheckedIOException if it cannot be read
     */
    public static CsrMatrix load(Communicator communicator, MatrixSource source, ProgressListener progress) {
        if (communicator.rank() > 0) {
            Heartbeat.follow(communicator);
            return null;
        }
        Heartbeat heartbeat = new Heartbeat(communicator, progress);
        try {
            CsrMatrix matrix = source.load(heartbeat);
            heartbeat.end();
            return matrix;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Divides a matrix. Collective.
     *
     * @param communicator the ranks
     * @param whole        the matrix on rank 0, ignored on others
     * @param partitioner  how, or null for blocks of rows
     * @return the partitioned matrix
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static PartitionedMatrix divide(Communicator communicator, CsrMatrix whole, Partitioner partitioner) {
        boolean hasIt = communicator.rank() == 0;
        PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole,
                hasIt ? blocks(whole.rows(), communicator.size()) : null);
        return partitioner == null || communicator.size() == 1 ? matrix : matrix.repartition(partitioner, TOLERANCE);
    }

    /**
     * Divides a matrix as a job says. Collective.
     *
     * @param communicator the ranks
     * @param whole        the matrix on rank 0, ignored on others
     * @param job          says how
     * @return the partitioned matrix
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static PartitionedMatrix divide(Communicator communicator, CsrMatrix whole, RankJob job) {
        Optional<ParallelPartitioner> together = job.together();
        if (together.isEmpty()) {
            return divide(communicator, whole, job.division());
        }
        PartitionedMatrix blocks = divide(communicator, whole, (Partitioner) null);
        return communicator.size() == 1 ? blocks : blocks.repartition(together.get(), TOLERANCE);
    }

    /**
     * Divides a matrix whose unknowns come in nodes, of which none is divided: its rows go where the first of them
     * goes. Collective.
     *
     * @param communicator the ranks
     * @param whole        the matrix on rank 0, ignored on others
     * @param job          says how
     * @param blockSize    unknowns of a node, which follow one another
     * @return the partitioned matrix
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static PartitionedMatrix divide(Communicator communicator, CsrMatrix whole, RankJob job, int blockSize) {
        PartitionedMatrix matrix = divide(communicator, whole, job);
        if (blockSize == 1) {
            return matrix;
        }
        long[] first = Arrays.stream(matrix.rows().indices()).map(row -> row - row % blockSize).toArray();
        return matrix.redistribute(matrix.directory().find(first).owners());
    }

    private static Partition blocks(int rows, int parts) {
        RowRanges ranges = new RowRanges(rows, parts);
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, ranges::blockOf);
        return new Partition(partOf, parts);
    }
}
