package org.trellis.fem;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/** The values of a form, however they are kept. */
interface StoredForm extends AutoCloseable {
    /** Computes the values. */
    void assemble();

    /** Returns what multiplies; stays the same when values are computed again. */
    LinearOperator operator();

    /** Says whether values are kept in compressed rows. */
    default boolean keepsRows() {
        return false;
    }

    /** Returns the matrix in compressed rows, if it is kept so. */
    Optional<CsrMatrix> matrix();

    /** Returns the matrix in the memory of the backend, a copy that the caller closes, if it is kept in rows there. */
    default Optional<BackendMatrix> backendMatrix() {
        return Optional.empty();
    }

    /** Returns the backend's own kernels, if the form is computed by them. */
    default Optional<DeviceForms.DeviceForm> device() {
        return Optional.empty();
    }

    /** Returns the rows over all ranks; empty on one rank and if no rows are kept. */
    default Optional<FormRanks.Rows> rows() {
        return Optional.empty();
    }

    /** Returns the bytes of values and indices that a product reads. */
    long storedBytes();

    /** Returns what a product moves by the model of the thesis (section 3.3.4), in bytes: x once for each entry. */
    long modelBytes();

    /**
     * Makes sweeps over colours of rows, if they cost less than products do.
     *
     * @param colours of the rows
     * @param inverse of the diagonal
     * @return sweeps with the values of now, which the caller closes, or empty
     */
    default Optional<ColourSweeps> sweeps(RowColours colours, DenseVector inverse) {
        return Optional.empty();
    }

    @Override
    void close();
}
