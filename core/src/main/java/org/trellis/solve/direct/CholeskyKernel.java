package org.trellis.solve.direct;

import org.trellis.sparse.CsrMatrix;

/** Computes the numbers of a Cholesky factor in one precision. */
interface CholeskyKernel {
    /**
     * Takes the values of a matrix.
     *
     * @throws IllegalArgumentException if the structure is another, or the matrix is not symmetric or not finite
     */
    void load(CsrMatrix matrix);

    /**
     * Factorises what was loaded.
     *
     * @throws FactorisationException if the matrix is not positive definite, or the time is over
     */
    void run(FactorMeter meter);
}
