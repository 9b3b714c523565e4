package org.trellis.fem;

import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/**
 * What a rank has of a form: the values of its cells, of whatever storage, and a product that begins with an exchange.
 * Compressed rows become a matrix over all ranks.
 */
final class LocalStoredForm implements StoredForm {
    private final StoredForm own;
    private final LocalFormSpace share;
    /** Of compressed rows, made by the first assembly; else null. */
    private FormRanks.Rows rows;
    /** Of other storages, else null. */
    private final LocalFormOperator operator;

    @SuppressWarnings("MustBeClosed") // closed with this
    LocalStoredForm(StoredForm own, LocalFormSpace share, Precision precision, Backend backend) {
        this.own = own;
        this.share = share;
        this.operator = own.keepsRows() ? null : new LocalFormOperator(own.operator(), share, precision, backend);
    }

    @Override
    public void assemble() {
        own.assemble();
        if (rows != null) {
            rows.refill(ownRows().onlySegment().values());
        }
    }

    @Override
    public boolean keepsRows() {
        return own.keepsRows();
    }

    /** Takes the rows that the rank owns, which are the first ones. */
    private CsrMatrix ownRows() {
        CsrMatrix all = own.matrix().orElseThrow();
        return all.submatrix(0, share.owned(), 0, all.columns());
    }

    @Override
    public LinearOperator operator() {
        return operator != null ? operator : rows().orElseThrow().operator();
    }

    @Override
    public Optional<CsrMatrix> matrix() {
        return keepsRows() ? Optional.of(ownRows()) : Optional.empty();
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this
    public Optional<FormRanks.Rows> rows() {
        if (rows == null && keepsRows()) {
            rows = share.ranks().rows(share.numbers(), ownRows());
        }
        return Optional.ofNullable(rows);
    }

    /** Returns nothing: a matrix over ranks is made of what is on the host. */
    @Override
    public Optional<BackendMatrix> backendMatrix() {
        return Optional.empty();
    }

    @Override
    public Optional<DeviceForms.DeviceForm> device() {
        return own.device();
    }

    @Override
    public Optional<ColourSweeps> sweeps(RowColours colours, DenseVector inverse) {
        return Optional.empty();
    }

    @Override
    public long storedBytes() {
        return own.storedBytes();
    }

    @Override
    public long modelBytes() {
        return own.modelBytes();
    }

    @Override
    public void close() {
        if (operator != null) {
            operator.close();
        }
        if (rows != null) {
            rows.close();
        }
        own.close();
    }
}
