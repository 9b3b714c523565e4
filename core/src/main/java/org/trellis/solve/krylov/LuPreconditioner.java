package org.trellis.solve.krylov;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.HostFactors;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;

/** Solves with an LU factorisation on the host: the last resort of an automatic choice. */
public final class LuPreconditioner extends CheckedOperator implements Preconditioner {
    private final HostFactors factors;
    private final VectorSpace vectors;
    private final ElementKernels kernels;
    private final DenseVector solved;

    /**
     * Factorises.
     *
     * @param matrix  square
     * @param backend where vectors live
     * @param limits  what the factorisation may take
     * @throws org.trellis.solve.direct.FactorisationException if the matrix is singular or a limit is reached
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    public LuPreconditioner(CsrMatrix matrix, Backend backend, FactorLimits limits) {
        factors = HostFactors.of(matrix, HostFactors.Kind.LU, false, limits);
        vectors = VectorSpace.of(matrix.rows(), matrix.precision(), backend.device().space());
        kernels = backend.kernels(ElementKernels.class);
        solved = backend.vector(matrix.precision(), matrix.rows());
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
    protected ElementKernels elements() {
        return kernels;
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        factors.solve(x, solved);
        kernels.update(alpha, null, solved, beta, y);
    }

    @Override
    protected void release() {
        solved.close();
    }

    @Override
    public String toString() {
        return "LU factorisation, " + factors;
    }
}
