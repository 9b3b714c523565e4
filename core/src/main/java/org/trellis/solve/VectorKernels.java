package org.trellis.solve;

import org.trellis.memory.DenseVector;

/**
 * The vector operations of a backend that solvers need. Operands have one length and precision, live in the backend's
 * memory space and, unless said otherwise, do not overlap; that is the solver's business and not checked. Each costs
 * one pass. The same operands give the same bits.
 */
public interface VectorKernels {
    /**
     * Computes {@code xᵀ y}.
     *
     * @param x a vector
     * @param y a vector, may be {@code x}
     * @return the sum of the products, accumulated in double precision
     */
    double dot(DenseVector x, DenseVector y);

    /**
     * Computes {@code y = α x + y}.
     *
     * @param alpha α
     * @param x     a vector
     * @param y     overwritten
     */
    void axpy(double alpha, DenseVector x, DenseVector y);

    /**
     * Computes {@code y = x + β y}; with {@code β = 0} a copy that does not read {@code y}.
     *
     * @param x    a vector
     * @param beta β
     * @param y    overwritten
     */
    void xpby(DenseVector x, double beta, DenseVector y);

    /**
     * Computes {@code z = x ∘ y}, element by element.
     *
     * @param x a vector
     * @param y a vector
     * @param z overwritten
     */
    void multiplyElements(DenseVector x, DenseVector y, DenseVector z);
}
