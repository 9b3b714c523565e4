package org.trellis.bench.adapters.direct;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.interfaces.linsol.LinearSolverSparse;
import org.ejml.sparse.csc.decomposition.chol.CholeskyUpLooking_DSCC;
import org.ejml.sparse.csc.linsol.chol.LinearSolverCholesky_DSCC;
import org.trellis.backend.Availability;
import org.trellis.bench.direct.DirectFactors;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.common.Permutation;
import org.trellis.solve.direct.FillReduction;
import org.trellis.sparse.CsrMatrix;

/**
 * EJML's Cholesky factorisation of matrices that are brought into Trellis' minimum degree order before, since EJML has
 * no order that reduces fill.
 */
public final class EjmlCholeskyPeer implements DirectPeer {
    /** Creates the adapter. */
    public EjmlCholeskyPeer() {}

    @Override
    public String name() {
        return "ejml-cholesky";
    }

    @Override
    public Availability probe() {
        return new EjmlDirectPeer().probe();
    }

    @Override
    public Optional<String> objection(CsrMatrix matrix, boolean symmetric) {
        return symmetric ? Optional.empty() : Optional.of("the matrix is not symmetric");
    }

    @Override
    @MustBeClosed
    public DirectFactors open(CsrMatrix matrix) {
        return new EjmlCholesky(matrix);
    }

    private static final class EjmlCholesky implements DirectFactors {
        private CsrMatrix given;
        private Permutation order;
        private DMatrixSparseCSC matrix;
        private CholeskyUpLooking_DSCC decomposition;
        private LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver;

        EjmlCholesky(CsrMatrix given) {
            this.given = given;
        }

        @Override
        public String solver() {
            return "ejml cholesky";
        }

        @Override
        public void analyse() {
            order = FillReduction.MINIMUM_DEGREE.order(given);
            matrix = EjmlDirectPeer.columns(given.permute(order, order));
            decomposition = new CholeskyUpLooking_DSCC();
            solver = new LinearSolverCholesky_DSCC(decomposition, null);
        }

        @Override
        public void factorise() {
            if (!solver.setA(matrix)) {
                throw new IllegalStateException("EJML finds the matrix not positive definite");
            }
        }

        @Override
        public void take(CsrMatrix values) {
            given = values;
            matrix = EjmlDirectPeer.columns(given.permute(order, order));
        }

        @Override
        public boolean refactorise() {
            return false;
        }

        @Override
        public void solve(double[] x) {
            DMatrixRMaj b = new DMatrixRMaj(x.length, 1);
            for (int i = 0; i < x.length; i++) {
                b.data[order.newIndex(i)] = x[i];
            }
            DMatrixRMaj result = new DMatrixRMaj(x.length, 1);
            solver.solve(b, result);
            for (int i = 0; i < x.length; i++) {
                x[i] = result.data[order.newIndex(i)];
            }
        }

        @Override
        public Size size() {
            return new Size("trellis minimum-degree", "none", decomposition.getL().nz_length, Double.NaN);
        }

        @Override
        public void close() {}
    }
}
