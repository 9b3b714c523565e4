package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.ElementKernels;

/**
 * The inverse by a factorisation of the whole matrix, which the first rank's host has alone. Each application brings
 * the vector there and the result back, in some exchanges: for small matrices that nothing less solves.
 */
final class RedundantDirectSolver extends CheckedOperator implements Preconditioner {
    private final PartitionedMatrix matrix;
    private final PartitionedMatrix gathered;
    private final RankBackend host;
    private final RankSchwarz inverse;
    private final ElementKernels elements;
    private final VectorSpace space;
    private final HostVector onHost;
    private final DenseVector result;

    /**
     * Factorises. Collective.
     *
     * @param matrix  the matrix
     * @param backend where vectors are
     * @param limits  what the factorisation may take
     * @throws org.trellis.solve.direct.FactorisationException if the matrix is singular or a limit is reached, on all
     *                                                         ranks
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    RedundantDirectSolver(PartitionedMatrix matrix, RankBackend backend, FactorLimits limits) {
        this.matrix = matrix;
        this.gathered = matrix.redistribute(new int[matrix.ownedRows()]);
        Backend own = Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
        this.host = new RankBackend(matrix.communicator(), own);
        try {
            this.inverse = RankSchwarz.factorised(gathered, host, limits);
        } catch (RuntimeException | Error e) {
            host.close();
            throw e;
        }
        this.elements = backend.elements();
        this.space = VectorSpace.of(matrix.ownedRows(), matrix.precision(), backend.device().space());
        this.onHost = HostVector.zeros(matrix.precision(), matrix.ownedRows());
        this.result = backend.vector(matrix.precision(), matrix.ownedRows());
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
        x.copyTo(onHost);
        HostVector right = gathered.bring(matrix, onHost);
        HostVector solution = HostVector.zeros(right.precision(), right.length());
        inverse.apply(right, solution);
        result.copyFrom(matrix.bring(gathered, solution));
        elements.update(alpha, null, result, beta, y);
    }

    @Override
    protected void release() {
        result.close();
        inverse.close();
        host.close();
    }

    @Override
    public String toString() {
        return "factorisation of all " + matrix.globalRows() + " rows on the first rank";
    }
}
