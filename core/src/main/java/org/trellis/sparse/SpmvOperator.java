package org.trellis.sparse;

import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.MultiVector;

/**
 * A prepared matrix that multiplies vectors. The public methods check their arguments and then run the backend's
 * kernel.
 *
 * <p>Operands have the precision of the matrix, live in the operator's memory space and do not overlap. With
 * {@code beta = 0} the old contents of {@code y} are not read, so they may be anything, NaN included. The same operator
 * and the same operands give the same bits. An operator serves one thread at a time.
 */
public abstract class SpmvOperator implements AutoCloseable {
    private final SparseMatrix matrix;
    private final SpmvParameters parameters;
    private final MemorySpace space;
    private boolean closed;

    /**
     * Creates an operator. For backends.
     *
     * @param matrix     the matrix
     * @param parameters how products are run
     * @param space      where operands must live
     */
    protected SpmvOperator(SparseMatrix matrix, SpmvParameters parameters, MemorySpace space) {
        this.matrix = Objects.requireNonNull(matrix);
        this.parameters = Objects.requireNonNull(parameters);
        this.space = Objects.requireNonNull(space);
    }

    /**
     * Returns the matrix.
     *
     * @return the matrix that this operator was prepared from
     */
    public final SparseMatrix matrix() {
        return matrix;
    }

    /**
     * Returns how products are run.
     *
     * @return the parameters; of an operator that is still being tuned, those of the best way so far
     */
    public SpmvParameters parameters() {
        return parameters;
    }

    /**
     * Returns the memory that the prepared form takes.
     *
     * @return bytes read by one product, without the vectors
     */
    public abstract long preparedBytes();

    /**
     * Does now what the first product would do before its work, such as compiling its kernel. Idempotent. Does nothing
     * unless overridden.
     *
     * @throws org.trellis.common.KernelCompilationException if the kernel does not compile
     */
    public void makeReady() {}

    /**
     * Computes {@code y = A x}.
     *
     * @param x {@code columns} elements
     * @param y {@code rows} elements, overwritten
     * @throws IllegalArgumentException if a length, precision or memory space does not fit or the operands are one
     *         vector
     * @throws IllegalStateException    if this operator is closed
     */
    public final void multiply(DenseVector x, DenseVector y) {
        multiply(1, x, 0, y);
    }

    /**
     * Computes {@code y = α A x + β y}.
     *
     * @param alpha α
     * @param x     {@code columns} elements
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     {@code rows} elements, overwritten
     * @throws IllegalArgumentException if a length, precision or memory space does not fit or the operands are one
     *         vector
     * @throws IllegalStateException    if this operator is closed
     */
    public final void multiply(double alpha, DenseVector x, double beta, DenseVector y) {
        check("y = A x", x, matrix.columns(), y, matrix.rows());
        apply(alpha, x, beta, y);
    }

    /**
     * Computes {@code y = α Aᵀ x + β y}.
     *
     * @param alpha α
     * @param x     {@code rows} elements
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     {@code columns} elements, overwritten
     * @throws IllegalArgumentException if a length, precision or memory space does not fit or the operands are one
     *         vector
     * @throws IllegalStateException    if this operator is closed
     */
    public final void multiplyTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        check("y = A^T x", x, matrix.rows(), y, matrix.columns());
        applyTransposed(alpha, x, beta, y);
    }

    /**
     * Computes {@code Y = α A X + β Y} for several vectors at once.
     *
     * @param alpha α
     * @param x     vectors of {@code columns} elements
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     as many vectors of {@code rows} elements, overwritten
     * @throws IllegalArgumentException if a length, number of vectors, precision or memory space does not fit or the
     *                                  operands share storage
     * @throws IllegalStateException    if this operator is closed
     */
    public final void multiply(double alpha, MultiVector x, double beta, MultiVector y) {
        if (x.count() != y.count()) {
            throw new IllegalArgumentException("Y = A X: X has " + x.count() + " vectors and Y has " + y.count()
                    + ", expected as many");
        }
        checkLength("Y = A X", "X", x.length(), matrix.columns());
        checkLength("Y = A X", "Y", y.length(), matrix.rows());
        checkOperands("Y = A X", x.storage(), y.storage());
        applyMultiple(alpha, x, beta, y);
    }

    private void check(String operation, DenseVector x, int xLength, DenseVector y, int yLength) {
        checkLength(operation, "x", x.length(), xLength);
        checkLength(operation, "y", y.length(), yLength);
        checkOperands(operation, x, y);
    }

    private void checkLength(String operation, String name, int actual, int expected) {
        if (actual != expected) {
            throw new IllegalArgumentException(
                    operation + " with A of " + matrix.rows() + " x " + matrix.columns() + ": "
                            + name + " has " + actual + " elements, expected " + expected);
        }
    }

    private void checkOperands(String operation, DenseVector x, DenseVector y) {
        requireOpen(operation);
        checkPlace(operation, "x", x);
        checkPlace(operation, "y", y);
        if (overlap(x, y)) {
            throw new IllegalArgumentException(
                    operation + ": x and y are one vector, expected two that do not overlap");
        }
    }

    @SuppressWarnings("ReferenceEquality") // one object is what is asked about
    private static boolean overlap(DenseVector x, DenseVector y) {
        if (x instanceof HostVector hostX && y instanceof HostVector hostY) {
            return hostX.length() > 0 && hostX.sharesArrayWith(hostY);
        }
        return x == y;
    }

    private void checkPlace(String operation, String name, DenseVector vector) {
        Precision expected = matrix.precision();
        if (vector.precision() != expected) {
            throw new IllegalArgumentException(operation + ": " + name + " has precision " + vector.precision().label()
                    + ", expected that of the matrix, " + expected.label());
        }
        if (vector.space() != space) {
            throw new IllegalArgumentException(operation + ": " + name + " lives on " + vector.space() + ", expected "
                    + space);
        }
    }

    /**
     * Runs {@code y = α A x + β y} on checked operands.
     *
     * @param alpha α
     * @param x     {@code columns} elements
     * @param beta  β; with 0 the old {@code y} must not be read
     * @param y     {@code rows} elements
     */
    protected abstract void apply(double alpha, DenseVector x, double beta, DenseVector y);

    /**
     * Runs {@code y = α Aᵀ x + β y} on checked operands.
     *
     * @param alpha α
     * @param x     {@code rows} elements
     * @param beta  β; with 0 the old {@code y} must not be read
     * @param y     {@code columns} elements
     */
    protected abstract void applyTransposed(double alpha, DenseVector x, double beta, DenseVector y);

    /**
     * Runs {@code Y = α A X + β Y} on checked operands.
     *
     * @param alpha α
     * @param x     vectors of {@code columns} elements
     * @param beta  β; with 0 the old {@code y} must not be read
     * @param y     as many vectors of {@code rows} elements
     */
    protected abstract void applyMultiple(double alpha, MultiVector x, double beta, MultiVector y);

    /**
     * Runs another operator's product on operands that were checked for this one, for operators that hand their
     * products on.
     *
     * @param other an open operator of the same matrix in the same memory space
     * @param alpha α
     * @param x     {@code columns} elements
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     {@code rows} elements
     */
    protected static void applyChecked(SpmvOperator other, double alpha, DenseVector x, double beta, DenseVector y) {
        other.apply(alpha, x, beta, y);
    }

    /**
     * Checks that this operator was not closed.
     *
     * @param operation what is to be done, for the message
     * @throws IllegalStateException if it was
     */
    protected final void requireOpen(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + ": the operator of " + matrix + " is closed");
        }
    }

    /** Releases what {@link #close()} must release; called once. Does nothing unless overridden. */
    protected void release() {}

    /** Releases the prepared form. Idempotent; products afterwards are an {@link IllegalStateException}. */
    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            release();
        }
    }

    @Override
    public String toString() {
        return "product of " + matrix + " as " + parameters;
    }
}
