package org.trellis.sparse.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/** The algebra of backends whose memory is the host's, on the threads of the JVM's common pool. It has no state. */
public final class HostAlgebra implements MatrixAlgebra {
    /** The algebra. */
    public static final HostAlgebra COMMON = new HostAlgebra();

    private HostAlgebra() {}

    /** A matrix that is on the host already. */
    private record OnHost(CsrMatrix matrix) implements BackendMatrix {
        @Override
        public MemorySpace space() {
            return MemorySpace.HOST;
        }

        @Override
        public CsrMatrix toCsr() {
            return matrix;
        }

        @Override
        public int rows() {
            return matrix.rows();
        }

        @Override
        public int columns() {
            return matrix.columns();
        }

        @Override
        public long nonZeros() {
            return matrix.nonZeros();
        }

        @Override
        public Precision precision() {
            return matrix.precision();
        }

        @Override
        public void close() {
            // The garbage collector takes care of it.
        }

        @Override
        public String toString() {
            return matrix.toString();
        }
    }

    private static CsrMatrix host(BackendMatrix matrix) {
        if (matrix instanceof OnHost onHost) {
            return onHost.matrix;
        }
        throw new IllegalArgumentException(matrix + " is in the memory " + matrix.space() + ", expected a matrix of "
                + MemorySpace.HOST);
    }

    @Override
    @MustBeClosed
    public BackendMatrix upload(CsrMatrix matrix) {
        return new OnHost(matrix);
    }

    @Override
    @MustBeClosed
    public BackendMatrix diagonalMatrix(DenseVector diagonal) {
        if (!(diagonal instanceof HostVector host)) {
            throw new IllegalArgumentException("diagonal " + diagonal + ", expected a vector on the host");
        }
        int n = host.length();
        int[] offsets = new int[n + 1];
        Arrays.parallelSetAll(offsets, IntUnaryOperator.identity());
        return new OnHost(CsrMatrix.of(n, n, offsets, Arrays.copyOf(offsets, n), host.copy()));
    }

    @Override
    @MustBeClosed
    public BackendMatrix multiply(BackendMatrix a, BackendMatrix b) {
        return new OnHost(MatrixProduct.multiply(host(a), host(b)));
    }

    @Override
    @MustBeClosed
    public BackendMatrix multiplyAgain(BackendMatrix structure, BackendMatrix a, BackendMatrix b) {
        return new OnHost(MatrixProduct.again(host(structure), host(a), host(b)));
    }

    @Override
    @MustBeClosed
    public BackendMatrix transpose(BackendMatrix a) {
        return new OnHost(host(a).transpose());
    }

    @Override
    @MustBeClosed
    public BackendMatrix combine(double alpha, BackendMatrix a, double beta, BackendMatrix b) {
        return new OnHost(host(a).combine(alpha, host(b), beta));
    }

    @Override
    @MustBeClosed
    public BackendMatrix scaleRows(BackendMatrix a, DenseVector factors) {
        return new OnHost(host(a).scaleRows(fitting(a, "factors", factors)));
    }

    @Override
    @MustBeClosed
    public BackendMatrix toPrecision(BackendMatrix a, Precision precision) {
        return new OnHost(host(a).toPrecision(precision));
    }

    @Override
    @MustBeClosed
    public BackendMatrix dropSmall(BackendMatrix a, double least) {
        return new OnHost(host(a).filter((row, column, value) -> row == column || Math.abs(value) >= least));
    }

    @Override
    @MustBeClosed
    public BackendMatrix submatrix(BackendMatrix a, int fromRow, int toRow, int fromColumn, int toColumn) {
        return new OnHost(host(a).submatrix(fromRow, toRow, fromColumn, toColumn));
    }

    @Override
    public void diagonal(BackendMatrix a, DenseVector diagonal) {
        if (a.rows() != a.columns()) {
            throw new IllegalArgumentException("diagonal of " + a + ", expected a square matrix");
        }
        fitting(a, "diagonal", diagonal).copyFrom(host(a).diagonal());
    }

    @Override
    public boolean isSymmetric(BackendMatrix a, double tolerance) {
        CsrMatrix matrix = host(a);
        return tolerance < 0
                ? matrix.equals(MatrixGraphs.symmetric(matrix))
                : MatrixGraphs.firstAsymmetry(matrix, tolerance).isEmpty();
    }

    @Override
    public boolean isFinite(BackendMatrix a) {
        return Double.isFinite(MatrixNorms.max(host(a)));
    }

    @Override
    public int invertDiagonal(BackendMatrix a, double factor, DenseVector inverse) {
        diagonal(a, inverse);
        HostVector host = (HostVector) inverse;
        return invert(host::get, factor, host);
    }

    @Override
    public int invertRowSums(BackendMatrix a, double factor, DenseVector inverse) {
        diagonal(a, inverse);
        HostVector host = (HostVector) inverse;
        CsrRowCursor rows = new CsrRowCursor(a.toCsr());
        return invert(row -> {
            rows.moveTo(row);
            double sum = 0;
            for (int k = rows.start(); k < rows.end(); k++) {
                sum += Math.abs(rows.value(k));
            }
            return Math.copySign(sum, host.get(row));
        }, factor, host);
    }

    private static int invert(IntToDoubleFunction elements, double factor, HostVector host) {
        int bad = -1;
        for (int row = host.length() - 1; row >= 0; row--) {
            host.set(row, 1 / elements.applyAsDouble(row));
            bad = !Double.isFinite(host.get(row)) || host.get(row) == 0 ? row : bad;
            host.set(row, factor * host.get(row));
        }
        return bad;
    }

    private static HostVector fitting(BackendMatrix a, String name, DenseVector vector) {
        if (vector instanceof HostVector host && host.length() == a.rows() && host.precision() == a.precision()) {
            return host;
        }
        throw new IllegalArgumentException(
                name + " for " + a + ": " + vector + ", expected " + a.rows() + " elements of "
                        + a.precision().label() + " on the host");
    }
}
