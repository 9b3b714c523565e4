package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;

/** Divides by the diagonal of the matrix. */
public final class JacobiPreconditioner extends CheckedOperator implements Preconditioner {
    private static final int ROWS_PER_TASK = 1 << 13;

    private final DenseVector inverseDiagonal;
    private final ElementKernels kernels;

    @MustBeClosed
    private JacobiPreconditioner(DenseVector inverseDiagonal, ElementKernels kernels) {
        this.inverseDiagonal = inverseDiagonal;
        this.kernels = kernels;
    }

    /**
     * Takes the diagonal of a matrix.
     *
     * @param matrix  a square matrix without zeros on the diagonal
     * @param backend where it is applied
     * @return a preconditioner that the caller closes
     * @throws IllegalArgumentException if the matrix is not square or a diagonal element is 0 or not finite; names the
     *         row
     */
    @MustBeClosed
    public static JacobiPreconditioner of(CsrMatrix matrix, Backend backend) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("Jacobi preconditioner of " + matrix + ", expected a square matrix");
        }
        HostVector diagonal = matrix.diagonal();
        HostVector inverse = HostVector.zeros(matrix.precision(), diagonal.length());
        int wrong = ParallelRanges.first(inverse.length(), ROWS_PER_TASK, row -> {
            inverse.set(row, 1 / diagonal.get(row));
            return !Double.isFinite(inverse.get(row)) || inverse.get(row) == 0;
        });
        if (wrong >= 0) {
            throw new IllegalArgumentException("Jacobi preconditioner of " + matrix + ": diagonal element of row "
                    + wrong + " is " + diagonal.get(wrong) + ", expected a finite number whose inverse is a finite "
                    + matrix.precision().label() + " number");
        }
        ElementKernels kernels = backend.kernels(ElementKernels.class);
        @SuppressWarnings("MustBeClosed") // closed with the preconditioner
        DenseVector onDevice = backend.vector(matrix.precision(), inverse.length());
        try {
            onDevice.copyFrom(inverse);
        } catch (RuntimeException | OutOfMemoryError e) {
            onDevice.close();
            throw e;
        }
        return new JacobiPreconditioner(onDevice, kernels);
    }

    @Override
    public VectorSpace domain() {
        return new VectorSpace(inverseDiagonal.length(), inverseDiagonal.precision(), inverseDiagonal.space(),
                inverseDiagonal.numbering());
    }

    @Override
    public VectorSpace range() {
        return domain();
    }

    @Override
    protected ElementKernels elements() {
        return kernels;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        kernels.update(alpha, inverseDiagonal, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        run(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return combine(new DenseVector[]{x, y}, () -> kernels.bindUpdate(alpha, inverseDiagonal, x, beta, y));
    }

    /** Returns true: positive definite if the diagonal is. */
    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    public Optional<DenseVector> inverseDiagonal() {
        return Optional.of(inverseDiagonal);
    }

    @Override
    protected void release() {
        inverseDiagonal.close();
    }

    @Override
    public String toString() {
        return "Jacobi preconditioner of " + rows() + " " + precision().label();
    }
}
