package org.trellis.convert.mtj;

import java.util.Map;
import no.uib.cipr.matrix.DenseVector;
import no.uib.cipr.matrix.Matrix;
import no.uib.cipr.matrix.Vector;
import no.uib.cipr.matrix.sparse.CompRowMatrix;
import no.uib.cipr.matrix.sparse.Preconditioner;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.solve.krylov.ArrayOperator;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * A preconditioner of Trellis where MTJ takes one: multigrid ({@code amg}) in place of MTJ's {@code AMG}, {@code ic0},
 * {@code ssor} and others. {@link #setMatrix} makes it, again after the values have changed.
 */
public final class MtjPreconditioner implements Preconditioner, AutoCloseable {
    private final String name;
    private final Map<String, String> options;
    private final Backend backend;
    private SpmvOperator product;
    private org.trellis.solve.Preconditioner made;

    /**
     * Chooses a preconditioner.
     *
     * @param name    one of {@link NamedPreconditioners#names} but {@code none}
     * @param options its options, perhaps none
     * @throws IllegalArgumentException if a name is unknown, or it is {@code none}; lists what there is
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    public MtjPreconditioner(String name, Map<String, String> options) {
        NamedPreconditioners.check(name, options);
        if (name.equals("none") || !NamedPreconditioners.names().contains(name)) {
            throw new IllegalArgumentException(
                    "preconditioner " + name + ", expected one of " + NamedPreconditioners.names()
                            + " but none, which MTJ does without a preconditioner");
        }
        this.name = name;
        this.options = Map.copyOf(options);
        this.backend = Backends.open("cpu", Configuration.load());
    }

    /**
     * Makes the preconditioner.
     *
     * @param matrix a {@link CompRowMatrix}, the form of MTJ whose arrays Trellis can take
     * @throws IllegalArgumentException if it is another kind of matrix, or does not suit the preconditioner
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element or pivot has no inverse; names the
     *         row
     */
    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public void setMatrix(Matrix matrix) {
        if (!(matrix instanceof CompRowMatrix rows)) {
            throw new IllegalArgumentException("preconditioner " + name + " of a " + matrix.getClass().getSimpleName()
                    + ", expected a CompRowMatrix");
        }
        release();
        // A copy: values of MTJ's matrix may change while this is used.
        CsrMatrix copy = MtjConverter.view(rows).mapValues(value -> value);
        product = backend.kernels(SparseKernels.class).prepare(copy);
        made = NamedPreconditioners.of(name, copy, product, backend, options).orElseThrow();
    }

    @Override
    public Vector apply(Vector b, Vector x) {
        if (made == null) {
            throw new IllegalStateException("preconditioner " + name + " is applied without a matrix, expected "
                    + "setMatrix() before");
        }
        return x.set(new DenseVector(ArrayOperator.multiply(made, array(b)), false));
    }

    /**
     * Applies the transpose, where the preconditioner is symmetric.
     *
     * @throws UnsupportedOperationException if it is not
     */
    @Override
    public Vector transApply(Vector b, Vector x) {
        if (made != null && !made.symmetric()) {
            throw new UnsupportedOperationException(made + " is applied transposed, expected a symmetric one");
        }
        return apply(b, x);
    }

    static double[] array(Vector vector) {
        return new DenseVector(vector, true).getData();
    }

    private void release() {
        if (made != null) {
            made.close();
            made = null;
        }
        if (product != null) {
            product.close();
            product = null;
        }
    }

    /** Releases the preconditioner and its backend. Idempotent. */
    @Override
    public void close() {
        release();
        backend.close();
    }
}
