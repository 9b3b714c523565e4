package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.OperatorMultigrid;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;

/**
 * The inverse of a small matrix that every rank has whole, such as the coarsest of multigrid: each solves all of it, as
 * one rank does, and keeps its own part. An application is one exchange.
 */
final class ReplicatedInverse extends CheckedOperator implements Smoother {
    private final Communicator communicator;
    private final Backend host;
    private final OperatorMultigrid inverse;
    private final ElementKernels elements;
    private final VectorSpace space;
    /** The global rows of each rank, in its local order. */
    private final int[][] places;
    private final HostVector own;
    private final HostVector right;
    private final HostVector solution;
    private final DenseVector result;

    /**
     * Brings the matrix to every rank. Collective.
     *
     * @param matrix  the matrix
     * @param backend where vectors are
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    ReplicatedInverse(PartitionedMatrix matrix, RankBackend backend) {
        this.communicator = matrix.communicator();
        this.elements = backend.elements();
        this.space = VectorSpace.of(matrix.ownedRows(), matrix.precision(), backend.device().space());
        this.own = HostVector.zeros(matrix.precision(), matrix.ownedRows());
        int rows = Checks.arrayLength("rows of a matrix that every rank has", matrix.globalRows());
        this.right = HostVector.zeros(matrix.precision(), rows);
        this.solution = HostVector.zeros(matrix.precision(), rows);
        this.places = new int[communicator.size()][];
        CsrMatrix whole = gather(matrix, rows);
        this.host = Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
        try {
            this.inverse = OperatorMultigrid.of(List.of(), whole, CycleOptions.V11, host);
        } catch (RuntimeException | Error e) {
            host.close();
            throw e;
        }
        this.result = backend.vector(matrix.precision(), matrix.ownedRows());
    }

    private byte[][] toAll(Packet packet) {
        byte[][] messages = new byte[communicator.size()][];
        Arrays.fill(messages, packet.toBytes());
        return communicator.exchange(messages);
    }

    private CsrMatrix gather(PartitionedMatrix matrix, int rows) {
        Packet packet = new Packet();
        for (int row = 0; row < matrix.ownedRows(); row++) {
            matrix.rows().write(row, packet);
        }
        byte[][] received = toAll(packet);
        RowBlockBuilder builder = new RowBlockBuilder(matrix.precision(), rows);
        int[] order = new int[rows];
        int next = 0;
        for (int rank = 0; rank < received.length; rank++) {
            RowBlockBuilder ofRank = new RowBlockBuilder(matrix.precision(), rows);
            RowBlock block = ofRank.addAll(Packet.of(received[rank])).build();
            places[rank] = Arrays.stream(block.indices()).mapToInt(Math::toIntExact).toArray();
            for (int row = 0; row < block.rows(); row++) {
                builder.addRow(block, row);
                order[places[rank][row]] = next++;
            }
        }
        RowBlock sorted = builder.build().select(order);
        return CsrMatrix.of(rows, rows, sorted.offsets(),
                Arrays.stream(sorted.columns(), 0, sorted.nonZeros()).mapToInt(Math::toIntExact).toArray(),
                sorted.values());
    }

    @Override
    public VectorSpace domain() {
        return space;
    }

    @Override
    public VectorSpace range() {
        return space;
    }

    @Override
    protected ElementKernels elements() {
        return elements;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        x.copyTo(own);
        byte[][] received = toAll(new Packet().put(own, 0, own.length()));
        for (int rank = 0; rank < received.length; rank++) {
            HostVector part = HostVector.zeros(right.precision(), places[rank].length);
            Packet.of(received[rank]).get(part, 0, part.length());
            for (int i = 0; i < part.length(); i++) {
                right.set(places[rank][i], part.get(i));
            }
        }
        inverse.apply(right, solution);
        int[] here = places[communicator.rank()];
        for (int i = 0; i < here.length; i++) {
            own.set(i, solution.get(here[i]));
        }
        result.copyFrom(own);
        elements.update(alpha, null, result, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        if (symmetric()) {
            run(alpha, x, beta, y);
        } else {
            super.runTransposed(alpha, x, beta, y);
        }
    }

    /** Solves: what the iterate was does not matter. */
    @Override
    public void sweep(DenseVector b, DenseVector x, SweepDirection direction) {
        apply(b, x);
    }

    @Override
    public List<PreparedStep> bindSweep(DenseVector b, DenseVector x, SweepDirection direction) {
        return bindApplication(b, x);
    }

    @Override
    public boolean symmetric() {
        return inverse.symmetric();
    }

    @Override
    public long storedBytes() {
        return inverse.storedBytes();
    }

    @Override
    public String describe() {
        return inverse.smoothersOfLevels().getLast() + " on every rank";
    }

    @Override
    protected void release() {
        result.close();
        inverse.close();
        host.close();
    }

    @Override
    public String toString() {
        return "inverse of all " + right.length() + " rows on every rank";
    }
}
