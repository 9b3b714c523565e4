package org.trellis.solve.smooth;

import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import org.trellis.backend.Backend;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.sparse.algebra.MatrixNorms;

/**
 * What smoothers are made of: a matrix, where they run, and the product of the matrix, which is prepared at the first
 * use unless it is given.
 */
final class SmootherContext implements AutoCloseable {
    /** Roundings by which values of a matrix that is called symmetric may differ. */
    private static final int ROUNDINGS = 16;
    private static final int ROWS_PER_TASK = 1 << 13;

    private final SparseMatrix matrix;
    private final Backend backend;
    private final String name;
    private final boolean given;
    private LinearOperator product;
    private Boolean symmetric;

    /**
     * Creates an input.
     *
     * @param name    what is made of it, for messages
     * @param matrix  a square matrix
     * @param product its product on the backend, not closed with this; or null
     * @param backend where the smoother runs
     */
    SmootherContext(String name, SparseMatrix matrix, LinearOperator product, Backend backend) {
        this.name = name;
        this.matrix = Objects.requireNonNull(matrix);
        this.backend = Objects.requireNonNull(backend);
        this.given = product != null;
        this.product = product;
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException(name + " of " + matrix + ", expected a square matrix");
        }
    }

    String name() {
        return name;
    }

    /** Returns the matrix on the host. */
    CsrMatrix matrix() {
        return matrix.toCsr();
    }

    private MatrixAlgebra algebra() {
        return backend.kernels(MatrixAlgebra.class);
    }

    int rows() {
        return matrix.rows();
    }

    Precision precision() {
        return matrix.precision();
    }

    Backend backend() {
        return backend;
    }

    SmootherKernels kernels() {
        return backend.kernels(SmootherKernels.class);
    }

    VectorSpace space() {
        return given ? product.range() : VectorSpace.of(rows(), precision(), backend.device().space());
    }

    /** Returns the product, and prepares it now if nothing has. */
    @SuppressWarnings("MustBeClosed") // closed with this, or by the caller
    LinearOperator product() {
        if (product == null) {
            product = backend.kernels(SparseKernels.class).prepare(matrix);
        }
        return product;
    }

    /** Takes for granted that the matrix equals its transpose but for rounding. */
    void assumeSymmetric() {
        symmetric = true;
    }

    /** Says whether the matrix equals its transpose but for rounding. */
    boolean symmetric() {
        if (symmetric == null) {
            double tolerance = ROUNDINGS * precision().unitRoundoff();
            symmetric = matrix instanceof BackendMatrix there
                    ? algebra().isSymmetric(there, tolerance)
                    : MatrixGraphs.firstAsymmetry(matrix(), tolerance).isEmpty();
        }
        return symmetric;
    }

    /** Refuses a matrix that is not symmetric. */
    void requireSymmetric() {
        if (symmetric()) {
            return;
        }
        MatrixGraphs.firstAsymmetry(matrix(), ROUNDINGS * precision().unitRoundoff()).ifPresent(row -> {
            throw new IllegalArgumentException(name + " of " + matrix + ": row " + row + " has an entry that differs"
                    + " from its mirror image, expected a symmetric matrix; ilu0, gauss-seidel and spai0 take others");
        });
    }

    /** Refuses values that are not finite. */
    void requireFinite() {
        boolean finite = matrix instanceof BackendMatrix there
                ? algebra().isFinite(there)
                : Double.isFinite(MatrixNorms.max(matrix()));
        if (finite) {
            return;
        }
        matrix.forEachEntry((row, column, value) -> {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException(name + " of " + matrix + ": entry (" + row + ", " + column + ") is "
                        + value + ", expected finite numbers");
            }
        });
    }

    /** Returns the inverses of the diagonal elements; refuses what has none. */
    HostVector inverseDiagonal() {
        HostVector inverse = matrix().diagonal();
        int wrong = ParallelRanges.first(rows(), ROWS_PER_TASK, row -> {
            inverse.set(row, 1 / inverse.get(row));
            return !invertible(inverse.get(row));
        });
        if (wrong >= 0) {
            throw notInvertible("diagonal element", wrong, matrix().get(wrong, wrong));
        }
        return inverse;
    }

    /** Makes the inverses of the diagonal elements times a factor on the backend; the caller closes the vector. */
    @SuppressWarnings("MustBeClosed") // returned
    DenseVector uploadInverseDiagonal(double factor) {
        return uploadInverse((there, inverse) -> algebra().invertDiagonal(there, factor, inverse), factor,
                this::inverseDiagonal);
    }

    /** The same for the sums of the absolute values of rows, with the signs of the diagonal. */
    @SuppressWarnings("MustBeClosed") // returned
    DenseVector uploadInverseRowSums(double factor) {
        return uploadInverse((there, inverse) -> algebra().invertRowSums(there, factor, inverse), factor, () -> {
            HostVector diagonal = matrix().diagonal();
            CsrRowCursor cursor = new CsrRowCursor(matrix());
            return inverted(row -> {
                cursor.moveTo(row);
                double sum = 0;
                for (int k = cursor.start(); k < cursor.end(); k++) {
                    sum += Math.abs(cursor.value(k));
                }
                return Math.copySign(sum, diagonal.get(row));
            }, "sum of the absolute values");
        });
    }

    /** Makes inverses where the matrix is, or on the host, which says which row has none. */
    @SuppressWarnings("MustBeClosed") // returned, or closed here
    private DenseVector uploadInverse(ToIntBiFunction<BackendMatrix, DenseVector> making, double factor,
            Supplier<HostVector> onHost) {
        if (matrix instanceof BackendMatrix there) {
            DenseVector inverse = backend.vector(precision(), rows());
            if (making.applyAsInt(there, inverse) < 0) {
                return inverse;
            }
            inverse.close();
        }
        HostVector host = onHost.get();
        for (int i = 0; factor != 1 && i < host.length(); i++) {
            host.set(i, factor * host.get(i));
        }
        return upload(host);
    }

    /** Returns the inverses of numbers, one for each row; refuses what has none. */
    HostVector inverted(IntToDoubleFunction numbers, String what) {
        HostVector inverse = HostVector.zeros(precision(), rows());
        for (int row = 0; row < rows(); row++) {
            double element = numbers.applyAsDouble(row);
            inverse.set(row, 1 / element);
            if (!invertible(inverse.get(row))) {
                throw notInvertible(what, row, element);
            }
        }
        return inverse;
    }

    private static boolean invertible(double inverse) {
        return Double.isFinite(inverse) && inverse != 0;
    }

    private FactorisationException notInvertible(String what, int row, double element) {
        return new FactorisationException(name + " of " + matrix + ": " + what + " of row " + row + " is " + element
                + ", expected a finite number whose inverse is a finite " + precision().label()
                + " number; rows in another order, or direct solution, may help", row, element);
    }

    /** Copies a vector to the backend; the caller closes it. */
    @SuppressWarnings("MustBeClosed") // closed with this, or by the caller
    DenseVector upload(HostVector vector) {
        DenseVector onDevice = backend.vector(vector.precision(), vector.length());
        try {
            onDevice.copyFrom(vector);
        } catch (RuntimeException | Error e) {
            onDevice.close();
            throw e;
        }
        return onDevice;
    }

    /** Closes the product if it was prepared here. */
    @Override
    public void close() {
        if (!given && product != null) {
            product.close();
            product = null;
        }
    }
}
