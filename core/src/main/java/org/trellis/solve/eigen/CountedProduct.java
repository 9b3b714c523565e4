package org.trellis.solve.eigen;

import org.trellis.memory.DenseVector;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.LinearOperator;

/**
 * Products with an operator, counted, and multiplied by a power of two if the first one that is not zero shows that
 * squares of the next ones would leave the range of numbers.
 */
final class CountedProduct {
    /** Exponents of products whose squares are in range. */
    private static final int ORDINARY = 300;

    private final LinearOperator operator;
    private final VectorArithmetic arithmetic;
    private int exponent;
    private boolean sized;
    private int count;

    CountedProduct(LinearOperator operator, VectorArithmetic arithmetic) {
        this.operator = operator;
        this.arithmetic = arithmetic;
    }

    /**
     * Computes {@code y = 2^exponent A x}.
     *
     * @throws IllegalArgumentException if the first product is no finite vector
     */
    void apply(DenseVector x, DenseVector y) {
        count++;
        operator.apply(1, x, 0, y);
        scale(y);
    }

    /** Computes {@code y = 2^exponent Aᵀ x}. */
    void applyTransposed(DenseVector x, DenseVector y) {
        count++;
        operator.applyTransposed(1, x, 0, y);
        scale(y);
    }

    private void scale(DenseVector y) {
        if (!sized) {
            double norm = arithmetic.norm(y);
            requireFinite(norm);
            if (norm > 0) {
                sized = true;
                int found = Math.getExponent(norm);
                exponent = Math.abs(found) > ORDINARY ? -found : 0;
            }
        }
        if (exponent != 0) {
            arithmetic.multiply(exponent, y, y);
        }
    }

    /**
     * Refuses what is no number.
     *
     * @param norm of a product
     * @throws IllegalArgumentException if it is not finite
     */
    void requireFinite(double norm) {
        if (!Double.isFinite(norm)) {
            throw new IllegalArgumentException("eigenvalues of " + operator + ", whose product with a vector of length "
                    + "1 has the norm " + norm + ", expected finite numbers");
        }
    }

    /** Returns a number of the operator as it is, of one of the scaled operator. */
    double unscaled(double value) {
        double result = Math.scalb(value, -exponent);
        if (Double.isInfinite(result)) {
            throw new IllegalArgumentException("eigenvalues of " + operator + ", one of which exceeds "
                    + Double.MAX_VALUE + ", expected numbers; scale the operator");
        }
        return result;
    }

    /** The binary logarithm of what products are multiplied by. */
    int exponent() {
        return exponent;
    }

    /** How many there were. */
    int count() {
        return count;
    }

    @Override
    public String toString() {
        return operator.toString();
    }
}
