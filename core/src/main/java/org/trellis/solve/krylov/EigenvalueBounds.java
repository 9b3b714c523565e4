package org.trellis.solve.krylov;

import java.util.SplittableRandom;
import org.trellis.backend.Backend;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.LanczosCoefficients;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.LinearOperator;

/**
 * An interval that is taken to hold the eigenvalues of a preconditioned symmetric positive definite matrix: the extreme
 * eigenvalues of the tridiagonal matrix that conjugate gradients make on the way (Saad, Iterative Methods for Sparse
 * Linear Systems, section 6.7.3), the upper one a twentieth larger. The lower one is an upper bound of the least
 * eigenvalue and comes down with the number of steps.
 *
 * @param lower the lower end
 * @param upper the upper end
 */
public record EigenvalueBounds(double lower, double upper) {
    private static final double MARGIN = 1.05;
    private static final long SEED = 18210516;
    private static final int BLOCK = 1 << 12;

    /**
     * Runs a few steps from a random right-hand side, the same in each run. A step costs a product, an application of
     * the preconditioner and two dot products; there are four vectors beside.
     *
     * @param matrix         symmetric positive definite
     * @param preconditioner symmetric, or null
     * @param backend        of both
     * @param steps          at most so many
     * @return the interval
     * @throws IllegalArgumentException if the matrix or the preconditioner shows not to be positive definite
     */
    public static EigenvalueBounds of(LinearOperator matrix, Preconditioner preconditioner, Backend backend,
            int steps) {
        return of(matrix, preconditioner, backend, Math.min(steps, matrix.rows()),
                start(matrix.precision(), matrix.rows()));
    }

    /**
     * Runs a few steps from a right-hand side that is given: over ranks, from the rank's part of one of the whole.
     *
     * @param matrix         symmetric positive definite
     * @param preconditioner symmetric, or null
     * @param backend        of both
     * @param steps          at most so many, and no more than the whole matrix has rows
     * @param start          see {@link #start}
     * @return the interval
     * @throws IllegalArgumentException if the matrix or the preconditioner shows not to be positive definite
     */
    public static EigenvalueBounds of(LinearOperator matrix, Preconditioner preconditioner, Backend backend,
            int steps, HostVector start) {
        int n = matrix.rows();
        LanczosCoefficients lanczos = new LanczosCoefficients();
        try (VectorArithmetic arithmetic = new VectorArithmetic(backend);
                DenseVector r = backend.vector(matrix.precision(), n);
                DenseVector p = backend.vector(matrix.precision(), n);
                DenseVector q = backend.vector(matrix.precision(), n);
                DenseVector z = backend.vector(matrix.precision(), n)) {
            r.copyFrom(start);
            double first = precondition(preconditioner, arithmetic, r, z);
            double rho = first;
            double beta = 0;
            for (int step = 0; step < steps && rho > 0x1p-60 * first; step++) {
                arithmetic.update(1, z, step == 0 ? 0 : beta, p);
                matrix.apply(p, q);
                double sigma = arithmetic.dot(p, q);
                if (!(sigma > 0) || !(rho > 0)) {
                    throw new IllegalArgumentException("eigenvalues of " + matrix + ": p^T A p is " + sigma
                            + " in step " + (step + 1) + ", expected a positive definite matrix; minres and gmres "
                            + "need no bounds");
                }
                lanczos.add(rho, sigma);
                arithmetic.update(-rho / sigma, q, 1, r);
                double next = precondition(preconditioner, arithmetic, r, z);
                beta = next / rho;
                rho = next;
            }
        }
        double largest = lanczos.largest();
        return largest == 0 ? new EigenvalueBounds(1, 1) : new EigenvalueBounds(lanczos.least(), MARGIN * largest);
    }

    /**
     * Draws a right-hand side to begin with, block by block, so that several threads make the same one.
     *
     * @param precision of the vector
     * @param n         its length
     * @return numbers between −1 and 1, the same in each run
     */
    public static HostVector start(Precision precision, int n) {
        HostVector vector = HostVector.zeros(precision, n);
        ParallelRanges.run(Math.ceilDiv(n, BLOCK), 1, (from, to) -> {
            for (int block = from; block < to; block++) {
                SplittableRandom random = new SplittableRandom(SEED + block);
                int end = (int) Math.min(n, (block + 1L) * BLOCK);
                for (int i = block * BLOCK; i < end; i++) {
                    vector.set(i, random.nextDouble(-1, 1));
                }
            }
        });
        return vector;
    }

    private static double precondition(Preconditioner preconditioner, VectorArithmetic arithmetic, DenseVector r,
            DenseVector z) {
        if (preconditioner == null) {
            arithmetic.copy(r, z);
        } else {
            preconditioner.apply(r, z);
        }
        return arithmetic.dot(r, z);
    }
}
