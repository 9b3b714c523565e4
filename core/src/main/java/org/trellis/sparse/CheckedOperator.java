package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.CombinedStep;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;

/**
 * An operator whose public methods check their arguments and then run what a subclass implements, which need not check
 * anything. Fused products have defaults that are not fused.
 */
public abstract class CheckedOperator implements LinearOperator {
    private static final String PRODUCT = "y = A x";
    private static final String TRANSPOSED = "y = A^T x";
    private static final String AND_DOT = "y = A x and w . y";
    private static final String RESIDUAL = "r = b - A x";
    private static final String JACOBI = "Jacobi step";

    private boolean closed;

    /** Creates an open operator. */
    protected CheckedOperator() {}

    /**
     * Returns the element kernels of the operator's backend, for products that are not fused.
     *
     * @return the kernels
     */
    protected abstract ElementKernels elements();

    /**
     * Runs {@code y = α A x + β y} on checked operands.
     *
     * @param alpha α
     * @param x     {@code columns} elements
     * @param beta  β; with 0 the old {@code y} must not be read
     * @param y     {@code rows} elements
     */
    protected abstract void run(double alpha, DenseVector x, double beta, DenseVector y);

    /**
     * Runs {@code y = α Aᵀ x + β y} on checked operands. Refuses unless overridden.
     *
     * @param alpha α
     * @param x     {@code rows} elements
     * @param beta  β; with 0 the old {@code y} must not be read
     * @param y     {@code columns} elements
     */
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        throw new UnsupportedOperationException(this + " was made without its adjoint, so it has no product y = A^T x");
    }

    /**
     * Runs a product with a dot product on checked operands.
     *
     * @param alpha  α
     * @param x      {@code columns} elements
     * @param beta   β; with 0 the old {@code y} must not be read
     * @param y      {@code rows} elements
     * @param w      {@code rows} elements; may be {@code x} or {@code y}
     * @param result where {@code w · y} goes
     * @param at     which element
     */
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        run(alpha, x, beta, y);
        elements().dot(w, y, result, at);
    }

    /**
     * Runs a residual on checked operands.
     *
     * @param b {@code rows} elements
     * @param x {@code columns} elements
     * @param r {@code rows} elements
     */
    protected void runResidual(DenseVector b, DenseVector x, DenseVector r) {
        elements().update(1, null, b, 0, r);
        run(-1, x, 1, r);
    }

    /**
     * Runs a step of Jacobi's method on checked operands.
     *
     * @param omega           ω
     * @param x               the old iterate
     * @param inverseDiagonal D⁻¹
     * @param b               the right-hand side
     * @param y               the new iterate
     */
    protected void runJacobi(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b, DenseVector y) {
        elements().update(1, null, b, 0, y);
        run(-1, x, 1, y);
        elements().update(omega, inverseDiagonal, y, 0, y);
        elements().update(1, null, x, 1, y);
    }

    /**
     * Returns what a bound step hands to {@link #run} for an operand that was checked, where that saves something.
     *
     * @param operand a vector
     * @return the same, unless overridden; perhaps another view of its elements, which need not know its length
     */
    protected DenseVector bound(DenseVector operand) {
        return operand;
    }

    /**
     * Makes a step of {@link #run} on checked operands.
     *
     * @param alpha α
     * @param x     {@code columns} elements
     * @param beta  β
     * @param y     {@code rows} elements
     * @return the step
     */
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        DenseVector from = bound(x);
        DenseVector to = bound(y);
        return new OperatorStep(this, () -> run(alpha, from, beta, to), x, y);
    }

    /**
     * Makes a step of {@link #runTransposed} on checked operands.
     *
     * @param alpha α
     * @param x     {@code rows} elements
     * @param beta  β
     * @param y     {@code columns} elements
     * @return the step
     */
    @MustBeClosed
    protected PreparedStep transposedStep(double alpha, DenseVector x, double beta, DenseVector y) {
        DenseVector from = bound(x);
        DenseVector to = bound(y);
        return new OperatorStep(this, () -> runTransposed(alpha, from, beta, to), x, y);
    }

    /**
     * Combines steps of others to one of this operator, which is refused once this operator is closed or an operand's
     * numbering has gone.
     *
     * @param operands what was checked
     * @param makers   make the steps
     * @return the combination
     */
    @MustBeClosed
    protected final PreparedStep combine(DenseVector[] operands, CombinedStep.Maker... makers) {
        return CombinedStep.of("bound " + this, () -> OperatorStep.check(this, operands), makers);
    }

    /**
     * Makes a step of {@link #runAndDot} on checked operands.
     *
     * @param alpha  α
     * @param x      {@code columns} elements
     * @param beta   β
     * @param y      {@code rows} elements
     * @param w      {@code rows} elements
     * @param result where {@code w · y} goes
     * @param at     which element
     * @return the step
     */
    @MustBeClosed
    protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        DenseVector from = bound(x);
        DenseVector to = bound(y);
        DenseVector with = bound(w);
        return new OperatorStep(this, () -> runAndDot(alpha, from, beta, to, with, result, at), x, y, w, result);
    }

    /**
     * Makes a step of {@link #runResidual} on checked operands.
     *
     * @param b {@code rows} elements
     * @param x {@code columns} elements
     * @param r {@code rows} elements
     * @return the step
     */
    @MustBeClosed
    protected PreparedStep residualStep(DenseVector b, DenseVector x, DenseVector r) {
        return new OperatorStep(this, () -> runResidual(b, x, r), b, x, r);
    }

    /**
     * Makes a step of {@link #runJacobi} on checked operands.
     *
     * @param omega           ω
     * @param x               the old iterate
     * @param inverseDiagonal D⁻¹
     * @param b               the right-hand side
     * @param y               the new iterate
     * @return the step
     */
    @MustBeClosed
    protected PreparedStep jacobiStepOf(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y) {
        return new OperatorStep(this, () -> runJacobi(omega, x, inverseDiagonal, b, y), x, inverseDiagonal, b, y);
    }

    @Override
    public final void apply(double alpha, DenseVector x, double beta, DenseVector y) {
        checkProduct(x, y);
        run(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    public final PreparedStep bind(double alpha, DenseVector x, double beta, DenseVector y) {
        checkProduct(x, y);
        return step(alpha, x, beta, y);
    }

    private void checkProduct(DenseVector x, DenseVector y) {
        domain().check(PRODUCT, "x", x);
        range().check(PRODUCT, "y", y);
        requireOpen(PRODUCT);
        requireApart(PRODUCT, "x", x, "y", y);
    }

    @Override
    public final void applyTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        range().check(TRANSPOSED, "x", x);
        domain().check(TRANSPOSED, "y", y);
        requireOpen(TRANSPOSED);
        requireApart(TRANSPOSED, "x", x, "y", y);
        runTransposed(alpha, x, beta, y);
    }

    @Override
    public final void multiplyAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        checkAndDot(x, y, w, result, at);
        runAndDot(alpha, x, beta, y, w, result, at);
    }

    @Override
    @MustBeClosed
    public final PreparedStep bindMultiplyAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        checkAndDot(x, y, w, result, at);
        return dotStep(alpha, x, beta, y, w, result, at);
    }

    @SuppressWarnings("ReferenceEquality") // one object is what is asked about
    private void checkAndDot(DenseVector x, DenseVector y, DenseVector w, DenseVector result, int at) {
        domain().check(AND_DOT, "x", x);
        range().check(AND_DOT, "y", y);
        range().check(AND_DOT, "w", w);
        requireOpen(AND_DOT);
        requireApart(AND_DOT, "x", x, "y", y);
        if (w != y) {
            requireApart(AND_DOT, "w", w, "y", y);
        }
        checkResult(AND_DOT, result, at, y, x, w);
    }

    @Override
    public final void residual(DenseVector b, DenseVector x, DenseVector r) {
        checkResidual(b, x, r);
        runResidual(b, x, r);
    }

    @Override
    @MustBeClosed
    public final PreparedStep bindResidual(DenseVector b, DenseVector x, DenseVector r) {
        checkResidual(b, x, r);
        return residualStep(b, x, r);
    }

    private void checkResidual(DenseVector b, DenseVector x, DenseVector r) {
        range().check(RESIDUAL, "b", b);
        domain().check(RESIDUAL, "x", x);
        range().check(RESIDUAL, "r", r);
        requireOpen(RESIDUAL);
        requireApart(RESIDUAL, "b", b, "r", r);
        requireApart(RESIDUAL, "x", x, "r", r);
    }

    @Override
    public final void jacobiStep(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y) {
        checkJacobi(x, inverseDiagonal, b, y);
        runJacobi(omega, x, inverseDiagonal, b, y);
    }

    @Override
    @MustBeClosed
    public final PreparedStep bindJacobiStep(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y) {
        checkJacobi(x, inverseDiagonal, b, y);
        return jacobiStepOf(omega, x, inverseDiagonal, b, y);
    }

    private void checkJacobi(DenseVector x, DenseVector inverseDiagonal, DenseVector b, DenseVector y) {
        if (rows() != columns()) {
            throw new IllegalArgumentException(JACOBI + " with " + this + ", expected a square matrix");
        }
        domain().check(JACOBI, "x", x);
        range().check(JACOBI, "the inverse diagonal", inverseDiagonal);
        range().check(JACOBI, "b", b);
        range().check(JACOBI, "y", y);
        requireOpen(JACOBI);
        requireApart(JACOBI, "x", x, "y", y);
        requireApart(JACOBI, "the inverse diagonal", inverseDiagonal, "y", y);
        requireApart(JACOBI, "b", b, "y", y);
    }

    private void checkResult(String operation, DenseVector result, int at, DenseVector... others) {
        if (result.precision() != Precision.F64) {
            throw new IllegalArgumentException(operation + ": the result has precision " + result.precision().label()
                    + ", expected f64");
        }
        if (!result.space().equals(space())) {
            throw new IllegalArgumentException(operation + ": the result lives on " + result.space() + ", expected "
                    + space());
        }
        Checks.index(operation + ": element of the result", at, result.length());
        for (DenseVector other : others) {
            requireApart(operation, "the result", result, "an operand", other);
        }
    }

    private static void requireApart(String operation, String name, DenseVector one, String otherName,
            DenseVector other) {
        if (one.overlaps(other)) {
            throw new IllegalArgumentException(operation + ": " + name + " and " + otherName
                    + " are one vector or overlap, expected two that do not");
        }
    }

    @Override
    public LinearOperator transposed() {
        return new TransposedOperator(this);
    }

    /**
     * Checks that this operator was not closed.
     *
     * @param operation what is to be done, for the message
     * @throws IllegalStateException if it was
     */
    protected final void requireOpen(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + ": the operator of " + description() + " is closed");
        }
    }

    /**
     * Says what this is an operator of, for messages.
     *
     * @return a few words
     */
    protected String description() {
        return toString();
    }

    /** Releases what {@link #close()} must release; called once. Does nothing unless overridden. */
    protected void release() {}

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }
}
