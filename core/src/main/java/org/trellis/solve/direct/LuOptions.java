package org.trellis.solve.direct;

import java.util.Objects;
import org.trellis.common.Permutation;

/**
 * How an LU factorisation is made.
 *
 * @param order          the order of the columns of each block
 * @param given          where each column goes, for {@link Order#GIVEN}; else null
 * @param matching       what is brought onto the diagonal first
 * @param blocks         whether the matrix is brought to block triangular form first, so that only diagonal blocks are
 *                       factorised; not with a given order
 * @param kernel         how columns are eliminated
 * @param pivotTolerance the least share of the greatest candidate at which the matched element is the pivot, more than
 *                       0 and at most 1
 * @param smallestPivot  the share of the greatest element of its column, both scaled, that a pivot must exceed; 0
 *                       refuses what is 0 only
 * @param limits         what analysis and factorisation may take each
 */
public record LuOptions(Order order, Permutation given, Matching matching, boolean blocks, Kernel kernel,
        double pivotTolerance, double smallestPivot, FactorLimits limits) {
    /** The pivot tolerance if nothing else is said. */
    public static final double DEFAULT_PIVOT_TOLERANCE = 0.01;

    /** A smallest pivot below which a matrix is singular but for rounding errors. */
    public static final double CLEARLY_REGULAR = 0x1p-50;

    /** Orders of elimination. */
    public enum Order {
        /** The one of the others, but for the natural one, that makes the fewest entries, by a count. */
        AUTOMATIC,
        /** As the matrix is numbered. */
        NATURAL,
        /** Approximate minimum degree of the structure of A + Aᵀ, after the matching. */
        MINIMUM_DEGREE,
        /** Nested dissection of the structure of A + Aᵀ, after the matching. */
        NESTED_DISSECTION,
        /** The same by METIS, where that is installed. */
        METIS,
        /** The same by Scotch, where that is installed. */
        SCOTCH,
        /** Approximate minimum degree of the structure of AᵀA, which bounds the entries for any choice of pivots. */
        COLUMN_MINIMUM_DEGREE,
        /** What the caller says. */
        GIVEN
    }

    /** What is brought onto the diagonal. */
    public enum Matching {
        /** Nothing: the diagonal must be full for it to be preferred. */
        NONE,
        /** As many entries as can be, whatever their values: the structure alone decides. */
        TRANSVERSAL,
        /** The entries of greatest product, where there is a complete matching of non-zeros; else as the one before. */
        PRODUCT
    }

    /** How columns are eliminated. */
    public enum Kernel {
        /** One by one, or by supernodes where each entry of the factors costs many operations, as on meshes. */
        AUTOMATIC,
        /** One by one, on the calling thread. */
        COLUMNS,
        /** In dense matrices, by several threads; for structures near to symmetric ones. */
        SUPERNODES,
        /**
         * As supernodes, in single precision: half the memory and less time, for {@link LuSolver#refine}, which brings
         * solutions to double precision as long as the reciprocal condition is well above 1e-7.
         */
        FLOAT_SUPERNODES
    }

    /**
     * Checks them.
     *
     * @throws IllegalArgumentException if a number is out of range, or an order is given without
     *                                  {@link Order#GIVEN} or the other way round
     */
    public LuOptions {
        Objects.requireNonNull(order);
        Objects.requireNonNull(matching);
        Objects.requireNonNull(kernel);
        Objects.requireNonNull(limits);
        if (!(pivotTolerance > 0 && pivotTolerance <= 1)) {
            throw new IllegalArgumentException("pivot tolerance is " + pivotTolerance
                    + ", expected more than 0 and at most 1");
        }
        if (!(smallestPivot >= 0 && smallestPivot < 1)) {
            throw new IllegalArgumentException("smallest pivot is " + smallestPivot
                    + ", expected at least 0 and less than 1");
        }
        if ((order == Order.GIVEN) != (given != null)) {
            throw new IllegalArgumentException("order " + order + (given == null ? " without" : " with")
                    + " a permutation, expected one for " + Order.GIVEN + " and for nothing else");
        }
    }

    /**
     * Returns what is done if nothing else is said: blocks, a matching of greatest product, the order found
     * automatically, pivots of at least a hundredth of the greatest candidate and not 0, the limits of the heap.
     *
     * @return the options
     */
    public static LuOptions defaults() {
        return new LuOptions(Order.AUTOMATIC, null, Matching.PRODUCT, true, Kernel.AUTOMATIC, DEFAULT_PIVOT_TOLERANCE,
                0,
                FactorLimits.ofHeap());
    }

    /**
     * Returns the same with another order.
     *
     * @param other any but {@link Order#GIVEN}
     * @return the options
     * @throws IllegalArgumentException if it is {@link Order#GIVEN}
     */
    public LuOptions with(Order other) {
        return new LuOptions(other, null, matching, blocks, kernel, pivotTolerance, smallestPivot, limits);
    }

    /**
     * Returns the same with a given order, without blocks.
     *
     * @param columns where each column goes
     * @return the options
     */
    public LuOptions with(Permutation columns) {
        return new LuOptions(Order.GIVEN, columns, matching, false, kernel, pivotTolerance, smallestPivot, limits);
    }

    /**
     * Returns the same with another matching.
     *
     * @param other the matching
     * @return the options
     */
    public LuOptions with(Matching other) {
        return new LuOptions(order, given, other, blocks, kernel, pivotTolerance, smallestPivot, limits);
    }

    /**
     * Returns the same with another kernel.
     *
     * @param other the kernel; with {@link Order#COLUMN_MINIMUM_DEGREE} columns are eliminated one by one
     * @return the options
     */
    public LuOptions with(Kernel other) {
        return new LuOptions(order, given, matching, blocks, other, pivotTolerance, smallestPivot, limits);
    }

    /**
     * Returns the same with other limits.
     *
     * @param other the limits
     * @return the options
     */
    public LuOptions with(FactorLimits other) {
        return new LuOptions(order, given, matching, blocks, kernel, pivotTolerance, smallestPivot, other);
    }

    /**
     * Returns the same with or without block triangular form.
     *
     * @param wanted whether it is looked for
     * @return the options
     */
    public LuOptions withBlocks(boolean wanted) {
        return new LuOptions(order, given, matching, wanted, kernel, pivotTolerance, smallestPivot, limits);
    }

    /**
     * Returns the same with another pivot tolerance.
     *
     * @param share more than 0 and at most 1
     * @return the options
     * @throws IllegalArgumentException if it is out of range
     */
    public LuOptions withPivotTolerance(double share) {
        return new LuOptions(order, given, matching, blocks, kernel, share, smallestPivot, limits);
    }

    /**
     * Returns the same with another smallest pivot.
     *
     * @param share at least 0 and less than 1
     * @return the options
     * @throws IllegalArgumentException if it is out of range
     */
    public LuOptions withSmallestPivot(double share) {
        return new LuOptions(order, given, matching, blocks, kernel, pivotTolerance, share, limits);
    }
}
