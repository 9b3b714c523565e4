package org.trellis.solve;

import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** Divides by the diagonal of the matrix. */
public final class JacobiPreconditioner implements Preconditioner {
    private final DenseVector inverseDiagonal;
    private final VectorKernels kernels;

    private JacobiPreconditioner(DenseVector inverseDiagonal, VectorKernels kernels) {
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
    public static JacobiPreconditioner of(CsrMatrix matrix, Backend backend) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("Jacobi preconditioner of " + matrix + ", expected a square matrix");
        }
        HostVector inverse = matrix.diagonal();
        for (int row = 0; row < inverse.length(); row++) {
            double element = inverse.get(row);
            inverse.set(row, 1 / element);
            if (!Double.isFinite(inverse.get(row)) || inverse.get(row) == 0) {
                throw new IllegalArgumentException(
                        "Jacobi preconditioner of " + matrix + ": diagonal element of row " + row
                                + " is " + element + ", expected a finite number whose inverse is a finite "
                                + matrix.precision().label()
                                + " number");
            }
        }
        DenseVector onDevice = backend.vector(matrix.precision(), inverse.length());
        onDevice.copyFrom(inverse);
        return new JacobiPreconditioner(onDevice, backend.kernels(VectorKernels.class));
    }

    @Override
    public void apply(DenseVector r, DenseVector z) {
        kernels.multiplyElements(inverseDiagonal, r, z);
    }

    @Override
    public Optional<DenseVector> inverseDiagonal() {
        return Optional.of(inverseDiagonal);
    }

    @Override
    public void close() {
        inverseDiagonal.close();
    }
}
