package org.trellis.mesh.matrix;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.Numbering;
import org.trellis.memory.VectorSpace;
import org.trellis.mesh.MeshSet;
import org.trellis.sparse.CheckedOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * A matrix whose rows and columns are elements of mesh sets, given in the user's numbering. It is multiplied in the
 * numbering that the sets have now: when one was renumbered, the next use permutes the matrix and prepares it again,
 * which costs what preparing it costs. Operands are vectors of dats on these sets, or others bound to their current
 * numbering; as long as the sets are in the user's order, also plain vectors. Everything else is refused, so that no
 * product mixes numberings.
 *
 * <p>A set may have several rows or columns for each element; they lie side by side, as the components of a dat do.
 */
public final class SetMatrix extends CheckedOperator {
    private final MeshSet rowSet;
    private final MeshSet columnSet;
    private final int rowComponents;
    private final int columnComponents;
    private final Function<? super CsrMatrix, ? extends SpmvOperator> preparation;
    private CsrMatrix matrix;
    private VectorSpace range;
    private VectorSpace domain;
    private SpmvOperator prepared;

    private SetMatrix(MeshSet rows, MeshSet columns, CsrMatrix matrix,
            Function<? super CsrMatrix, ? extends SpmvOperator> preparation) {
        this.rowSet = Objects.requireNonNull(rows);
        this.columnSet = Objects.requireNonNull(columns);
        this.rowComponents = components("rows", matrix.rows(), rows);
        this.columnComponents = components("columns", matrix.columns(), columns);
        this.matrix = matrix;
        this.preparation = Objects.requireNonNull(preparation);
        number();
    }

    private static int components(String what, int count, MeshSet set) {
        if (set.size() == 0 ? count != 0 : count == 0 || count % set.size() != 0) {
            throw new IllegalArgumentException("matrix of " + count + " " + what + " on " + set
                    + ", expected a multiple of the elements");
        }
        return set.size() == 0 ? 1 : count / set.size();
    }

    /**
     * Binds a matrix to sets, multiplied as the rule of the mesh's backend says.
     *
     * @param rows    the set of the rows
     * @param columns the set of the columns, of the same mesh
     * @param matrix  the matrix in the user's numbering of both; rows and columns are multiples of the elements
     * @return an operator that the caller closes, before the mesh's backend
     * @throws IllegalArgumentException if the sizes do not fit or the sets are of different meshes
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // what the lambda makes is closed by the matrix
    public static SetMatrix of(MeshSet rows, MeshSet columns, CsrMatrix matrix) {
        return of(rows, columns, matrix, csr -> backend(rows).kernels(SparseKernels.class).prepare(csr));
    }

    /**
     * Binds a matrix to sets.
     *
     * @param rows        the set of the rows
     * @param columns     the set of the columns, of the same mesh
     * @param matrix      the matrix in the user's numbering of both; rows and columns are multiples of the elements
     * @param preparation prepares the permuted matrix on the mesh's backend, for example with given parameters or for
     *                    tuning; what it makes is closed by this object
     * @return an operator that the caller closes, before the mesh's backend
     * @throws IllegalArgumentException if the sizes do not fit or the sets are of different meshes
     * @throws IllegalStateException if a set has changed its size
     */
    @MustBeClosed
    public static SetMatrix of(MeshSet rows, MeshSet columns, CsrMatrix matrix,
            Function<? super CsrMatrix, ? extends SpmvOperator> preparation) {
        if (!rows.mesh().equals(columns.mesh())) {
            throw new IllegalArgumentException("matrix on " + rows + " and " + columns
                    + " of another mesh, expected sets of one mesh");
        }
        return new SetMatrix(rows, columns, matrix, preparation);
    }

    private static Backend backend(MeshSet set) {
        return set.mesh().backend();
    }

    /** Takes the current numbering of the sets for domain and range. */
    private void number() {
        requireSize("rows", matrix.rows(), rowSet, rowComponents);
        requireSize("columns", matrix.columns(), columnSet, columnComponents);
        VectorSpace plain = VectorSpace.of(matrix.rows(), matrix.precision(), backend(rowSet).device().space());
        range = plain.in(rowSet.numbering(rowComponents));
        domain = VectorSpace.of(matrix.columns(), matrix.precision(), plain.space())
                .in(columnSet.numbering(columnComponents));
    }

    private static void requireSize(String what, int count, MeshSet set, int components) {
        if (count != set.size() * components) {
            throw new IllegalStateException("matrix of " + count + " " + what + " on " + set
                    + ", which has changed its size, expected a new matrix on the set as it is now");
        }
    }

    private void follow() {
        if (!range.numbering().isCurrent() || !domain.numbering().isCurrent()) {
            number();
            drop();
        }
    }

    private void drop() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }

    @Override
    public VectorSpace range() {
        follow();
        return range;
    }

    @Override
    public VectorSpace domain() {
        follow();
        return domain;
    }

    /**
     * Returns the matrix.
     *
     * @return in the user's numbering
     */
    public CsrMatrix matrix() {
        return matrix;
    }

    /**
     * Returns the matrix as it is multiplied now, prepared if it was not.
     *
     * @return an operator in the current numbering of the sets, closed by this object when that changes
     * @throws IllegalStateException if this matrix is closed, or a set has changed its size
     */
    public SpmvOperator operator() {
        requireOpen("product");
        follow();
        if (prepared == null) {
            SpmvOperator made = preparation.apply(permuted());
            prepared = made.bindTo(range.numbering(), domain.numbering());
        }
        return prepared;
    }

    private CsrMatrix permuted() {
        return isUserOrder()
                ? matrix
                : matrix.permute(expanded(rowSet, rowComponents), expanded(columnSet, columnComponents));
    }

    private boolean isUserOrder() {
        return rowSet.inUserOrder() && columnSet.inUserOrder();
    }

    private static Permutation expanded(MeshSet set, int components) {
        int[] order = new int[set.size() * components];
        for (int element = 0; element < set.size(); element++) {
            for (int c = 0; c < components; c++) {
                order[element * components + c] = set.current(element) * components + c;
            }
        }
        return Permutation.ofNewIndices(order);
    }

    /**
     * Gives the matrix other values and keeps its structure. In the user's order, values that are on a device stay
     * there; after a renumbering they are permuted on the host.
     *
     * @param values the value of each entry of {@link #matrix()}, row by row; copied
     * @throws IllegalArgumentException if number, precision or memory space do not fit; nothing has changed then
     * @throws IllegalStateException    if this matrix is closed
     */
    public void refill(DenseVector values) {
        requireOpen("refill");
        Checks.length("number of values to refill " + matrix, values.length(), matrix.nonZeros());
        HostVector onHost = HostVector.zeros(values.precision(), values.length());
        values.copyTo(onHost);
        SparseMatrix next = matrix.withValues(onHost);
        if (prepared != null && isUserOrder()) {
            operator().refill(values);
        } else if (prepared != null) {
            CsrMatrix old = matrix;
            matrix = next.toCsr();
            try {
                operator().refill(valuesOf(permuted()));
            } catch (RuntimeException e) {
                matrix = old;
                throw e;
            }
        }
        matrix = next.toCsr();
    }

    private static HostVector valuesOf(CsrMatrix matrix) {
        return matrix.onlySegment().values().part(0, (int) matrix.nonZeros());
    }

    @Override
    protected ElementKernels elements() {
        return backend(rowSet).kernels(ElementKernels.class);
    }

    @Override
    protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
        operator().apply(alpha, x, beta, y);
    }

    @Override
    protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
        operator().applyTransposed(alpha, x, beta, y);
    }

    @Override
    protected void runAndDot(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        operator().multiplyAndDot(alpha, x, beta, y, w, result, at);
    }

    @Override
    protected void runResidual(DenseVector b, DenseVector x, DenseVector r) {
        operator().residual(b, x, r);
    }

    @Override
    protected void runJacobi(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b, DenseVector y) {
        operator().jacobiStep(omega, x, inverseDiagonal, b, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep step(double alpha, DenseVector x, double beta, DenseVector y) {
        return operator().bind(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // a transposed view owns nothing
    protected PreparedStep transposedStep(double alpha, DenseVector x, double beta, DenseVector y) {
        return operator().transposed().bind(alpha, x, beta, y);
    }

    @Override
    @MustBeClosed
    protected PreparedStep dotStep(double alpha, DenseVector x, double beta, DenseVector y, DenseVector w,
            DenseVector result, int at) {
        return operator().bindMultiplyAndDot(alpha, x, beta, y, w, result, at);
    }

    @Override
    @MustBeClosed
    protected PreparedStep residualStep(DenseVector b, DenseVector x, DenseVector r) {
        return operator().bindResidual(b, x, r);
    }

    @Override
    @MustBeClosed
    protected PreparedStep jacobiStepOf(double omega, DenseVector x, DenseVector inverseDiagonal, DenseVector b,
            DenseVector y) {
        return operator().bindJacobiStep(omega, x, inverseDiagonal, b, y);
    }

    /**
     * Returns the diagonal.
     *
     * @return a vector in the current numbering of the rows, to which it is bound
     */
    @Override
    public Optional<HostVector> diagonal() {
        Numbering numbering = range().numbering();
        HostVector diagonal = permuted().diagonal();
        if (diagonal.length() == rows()) {
            diagonal.bind(numbering);
        }
        return Optional.of(diagonal);
    }

    @Override
    protected void release() {
        drop();
    }

    @Override
    public String toString() {
        return "product of " + matrix + " on " + rowSet + " and " + columnSet;
    }
}
