package org.trellis.bench.adapters.direct;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.interfaces.linsol.LinearSolverSparse;
import org.ejml.sparse.FillReducing;
import org.ejml.sparse.csc.decomposition.qr.QrLeftLookingDecomposition_DSCC;
import org.ejml.sparse.csc.factory.LinearSolverFactory_DSCC;
import org.ejml.sparse.csc.linsol.qr.LinearSolverQrLeftLooking_DSCC;
import org.trellis.backend.Availability;
import org.trellis.bench.adapters.Libraries;
import org.trellis.bench.adapters.Versions;
import org.trellis.bench.direct.DirectFactors;
import org.trellis.bench.direct.DirectPeer;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** EJML's LU and QR factorisations, which have no order that reduces fill. */
public final class EjmlDirectPeer implements DirectPeer {
    /** Creates the adapter. */
    public EjmlDirectPeer() {}

    @Override
    public String name() {
        return "ejml";
    }

    @Override
    public Availability probe() {
        return Libraries.probe("EJML " + Versions.of("ejml"), "org.ejml.sparse.csc.factory.LinearSolverFactory_DSCC");
    }

    @Override
    @MustBeClosed
    public DirectFactors open(CsrMatrix matrix) {
        return new Ejml(matrix);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // returned
    public Optional<DirectFactors> openLeastSquares(CsrMatrix matrix) {
        return matrix.rows() < matrix.columns() ? Optional.empty() : Optional.of(new EjmlQr(matrix));
    }

    static DMatrixSparseCSC columns(CsrMatrix given) {
        CsrSegment columns = given.transpose().onlySegment();
        DMatrixSparseCSC matrix = new DMatrixSparseCSC(given.rows(), given.columns(), columns.nonZeros());
        System.arraycopy(columns.rowOffsets(), 0, matrix.col_idx, 0, given.columns() + 1);
        System.arraycopy(columns.columnIndices(), 0, matrix.nz_rows, 0, columns.nonZeros());
        for (int k = 0; k < columns.nonZeros(); k++) {
            matrix.nz_values[k] = columns.values().get(k);
        }
        matrix.nz_length = columns.nonZeros();
        matrix.indicesSorted = true;
        return matrix;
    }

    private static void take(DMatrixSparseCSC matrix, CsrMatrix values) {
        double[] taken = values.transpose().onlySegment().values().doubleStorage();
        System.arraycopy(taken, 0, matrix.nz_values, 0, matrix.nz_length);
    }

    /** EJML's left-looking QR factorisation, which has no order that reduces fill either. */
    private static final class EjmlQr implements DirectFactors {
        private final DMatrixSparseCSC matrix;
        private LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver;

        EjmlQr(CsrMatrix given) {
            matrix = columns(given);
        }

        @Override
        public String solver() {
            return "ejml qr";
        }

        @Override
        public void analyse() {
            solver = LinearSolverFactory_DSCC.qr(FillReducing.NONE);
        }

        @Override
        public void factorise() {
            if (!solver.setA(matrix)) {
                throw new IllegalStateException("EJML finds the columns dependent");
            }
        }

        @Override
        public void take(CsrMatrix values) {
            EjmlDirectPeer.take(matrix, values);
        }

        @Override
        public boolean refactorise() {
            return false;
        }

        @Override
        public void solve(double[] x) {
            DMatrixRMaj b = new DMatrixRMaj(matrix.numRows, 1, true, Arrays.copyOf(x, matrix.numRows));
            DMatrixRMaj result = new DMatrixRMaj(matrix.numCols, 1);
            solver.solve(b, result);
            System.arraycopy(result.data, 0, x, 0, matrix.numCols);
        }

        @Override
        public Size size() {
            long nonZeros = 0;
            if (solver instanceof LinearSolverQrLeftLooking_DSCC qr
                    && qr.getDecomposition() instanceof QrLeftLookingDecomposition_DSCC factors) {
                nonZeros = (long) factors.getR().nz_length + factors.getV().nz_length;
            }
            return new Size("natural", "none", nonZeros, Double.NaN);
        }

        @Override
        public void close() {}
    }

    private static final class Ejml implements DirectFactors {
        private final DMatrixSparseCSC matrix;
        private LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj> solver;

        Ejml(CsrMatrix given) {
            matrix = columns(given);
        }

        @Override
        public String solver() {
            return "ejml";
        }

        @Override
        public void analyse() {
            solver = LinearSolverFactory_DSCC.lu(FillReducing.NONE);
        }

        @Override
        public void factorise() {
            if (!solver.setA(matrix)) {
                throw new IllegalStateException("EJML finds the matrix singular");
            }
        }

        @Override
        public void take(CsrMatrix values) {
            EjmlDirectPeer.take(matrix, values);
        }

        @Override
        public boolean refactorise() {
            return false;
        }

        @Override
        public void solve(double[] x) {
            DMatrixRMaj b = new DMatrixRMaj(x.length, 1, true, x.clone());
            DMatrixRMaj result = new DMatrixRMaj(x.length, 1);
            solver.solve(b, result);
            System.arraycopy(result.data, 0, x, 0, x.length);
        }

        @Override
        public Size size() {
            long nonZeros = 0;
            if (solver instanceof org.ejml.sparse.csc.linsol.lu.LinearSolverLu_DSCC lu) {
                org.ejml.sparse.csc.decomposition.lu.LuUpLooking_DSCC factors = lu.getDecomposition();
                nonZeros = (long) factors.getL().nz_length + factors.getU().nz_length - matrix.numRows;
            }
            return new Size("natural", "none", nonZeros, Double.NaN);
        }

        @Override
        public void close() {}
    }
}
