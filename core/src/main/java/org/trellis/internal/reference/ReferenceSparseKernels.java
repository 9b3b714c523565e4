package org.trellis.internal.reference;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/** Products straight from the stored format, whichever it is. */
final class ReferenceSparseKernels implements SparseKernels {
    private final ReferenceLock turn;

    ReferenceSparseKernels(ReferenceLock turn) {
        this.turn = turn;
    }

    @Override
    public SpmvParameters rule(SparseMatrix matrix) {
        return SpmvParameters.of(switch (matrix.format()) {
            case CSR -> SpmvFamily.CSR;
            case COO -> SpmvFamily.COO;
            case ELLPACK -> SpmvFamily.ELLPACK;
            case SELL -> SpmvFamily.SELL;
            case SYMMETRIC -> SpmvFamily.SYMMETRIC;
        });
    }

    @Override
    public List<SpmvParameters> parameterSpace(SparseMatrix matrix) {
        return List.of(rule(matrix));
    }

    @Override
    public Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters) {
        SpmvParameters only = rule(matrix);
        return parameters.equals(only)
                ? Optional.empty()
                : Optional.of("parameters are '" + parameters + "', expected '" + only + "' for " + matrix);
    }

    @Override
    @MustBeClosed
    public SpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters) {
        constraint(matrix, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException("the product", ReferenceBackendProvider.NAME, reason);
        });
        return new ReferenceSpmvOperator(matrix, parameters, turn);
    }
}
