package org.trellis.distributed.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.fem.FormRanks;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.LinearOperator;

/** The rows of a form as a partitioned matrix, whose product and preconditioners are those of any other. */
final class RankMatrix implements FormRanks.Rows {
    private final Communicator group;
    private final FormRanks.Numbers numbers;
    private final CsrMatrix structure;
    private final RankBackend backend;
    private final Product product;
    private PartitionedMatrix matrix;
    private HaloPlan plan;
    private PartitionedOperator now;

    @MustBeClosed
    RankMatrix(Communicator group, FormRanks.Numbers numbers, CsrMatrix rows, RankBackend backend) {
        this.group = group;
        this.numbers = numbers;
        this.structure = rows;
        this.backend = backend;
        take(rows);
        this.product = new Product();
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void take(CsrMatrix rows) {
        matrix = PartitionedMatrix.ofLocal(group, numbers.total(), rows,
                Arrays.stream(numbers.numbers()).asLongStream().toArray());
        plan = HaloPlan.of(matrix, 1, backend.own());
        now = new PartitionedOperator(plan, backend);
    }

    @Override
    public LinearOperator operator() {
        return product;
    }

    @Override
    public void refill(HostVector values) {
        release();
        take(CsrMatrix.of(structure.rows(), structure.columns(), structure.onlySegment().rowOffsets(),
                structure.onlySegment().columnIndices(), values));
    }

    @Override
    public Preconditioner preconditioner(String name, Map<String, String> options, NearNullSpace space) {
        SolverConfig usual = SolverConfig.of("gmres", name);
        SolverConfig stack = new SolverConfig(usual.method(), usual.methodOptions(), name, options, usual.criteria(),
                false, false);
        return PartitionedSolver.preconditioner(stack, matrix, backend, RingChoice.of(1), space(space));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with what is returned
    public Smoother multigrid(Map<String, String> options, NearNullSpace space) {
        return new RankCorrection(product, RankMultigrid.of(matrix, space(space),
                RankMultigridOptions.parse(options, RingChoice.of(1)), backend.own()), backend);
    }

    /** Picks the rank's part of vectors over all unknowns. */
    private RankSpace space(NearNullSpace whole) {
        if (whole == null) {
            return null;
        }
        double[][] vectors = new double[whole.count()][numbers.owned()];
        for (int v = 0; v < vectors.length; v++) {
            int vector = v;
            Arrays.setAll(vectors[v], k -> rounded(whole.get(vector, numbers.numbers()[k])));
        }
        return RankSpace.given(matrix, whole.blockSize(), vectors);
    }

    private double rounded(double value) {
        return matrix.precision() == Precision.F64 ? value : (float) value;
    }

    private void release() {
        now.close();
        plan.close();
    }

    @Override
    public void close() {
        product.close();
        release();
        group.close();
    }

    /** The product with the values of now. */
    private final class Product extends CheckedOperator {
        private final VectorSpace space = now.domain();

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
            return backend.kernels(ElementKernels.class);
        }

        @Override
        protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
            now.apply(alpha, x, beta, y);
        }

        @Override
        protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
            now.applyTransposed(alpha, x, beta, y);
        }

        @Override
        protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
                DenseVector result, int at) {
            now.multiplyAndDot(alpha, x, beta, y, w, result, at);
        }

        @Override
        public Optional<HostVector> diagonal() {
            return Optional.of(PartitionedOperator.diagonal(matrix).onlySegment().values());
        }

        @Override
        protected void release() {
            // closed with the matrix
        }

        @Override
        public String toString() {
            return now.toString();
        }
    }
}
