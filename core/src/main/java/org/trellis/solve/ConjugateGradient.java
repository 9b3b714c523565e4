package org.trellis.solve;

import java.util.Objects;
import org.trellis.backend.Backend;
import org.trellis.common.Checks;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.SpmvOperator;

/**
 * The preconditioned conjugate gradient method for symmetric positive definite systems (Saad, Iterative Methods for
 * Sparse Linear Systems, algorithm 9.1). Work vectors are allocated once and reused by every {@link #solve}.
 *
 * <p>Memory traffic of an iteration beyond the product and the preconditioner, in vectors of n values: dot(p, q) reads
 * 2, x += αp reads 2 and writes 1, r −= αq reads 2 and writes 1, dot(r, r) reads 1, dot(r, z) reads 2, p = z + βp reads
 * 2 and writes 1: 14 in all. Without a preconditioner z is r and dot(r, z) is dot(r, r): 12.
 */
public final class ConjugateGradient implements AutoCloseable {
    private final SpmvOperator matrix;
    private final Preconditioner preconditioner;
    private final VectorKernels kernels;
    private final DenseVector residual;
    private final DenseVector preconditioned;
    private final DenseVector direction;
    private final DenseVector product;

    /**
     * Prepares a solver.
     *
     * @param matrix         the product with a square symmetric positive definite matrix; not closed by this object
     * @param preconditioner an approximate inverse, or null for none; not closed by this object
     * @param backend        the backend that prepared both
     * @throws IllegalArgumentException if the matrix is not square
     */
    public ConjugateGradient(SpmvOperator matrix, Preconditioner preconditioner, Backend backend) {
        this.matrix = Objects.requireNonNull(matrix);
        if (matrix.matrix().rows() != matrix.matrix().columns()) {
            throw new IllegalArgumentException(
                    "conjugate gradients with " + matrix.matrix() + ", expected a square matrix");
        }
        this.preconditioner = preconditioner;
        this.kernels = backend.kernels(VectorKernels.class);
        this.residual = vector(backend);
        this.preconditioned = preconditioner == null ? residual : vector(backend);
        this.direction = vector(backend);
        this.product = vector(backend);
    }

    private DenseVector vector(Backend backend) {
        return backend.vector(matrix.matrix().precision(), matrix.matrix().rows());
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param b        the right-hand side
     * @param x        the first guess, overwritten by the solution; also when it did not converge
     * @param criteria when to stop
     * @param progress is told the iterations done
     * @return how it went
     * @throws IllegalArgumentException if a length, precision or memory space does not fit
     */
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, ProgressListener progress) {
        Checks.length("length of b", b.length(), matrix.matrix().rows());
        long start = System.nanoTime();
        ResidualHistory history = new ResidualHistory(criteria, norm(b));
        computeResidual(b, x);
        history.add(norm(residual));
        double rho = 0;
        while (history.goesOn()) {
            double previousRho = rho;
            rho = precondition(history.last());
            if (!(rho > 0)) {
                history.breakDown("r^T M^-1 r is " + rho + ": the preconditioner is not positive definite");
                break;
            }
            kernels.xpby(preconditioned, history.iterations() == 0 ? 0 : rho / previousRho, direction);
            matrix.multiply(direction, product);
            double curvature = kernels.dot(direction, product);
            if (!(curvature > 0)) {
                history.breakDown("p^T A p is " + curvature + ": the matrix is not positive definite");
                break;
            }
            double alpha = rho / curvature;
            kernels.axpy(alpha, direction, x);
            kernels.axpy(-alpha, product, residual);
            history.add(norm(residual));
            progress.progress("iterate", history.iterations(), criteria.maximumIterations());
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        computeResidual(b, x);
        return history.report(norm(residual), seconds);
    }

    /** Applies the preconditioner and returns {@code rᵀ M⁻¹ r}. */
    private double precondition(double residualNorm) {
        if (preconditioner == null) {
            return residualNorm * residualNorm;
        }
        preconditioner.apply(residual, preconditioned);
        return kernels.dot(residual, preconditioned);
    }

    private void computeResidual(DenseVector b, DenseVector x) {
        kernels.xpby(b, 0, residual);
        matrix.multiply(-1, x, 1, residual);
    }

    private double norm(DenseVector v) {
        return Math.sqrt(kernels.dot(v, v));
    }

    /** Releases the work vectors. Idempotent. */
    @Override
    public void close() {
        residual.close();
        preconditioned.close();
        direction.close();
        product.close();
    }
}
