package org.trellis.internal.threads;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.internal.threads.product.CsrPreparation;
import org.trellis.internal.threads.product.TeamSpmvOperator;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/** Scalar products from compressed sparse rows on all threads; other formats are converted first. */
final class ThreadsSparseKernels implements SparseKernels {
    private static final List<SpmvParameters> SPACE =
            List.of(SpmvParameters.of(SpmvFamily.CSR_BALANCED), SpmvParameters.of(SpmvFamily.CSR));

    private final WorkerTeam team;

    ThreadsSparseKernels(WorkerTeam team) {
        this.team = team;
    }

    @Override
    public SpmvParameters rule(SparseMatrix matrix) {
        return SPACE.getFirst();
    }

    @Override
    public List<SpmvParameters> parameterSpace(SparseMatrix matrix) {
        return SPACE;
    }

    @Override
    public Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters) {
        return SPACE.contains(parameters)
                ? Optional.empty()
                : Optional.of("parameters are '" + parameters + "', expected one of " + SPACE);
    }

    @Override
    @MustBeClosed
    public SpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters) {
        constraint(matrix, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException("the product", ThreadsBackendProvider.NAME, reason);
        });
        return new TeamSpmvOperator(matrix, parameters, team, new CsrPreparation(team));
    }
}
