package org.trellis.solve.direct;

import java.util.Objects;
import org.trellis.common.Permutation;

/**
 * How a QR factorisation is made.
 *
 * @param order     the order of the columns
 * @param given     where each column goes, for {@link Order#GIVEN}; else null
 * @param tolerance a column of which no more than this is left (the Euclidean norm of what earlier columns do not
 *                  explain) counts as dependent on them; at least 0, or {@link #AUTOMATIC_TOLERANCE}
 * @param limits    what analysis and factorisation may take each
 */
public record QrOptions(Order order, Permutation given, double tolerance, FactorLimits limits) {
    /**
     * Stands for {@code 20 (m + n) ε} times the greatest norm of a column, with the ε of double precision (T. Davis,
     * "Algorithm 915, SuiteSparseQR", ACM Trans. Math. Softw. 38, 2011, section 2.4).
     */
    public static final double AUTOMATIC_TOLERANCE = -1;

    /** Orders of the columns. Rows follow from it. */
    public enum Order {
        /** Minimum degree, and nested dissection where that counts fewer operations and finding it is worthwhile. */
        AUTOMATIC,
        /** As the matrix is numbered. */
        NATURAL,
        /** Approximate minimum degree of AᵀA, of which only A is stored. */
        COLUMN_MINIMUM_DEGREE,
        /** Nested dissection of AᵀA, which is formed. */
        NESTED_DISSECTION,
        /** The same by METIS, where that is installed. */
        METIS,
        /** The same by Scotch, where that is installed. */
        SCOTCH,
        /** What the caller says. */
        GIVEN
    }

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if the tolerance is negative, or an order is given without {@link Order#GIVEN}
     *                                  or the other way round
     */
    public QrOptions {
        Objects.requireNonNull(order);
        Objects.requireNonNull(limits);
        if (!(tolerance >= 0 || tolerance == AUTOMATIC_TOLERANCE) || tolerance == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("tolerance of dependent columns is " + tolerance
                    + ", expected a finite number of at least 0, or " + AUTOMATIC_TOLERANCE + " for an automatic one");
        }
        if ((order == Order.GIVEN) != (given != null)) {
            throw new IllegalArgumentException("order " + order + (given == null ? " without" : " with")
                    + " a permutation, expected one for " + Order.GIVEN + " and for nothing else");
        }
    }

    /**
     * Returns what is done if nothing else is said: order and tolerance found automatically, the limits of the heap.
     *
     * @return the options
     */
    public static QrOptions defaults() {
        return new QrOptions(Order.AUTOMATIC, null, AUTOMATIC_TOLERANCE, FactorLimits.ofHeap());
    }

    /**
     * Returns the same with another order.
     *
     * @param other any but {@link Order#GIVEN}
     * @return the options
     * @throws IllegalArgumentException if it is {@link Order#GIVEN}
     */
    public QrOptions with(Order other) {
        return new QrOptions(other, null, tolerance, limits);
    }

    /**
     * Returns the same with a given order.
     *
     * @param columns where each column goes
     * @return the options
     */
    public QrOptions with(Permutation columns) {
        return new QrOptions(Order.GIVEN, columns, tolerance, limits);
    }

    /**
     * Returns the same with other limits.
     *
     * @param other the limits
     * @return the options
     */
    public QrOptions with(FactorLimits other) {
        return new QrOptions(order, given, tolerance, other);
    }

    /**
     * Returns the same with another tolerance.
     *
     * @param norm at least 0, or {@link #AUTOMATIC_TOLERANCE}
     * @return the options
     * @throws IllegalArgumentException if it is something else
     */
    public QrOptions withTolerance(double norm) {
        return new QrOptions(order, given, norm, limits);
    }
}
