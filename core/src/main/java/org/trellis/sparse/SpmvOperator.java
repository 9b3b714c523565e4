package org.trellis.sparse;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.trellis.common.Checks;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.MultiVector;
import org.trellis.memory.Numbering;
import org.trellis.memory.VectorSpace;

/**
 * A prepared matrix that multiplies vectors. The public methods check their arguments and then run the backend's
 * kernel.
 *
 * <p>Operands have the precision of the matrix, live in the operator's memory space and do not overlap. With
 * {@code beta = 0} the old contents of {@code y} are not read, so they may be anything, NaN included. The same operator
 * and the same operands give the same bits. An operator serves one thread at a time.
 *
 * <p>An operator is bound to no numbering unless {@link #bindTo} says otherwise.
 */
public abstract class SpmvOperator extends CheckedOperator {
    private final SpmvParameters parameters;
    private final long nonZeros;
    private final boolean square;
    private VectorSpace domain;
    private VectorSpace range;
    private SparseMatrix matrix;
    private Supplier<SparseMatrix> refilled;
    private long refills;

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
        this.nonZeros = matrix.nonZeros();
        this.square = matrix.rows() == matrix.columns();
        this.domain = VectorSpace.of(matrix.columns(), matrix.precision(), space);
        this.range = VectorSpace.of(matrix.rows(), matrix.precision(), space);
    }

    /** Costs a pass over the entries on the calling thread. */
    @Override
    public Optional<double[]> multiplyInDouble(DenseVector x) {
        HostVector elements = HostVector.zeros(x.precision(), x.length());
        x.copyTo(elements);
        double[] product = new double[rows()];
        matrix().forEachEntry((row, column, value) -> product[row] += value * elements.get(column));
        return Optional.of(product);
    }

    @Override
    public final VectorSpace domain() {
        return domain;
    }

    @Override
    public final VectorSpace range() {
        return range;
    }

    /**
     * Says in which numberings the rows and columns of the matrix are. Products then accept vectors that fit these and
     * no others.
     *
     * @param rows    the numbering of the rows
     * @param columns the numbering of the columns
     * @return this operator
     */
    public final SpmvOperator bindTo(Numbering rows, Numbering columns) {
        range = range.in(rows);
        domain = domain.in(columns);
        return this;
    }

    /**
     * Returns the matrix. After a {@link #refill} from a device's memory the first call fetches the values.
     *
     * @return the matrix that this operator multiplies by
     */
    public final SparseMatrix matrix() {
        if (refilled != null) {
            matrix = refilled.get();
            refilled = null;
        }
        return matrix;
    }

    @Override
    public Optional<HostVector> diagonal() {
        return Optional.of(matrix().toCsr().diagonal());
    }

    @Override
    protected ElementKernels elements() {
        return HostElements.PLAIN;
    }

    /**
     * Gives the matrix other values and keeps its structure. Products give the same bits as those of an operator that
     * was prepared from the matrix with the new values. Costs a pass over the matrix and no new analysis of its
     * structure; steps that were bound see the new values. On a device, values that are there already stay there.
     *
     * @param values the value of each entry in the order of compressed rows ({@code matrix().toCsr()}), on the host or
     *               in the operator's memory space; copied
     * @throws IllegalArgumentException if number, precision or memory space do not fit, or a symmetric matrix would not
     *                                  be symmetric any more; nothing has changed then
     * @throws IllegalStateException    if this operator is closed
     */
    public final void refill(DenseVector values) {
        requireOpen("refill");
        Checks.length("number of values to refill " + description(), values.length(), nonZeros);
        if (values.precision() != precision()) {
            throw new IllegalArgumentException("refill: the values have precision " + values.precision().label()
                    + ", expected that of the matrix, " + precision().label());
        }
        if (!values.space().equals(space()) && !values.space().equals(MemorySpace.HOST)) {
            throw new IllegalArgumentException("refill: the values live on " + values.space() + ", expected "
                    + space() + " or " + MemorySpace.HOST);
        }
        replaceValues(values.toRead());
        refills++;
    }

    /**
     * Returns how often the matrix was given other values.
     *
     * @return 0 until the first {@link #refill(DenseVector)}
     */
    public final long refills() {
        return refills;
    }

    /**
     * Gives the matrix other values and keeps its structure.
     *
     * @param values the value of each entry in the order of compressed rows; rounded to nearest in single precision
     * @throws IllegalArgumentException if there are more or fewer, or a symmetric matrix would not be symmetric any
     *                                  more; nothing has changed then
     * @throws IllegalStateException    if this operator is closed
     * @see #refill(DenseVector)
     */
    public final void refill(double... values) {
        refill(HostVector.of(values).convert(precision()));
    }

    /**
     * Does a refill with values that fit. This one is for values on the host and operators that are prepared again from
     * {@link #matrix()}.
     *
     * @param values the value of each entry in the order of compressed rows
     */
    protected void replaceValues(DenseVector values) {
        SparseMatrix next = structure().withValues((HostVector) values);
        replaceMatrix(() -> next);
    }

    /**
     * Returns a matrix of the structure of {@link #matrix()}, whose values may be those of before a refill. Fetches
     * nothing.
     *
     * @return the matrix that was known last
     */
    protected final SparseMatrix structure() {
        return matrix;
    }

    /**
     * Replaces what {@link #matrix()} returns.
     *
     * @param next gives a matrix of the same structure; called once, when a caller asks
     */
    protected final void replaceMatrix(Supplier<SparseMatrix> next) {
        refilled = next;
    }

    /**
     * Says whether the matrix has as many rows as columns.
     *
     * @return true if it is square
     */
    public final boolean isSquare() {
        return square;
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
     * Says whether products run from now on as the last one did. An operator that looks for a faster way among the
     * products of the program says no until it has taken one; it may look again later.
     *
     * @return true, unless overridden
     */
    public boolean isSettled() {
        return true;
    }

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
        checkMultiple("X", x, columns());
        checkMultiple("Y", y, rows());
        requireOpen("Y = A X");
        if (x.storage().overlaps(y.storage())) {
            throw new IllegalArgumentException("Y = A X: X and Y are one vector or overlap, expected two that do not");
        }
        runMultiple(alpha, x, beta, y);
    }

    private void checkMultiple(String name, MultiVector vectors, int expected) {
        if (vectors.length() != expected) {
            throw new IllegalArgumentException("Y = A X: " + name + " has " + vectors.length() + " elements, expected "
                    + expected);
        }
        VectorSpace.of(vectors.storage().length(), precision(), space()).check("Y = A X", name, vectors.storage());
    }

    /**
     * Runs {@code Y = α A X + β Y} on checked operands.
     *
     * @param alpha α
     * @param x     vectors of {@code columns} elements
     * @param beta  β; with 0 the old {@code y} must not be read
     * @param y     as many vectors of {@code rows} elements
     */
    protected abstract void runMultiple(double alpha, MultiVector x, double beta, MultiVector y);

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
    protected static void runChecked(SpmvOperator other, double alpha, DenseVector x, double beta, DenseVector y) {
        other.run(alpha, x, beta, y);
    }

    /**
     * Returns another operator's element kernels, for operators that hand their products on.
     *
     * @param other an operator
     * @return its kernels
     */
    protected static ElementKernels elementsOf(SpmvOperator other) {
        return other.elements();
    }

    @Override
    protected String description() {
        return matrix.toString();
    }

    @Override
    public String toString() {
        return "product of " + matrix + " as " + parameters();
    }
}
