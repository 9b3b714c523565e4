package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.internal.threads.product.CsrPreparation;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.internal.threads.product.TeamSpmvOperator;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * Prepares products that go over to vector code where some is proposed, or scalar ones that give the same bits; and
 * plain scalar ones elsewhere.
 */
final class CpuPreparation implements TeamSpmvOperator.Preparation {
    private final CpuSparseKernels kernels;
    private final CsrPreparation plain;
    private final CsrPreparation ordered;

    CpuPreparation(CpuSparseKernels kernels, WorkerTeam team) {
        this.kernels = kernels;
        this.plain = new CsrPreparation(team);
        this.ordered = new CsrPreparation(team, true);
    }

    @Override
    public Optional<TeamSpmvOperator.Chooser> chooser(CsrMatrix matrix, SpmvParameters parameters) {
        return kernels.adaptive(matrix, ordered).map(TeamSpmvOperator.Chooser.class::cast);
    }

    @Override
    public List<PreparedProduct> single(CsrMatrix matrix, SpmvParameters parameters) {
        CsrPreparation scalar = kernels.proposed(matrix).isPresent() ? ordered : plain;
        return scalar.single(matrix, SpmvParameters.of(SpmvFamily.CSR_BALANCED));
    }

    @Override
    public List<PreparedProduct> multiple(CsrMatrix matrix, int count) {
        return plain.multiple(matrix, count);
    }

    @Override
    @MustBeClosed
    public SpmvOperator transposed(CsrMatrix transpose) {
        return kernels.prepare(transpose);
    }
}
