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
 * <p>The residual of the recurrence drifts away from {@code b − A x}. So once it meets the criterion, the true residual is
 * recomputed, and only that decides; if it is too large, the recurrence begins anew from it (residual replacement, H. A.
 * van der Vorst and Q. Ye, SIAM J. Sci. Comput. 22(3), 2000, in its simplest form). When three restarts in succession
 * have not halved the true residual, the precision of the vectors allows no more: {@link SolveStatus#STAGNATED}.
 *
 * <p>Systems of unusual size are scaled by powers of two, which rounds nothing: entries and right-hand sides may be as
 * small or as large as the precision allows, if the solution is so, too.
 *
 * <p>Memory traffic of an iteration beyond the product and the preconditioner, in vectors of n values: dot(p, q) reads
 * 2, x += αp reads 2 and writes 1, r −= αq reads 2 and writes 1, dot(r, r) reads 1, dot(r, z) reads 2, p = z + βp reads
 * 2 and writes 1: 14 in all. Without a preconditioner z is r and dot(r, z) is dot(r, r): 12. Each look at the true
 * residual costs a product, a copy and a norm.
 */
public final class ConjugateGradient implements AutoCloseable {
    private final SpmvOperator matrix;
    private final Preconditioner preconditioner;
    private final VectorKernels kernels;
    private final DenseVector residual;
    private final DenseVector preconditioned;
    private final DenseVector direction;
    private final DenseVector product;
    private final double largestEntry;
    private SystemScale scale = SystemScale.NONE;
    /** The norm of the residual as it is scaled. */
    private double residualNorm;

    /**
     * Prepares a solver. Costs a pass over the matrix on the host.
     *
     * @param matrix         the product with a square symmetric positive definite matrix; not closed by this object
     * @param preconditioner an approximate inverse, or null for none; not closed by this object
     * @param backend        the backend that prepared both
     * @throws IllegalArgumentException if the matrix is not square or an entry is not finite; names the first
     */
    public ConjugateGradient(SpmvOperator matrix, Preconditioner preconditioner, Backend backend) {
        this.matrix = Objects.requireNonNull(matrix);
        if (matrix.matrix().rows() != matrix.matrix().columns()) {
            throw new IllegalArgumentException(
                    "conjugate gradients with " + matrix.matrix() + ", expected a square matrix");
        }
        this.largestEntry = FiniteInput.largestEntry("conjugate gradients", matrix.matrix());
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
     * @throws IllegalArgumentException if a length, precision or memory space does not fit, or an element of {@code b}
     *                                  or {@code x} is not finite (names the first), or {@code ‖b‖₂} exceeds the
     *                                  largest number
     */
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, ProgressListener progress) {
        Checks.length("length of b", b.length(), matrix.matrix().rows());
        Checks.length("length of x", x.length(), matrix.matrix().rows());
        long start = System.nanoTime();
        double normOfB = measure(b, x);
        ResidualHistory history = new ResidualHistory(criteria, normOfB, b.precision());
        scale = scaleFor(normOfB);
        history.begin(trueResidual(b, x));
        iterate(b, x, history, progress, criteria.maximumIterations());
        if (!history.knowsTrueResidual()) {
            history.finish(trueResidual(b, x));
        }
        return history.report((System.nanoTime() - start) * 1e-9);
    }

    private double measure(DenseVector b, DenseVector x) {
        double normOfB = FiniteInput.norm("right-hand side", b, kernels);
        if (normOfB == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("right-hand side: its norm is more than " + Double.MAX_VALUE
                    + ", expected a norm that is a number; scale the system");
        }
        FiniteInput.norm("first guess", x, kernels);
        return normOfB;
    }

    private void iterate(DenseVector b, DenseVector x, ResidualHistory history, ProgressListener progress, int most) {
        boolean anew = true;
        double rho = 0;
        while (history.goesOn()) {
            double previousRho = rho;
            rho = precondition();
            if (!(rho > 0)) {
                history.breakDown("r^T M^-1 r is " + rho + ": the preconditioner is not positive definite");
                return;
            }
            kernels.xpby(preconditioned, anew ? 0 : rho / previousRho, direction);
            matrix.multiply(scale.matrix(), direction, 0, product);
            double curvature = kernels.dot(direction, product);
            if (!(curvature > 0)) {
                history.breakDown("p^T A p is " + curvature + ": the matrix is not positive definite");
                return;
            }
            double alpha = rho / curvature;
            kernels.axpy(scale.step(alpha), direction, x);
            kernels.axpy(-alpha, product, residual);
            residualNorm = kernels.norm(residual);
            history.add(scale.residualNorm(residualNorm));
            anew = history.wantsTrueResidual();
            if (anew) {
                history.replace(trueResidual(b, x));
            }
            progress.progress("iterate", history.iterations(), most);
        }
    }

    /** Applies the preconditioner and returns {@code rᵀ M⁻¹ r}. */
    private double precondition() {
        if (preconditioner == null) {
            return residualNorm * residualNorm;
        }
        preconditioner.apply(residual, preconditioned);
        return kernels.dot(residual, preconditioned);
    }

    private SystemScale scaleFor(double norm) {
        return SystemScale.of(residual.precision(), preconditioner != null, largestEntry, norm);
    }

    /** Computes {@code τ (b − A x)}, with a τ that suits it, and returns {@code ‖b − A x‖₂}. */
    private double trueResidual(DenseVector b, DenseVector x) {
        double norm = computeResidual(b, x);
        SystemScale better = scaleFor(norm);
        if (norm != 0 && !scale.fits(better)) {
            scale = better;
            norm = computeResidual(b, x);
        }
        return norm;
    }

    private double computeResidual(DenseVector b, DenseVector x) {
        kernels.xpby(b, 0, residual);
        matrix.multiply(-scale.residual(), x, scale.residual(), residual);
        residualNorm = kernels.norm(residual);
        return scale.residualNorm(residualNorm);
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
