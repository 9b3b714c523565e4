package org.trellis.sparse.algebra;

import java.util.function.DoubleBinaryOperator;

/**
 * What takes the place of sums and products in {@link MatrixProduct#multiply(org.trellis.sparse.CsrMatrix,
 * org.trellis.sparse.CsrMatrix, Semiring)
 * products of matrices}. Elements
 * without an entry are the neutral element of the sum, which also absorbs products.
 *
 * @param name     for messages
 * @param sum      adds, in the order of columns of the left factor; associative and commutative
 * @param product  multiplies an entry of the left factor and one of the right
 * @see <a href="https://doi.org/10.1137/1.9780898719918">J. Kepner, J. Gilbert, Graph Algorithms in the Language of
 *      Linear Algebra, chapter 2</a>
 */
public record Semiring(String name, DoubleBinaryOperator sum, DoubleBinaryOperator product) {
    /** Sums and products of numbers. */
    public static final Semiring PLUS_TIMES = new Semiring("plus-times", Double::sum, (a, b) -> a * b);
    /** The least sum: lengths of shortest paths. Elements without an entry are infinite. */
    public static final Semiring MIN_PLUS = new Semiring("min-plus", Math::min, Double::sum);
    /** The greatest sum: lengths of longest paths. Elements without an entry are minus infinity. */
    public static final Semiring MAX_PLUS = new Semiring("max-plus", Math::max, Double::sum);
    /** The widest path: the greatest of the least capacities. */
    public static final Semiring MAX_MIN = new Semiring("max-min", Math::max, Math::min);
    /** Whether there is a path: 1 where an entry of the left factor meets one of the right that are both not 0. */
    public static final Semiring OR_AND = new Semiring("or-and", Math::max, (a, b) -> a != 0 && b != 0 ? 1 : 0);
}
