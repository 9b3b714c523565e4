package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.VectorSpace;

/**
 * Something that multiplies vectors: the product of a matrix, a preconditioner, a sum or a composition of operators, a
 * sequence of loops over a mesh.
 *
 * <p>Operands belong to {@link #domain()} and {@link #range()}: length, precision, memory space and numbering are
 * checked at each call, and what is written overlaps nothing else. With {@code beta = 0} the old contents of what is
 * written are not read, so they may be anything, NaN included. The same operator and the same operands give the same
 * bits. On a device that works asynchronously calls return before the work is done. An operator serves one thread at a
 * time.
 *
 * <p>Numbers that are computed go into an element of a vector of {@link Precision#F64} in the operator's memory space,
 * so that no caller has to wait for them; {@link DenseVector#copyTo} fetches them.
 */
public interface LinearOperator extends AutoCloseable {
    /**
     * Returns the vectors that this is applied to.
     *
     * @return their length, the number of columns, and what else they must be
     */
    VectorSpace domain();

    /**
     * Returns the vectors that come out.
     *
     * @return their length, the number of rows, and what else they must be
     */
    VectorSpace range();

    /**
     * Returns the number of rows.
     *
     * @return the length of results
     */
    default int rows() {
        return range().length();
    }

    /**
     * Returns the number of columns.
     *
     * @return the length of operands
     */
    default int columns() {
        return domain().length();
    }

    /**
     * Returns the type of the elements.
     *
     * @return the precision of operands and results
     */
    default Precision precision() {
        return range().precision();
    }

    /**
     * Returns where operands and results live.
     *
     * @return the memory space
     */
    default MemorySpace space() {
        return range().space();
    }

    /**
     * Computes {@code y = α A x + β y}.
     *
     * @param alpha α
     * @param x     {@code columns} elements
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     {@code rows} elements, overwritten
     * @throws IllegalArgumentException if an operand does not belong to domain or range, or they overlap
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    void apply(double alpha, DenseVector x, double beta, DenseVector y);

    /**
     * Computes {@code y = A x}.
     *
     * @param x {@code columns} elements
     * @param y {@code rows} elements, overwritten
     * @throws IllegalArgumentException if an operand does not belong to domain or range, or they overlap
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    default void apply(DenseVector x, DenseVector y) {
        apply(1, x, 0, y);
    }

    /**
     * Computes {@code y = α Aᵀ x + β y}.
     *
     * @param alpha α
     * @param x     {@code rows} elements
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     {@code columns} elements, overwritten
     * @throws IllegalArgumentException      if an operand does not belong to range or domain, or they overlap
     * @throws IllegalStateException         if this operator is closed or the numbering of an operand was replaced
     * @throws UnsupportedOperationException if this operator cannot be applied transposed; says why
     */
    void applyTransposed(double alpha, DenseVector x, double beta, DenseVector y);

    /**
     * Returns this operator transposed.
     *
     * @return a view, which need not be closed and is of no use once this operator is closed; whether it can be applied
     *         shows when it is
     */
    LinearOperator transposed();

    /**
     * Says whether its vectors are a rank's own elements of those of several ranks, so that sums over them are all
     * ranks'.
     *
     * @return false unless overridden
     */
    default boolean overRanks() {
        return false;
    }

    /**
     * Returns the diagonal, where it is known.
     *
     * @return a new vector of {@code min(rows, columns)} elements, or empty
     */
    default Optional<HostVector> diagonal() {
        return Optional.empty();
    }

    /**
     * Computes {@code A x} in double precision on the host, whatever the operator's precision is, where its entries are
     * known there: what decides whether a solution in single precision is one.
     *
     * @param x {@code columns} elements
     * @return the product of the entries and elements as they are, rounded as doubles are; empty unless overridden, or
     *         where the entries are not known
     */
    default Optional<double[]> multiplyInDouble(DenseVector x) {
        return Optional.empty();
    }

    /**
     * Computes {@code y = α A x + β y} and the dot product of the new {@code y} with another vector, which is what
     * conjugate gradients do with {@code A p}. Backends that can do not read {@code y} again for it.
     *
     * @param alpha  α
     * @param x      {@code columns} elements
     * @param beta   β; with 0 the old {@code y} is not read
     * @param y      {@code rows} elements, overwritten
     * @param w      {@code rows} elements; may be {@code x} or {@code y}
     * @param result a vector of {@code f64}; does not overlap the others
     * @param at     the element that gets {@code w · y}, the same bits each time
     * @throws IllegalArgumentException  if an operand does not belong to domain or range, or what is written overlaps
     *                                   something else
     * @throws IndexOutOfBoundsException if there is no such element
     * @throws IllegalStateException     if this operator is closed or the numbering of an operand was replaced
     */
    void multiplyAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w, DenseVector result,
            int at);

    /**
     * Computes the residual {@code r = b − A x}.
     *
     * @param b {@code rows} elements
     * @param x {@code columns} elements
     * @param r {@code rows} elements, overwritten
     * @throws IllegalArgumentException if an operand does not belong to domain or range, or what is written overlaps
     *                                   something else
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    void residual(DenseVector b, DenseVector x, DenseVector r);

    /**
     * Does one step of Jacobi's method: {@code y = x + ω D⁻¹ (b − A x)}.
     *
     * @param omega           ω
     * @param x               the old iterate
     * @param inverseDiagonal D⁻¹
     * @param b               the right-hand side
     * @param y               the new iterate, overwritten
     * @throws IllegalArgumentException if the operator is not square, an operand does not belong to domain or range, or
     *         {@code y} overlaps another operand
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    void jacobiStep(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b, DenseVector y);

    /**
     * Prepares {@link #apply(double, DenseVector, double, DenseVector)} with operands that stay the same: they are
     * checked now, and a run allocates nothing. The step sees the values that vectors and matrix have when it runs.
     *
     * @param alpha α
     * @param x     {@code columns} elements; not closed before the last run
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     {@code rows} elements; not closed before the last run
     * @return a step that the caller closes; refuses to run once this operator is closed or a numbering replaced
     * @throws IllegalArgumentException if an operand does not belong to domain or range, or they overlap
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    @MustBeClosed
    PreparedStep bind(double alpha, DenseVector x, double beta, DenseVector y);

    /**
     * Prepares {@link #multiplyAndDot} with operands that stay the same, as {@link #bind} does.
     *
     * @param alpha  α
     * @param x      {@code columns} elements
     * @param beta   β; with 0 the old {@code y} is not read
     * @param y      {@code rows} elements
     * @param w      {@code rows} elements; may be {@code x} or {@code y}
     * @param result a vector of {@code f64}
     * @param at     the element that gets {@code w · y}
     * @return a step that the caller closes
     * @throws IllegalArgumentException  as {@link #multiplyAndDot}
     * @throws IndexOutOfBoundsException if there is no such element
     * @throws IllegalStateException     if this operator is closed or the numbering of an operand was replaced
     */
    @MustBeClosed
    PreparedStep bindMultiplyAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at);

    /**
     * Prepares {@link #residual} with operands that stay the same, as {@link #bind} does.
     *
     * @param b {@code rows} elements
     * @param x {@code columns} elements
     * @param r {@code rows} elements
     * @return a step that the caller closes
     * @throws IllegalArgumentException as {@link #residual}
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    @MustBeClosed
    PreparedStep bindResidual(DenseVector b, DenseVector x, DenseVector r);

    /**
     * Prepares {@link #jacobiStep} with operands that stay the same, as {@link #bind} does.
     *
     * @param omega           ω
     * @param x               the old iterate
     * @param inverseDiagonal D⁻¹
     * @param b               the right-hand side
     * @param y               the new iterate
     * @return a step that the caller closes
     * @throws IllegalArgumentException as {@link #jacobiStep}
     * @throws IllegalStateException    if this operator is closed or the numbering of an operand was replaced
     */
    @MustBeClosed
    PreparedStep bindJacobiStep(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y);

    /**
     * Makes an operator of a function, without an adjoint. Products with a dot product, residuals and Jacobi steps need
     * a backend unless vectors are on the host: {@link Operators} makes operators that have one.
     *
     * @param rows      the length of results
     * @param columns   the length of operands
     * @param precision the type of the elements
     * @param space     where vectors live
     * @param function  computes {@code y = α A x + β y}
     * @return the operator
     */
    static LinearOperator of(int rows, int columns, Precision precision, MemorySpace space, LinearFunction function) {
        return new FunctionOperator(VectorSpace.of(columns, precision, space), VectorSpace.of(rows, precision, space),
                function, null, null);
    }

    /** Releases what this operator owns. Idempotent; use afterwards is an {@link IllegalStateException}. */
    @Override
    void close();

    /**
     * A linear function of a vector, from which {@link Operators} and {@link #of} make operators: a sequence of loops,
     * a product without a matrix.
     */
    @FunctionalInterface
    interface LinearFunction {
        /**
         * Computes {@code y = α A x + β y} on checked operands that do not overlap.
         *
         * @param alpha α
         * @param x     {@code columns} elements
         * @param beta  β; with 0 the old {@code y} must not be read
         * @param y     {@code rows} elements
         */
        void apply(double alpha, DenseVector x, double beta, DenseVector y);
    }
}
