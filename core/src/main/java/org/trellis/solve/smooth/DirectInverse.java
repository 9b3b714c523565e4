package org.trellis.solve.smooth;

import java.util.function.UnaryOperator;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;

/** The inverse by a sparse direct factorisation on the host. Each application allocates a few vectors. */
final class DirectInverse extends CheckedOperator implements Preconditioner {
    private final VectorSpace vectors;
    private final ElementKernels kernels;
    private final boolean symmetric;
    private final HostVector onHost;
    private final DenseVector solved;
    private UnaryOperator<HostVector> solution;
    private String text;

    /**
     * Factorises.
     *
     * @throws FactorisationException if the matrix is singular
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    DirectInverse(SmootherContext input) {
        input.requireFinite();
        CsrMatrix matrix = input.matrix();
        this.vectors = input.space();
        this.kernels = input.backend().kernels(ElementKernels.class);
        this.symmetric = input.symmetric();
        if (!symmetric || !cholesky(matrix)) {
            SparseLu factors = SparseLu.of(matrix, LuOptions.defaults().withSmallestPivot(LuOptions.CLEARLY_REGULAR));
            solution = factors::solve;
            text = factors.toString();
        }
        this.onHost = HostVector.zeros(vectors.precision(), matrix.rows());
        this.solved = input.backend().vector(vectors.precision(), matrix.rows());
    }

    /** Says whether the matrix is definite, which its factorisation finds out. */
    private boolean cholesky(CsrMatrix matrix) {
        try {
            SparseCholesky factors = SparseCholesky.of(matrix);
            solution = factors::solve;
            text = factors.toString();
            return true;
        } catch (FactorisationException e) {
            // An indefinite matrix has an LU factorisation, which fails in its turn if the matrix is singular.
            return false;
        }
    }

    @Override
    public VectorSpace domain() {
        return vectors;
    }

    @Override
    public VectorSpace range() {
        return vectors;
    }

    @Override
    public boolean symmetric() {
        return symmetric;
    }

    @Override
    protected ElementKernels elements() {
        return kernels;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        x.copyTo(onHost);
        solved.copyFrom(solution.apply(onHost));
        kernels.update(alpha, null, solved, beta, y);
    }

    @Override
    protected void release() {
        solved.close();
    }

    @Override
    public String toString() {
        return text;
    }
}
