package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Objects;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.VectorSpace;

/**
 * Makes operators of others, on one backend. None of them owns what it is made of, which has to stay open as long as
 * it; a composition owns a vector of its own and is to be closed.
 */
public final class Operators {
    private final Backend backend;
    private final ElementKernels elements;

    private Operators(Backend backend) {
        this.backend = backend;
        this.elements = backend.kernels(ElementKernels.class);
    }

    /**
     * Makes operators on a backend.
     *
     * @param backend where they run
     * @return the factory
     * @throws org.trellis.common.UnsupportedKernelException if the backend has no element kernels
     */
    public static Operators on(Backend backend) {
        return new Operators(backend);
    }

    /**
     * Returns the identity.
     *
     * @param length    the number of rows and columns
     * @param precision the type of the elements
     * @return {@code y = x}
     */
    public LinearOperator identity(int length, Precision precision) {
        return identity(VectorSpace.of(length, precision, backend.device().space()));
    }

    /**
     * Returns the identity.
     *
     * @param space its domain and range
     * @return {@code y = x}
     */
    public LinearOperator identity(VectorSpace space) {
        return new DiagonalOperator(space, null, elements);
    }

    /**
     * Returns a diagonal matrix.
     *
     * @param diagonal its diagonal, in the backend's memory space; not copied, not closed; its numbering is the
     *                 operator's
     * @return {@code y = d ∘ x}
     */
    public LinearOperator diagonal(DenseVector diagonal) {
        return new DiagonalOperator(
                VectorSpace.of(diagonal.length(), diagonal.precision(), diagonal.space()), diagonal, elements);
    }

    /**
     * Returns a multiple of an operator.
     *
     * @param factor σ
     * @param of     A
     * @return σ A
     */
    public LinearOperator scaled(double factor, LinearOperator of) {
        return new ScaledOperator(factor, of, elements);
    }

    /**
     * Returns a sum of operators.
     *
     * @param terms at least one operator
     * @return their sum, applied in this order
     * @throws IllegalArgumentException if there is none, or their domains or ranges differ
     */
    public LinearOperator sum(LinearOperator... terms) {
        return new SumOperator(List.of(terms), elements);
    }

    /**
     * Returns a composition of operators.
     *
     * @param left  A
     * @param right B
     * @return A B, which owns a vector for the result of B; the caller closes it
     * @throws IllegalArgumentException if the range of B is not the domain of A
     */
    @MustBeClosed
    public LinearOperator product(LinearOperator left, LinearOperator right) {
        return ComposedOperator.of(left, right, backend, elements);
    }

    /**
     * Makes an operator of a function that has no adjoint: a transposed product is an
     * {@link UnsupportedOperationException}.
     *
     * @param domain   the vectors it is applied to
     * @param range    the vectors that come out
     * @param function computes {@code y = α A x + β y}
     * @return the operator
     */
    public LinearOperator of(VectorSpace domain, VectorSpace range, LinearOperator.LinearFunction function) {
        return new FunctionOperator(domain, range, function, null, elements);
    }

    /**
     * Makes an operator of a function and its adjoint.
     *
     * @param domain   the vectors it is applied to
     * @param range    the vectors that come out
     * @param function computes {@code y = α A x + β y}
     * @param adjoint  computes {@code y = α Aᵀ x + β y}
     * @return the operator
     */
    public LinearOperator of(VectorSpace domain, VectorSpace range, LinearOperator.LinearFunction function,
            LinearOperator.LinearFunction adjoint) {
        return new FunctionOperator(domain, range, function, Objects.requireNonNull(adjoint), elements);
    }
}
