package org.trellis.solve;

import org.trellis.memory.DenseVector;

/**
 * The vector operations of a backend that solvers need. Operands have one length and precision, live in the backend's
 * memory space and, unless said otherwise, do not overlap; that is the solver's business and not checked. Each costs
 * one pass. The same operands give the same bits.
 */
public interface VectorKernels {
    /** Sums of squares from which on none of those that underflowed could have changed a digit. */
    double SMALLEST_SAFE = 0x1p-900;

    /** Sums of squares up to which nothing overflowed. */
    double LARGEST_SAFE = 0x1p1000;

    /** The binary logarithm of the factor that brings what is out of range back. */
    int SCALE_EXPONENT = 700;

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

    /**
     * Computes {@code Σ (s xᵢ)²}.
     *
     * @param x a vector
     * @param s a factor, such as a power of two that keeps squares from overflow or underflow
     * @return the sum of the squares; products and sum in double precision
     */
    double sumOfSquares(DenseVector x, double s);

    /**
     * Computes {@code ‖x‖₂} without overflow or underflow of squares. Costs one pass, and a second one if the sum of
     * the squares is not well within the range of numbers: then the elements are multiplied by {@code 2⁷⁰⁰} or
     * {@code 2⁻⁷⁰⁰} before they are squared. One pair of factors will do for all numbers (compare J. L. Blue, ACM
     * Trans. Math. Softw. 4(1), 1978): what the larger one cannot bring into range changes no digit of the sum.
     *
     * @param x a vector
     * @return the norm; infinite if an element is, or if the norm exceeds the largest number; NaN if an element is
     */
    default double norm(DenseVector x) {
        double squares = sumOfSquares(x, 1);
        if ((squares >= SMALLEST_SAFE && squares <= LARGEST_SAFE) || Double.isNaN(squares)) {
            return Math.sqrt(squares);
        }
        int exponent = squares < SMALLEST_SAFE ? SCALE_EXPONENT : -SCALE_EXPONENT;
        return Math.scalb(Math.sqrt(sumOfSquares(x, Math.scalb(1.0, exponent))), -exponent);
    }
}
