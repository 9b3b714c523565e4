package org.trellis.internal.threads.product;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.function.Function;
import org.trellis.common.Precision;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/** Prepares scalar products straight from compressed sparse rows. */
public final class CsrPreparation implements TeamSpmvOperator.Preparation {
    private final WorkerTeam team;
    private final boolean ordered;

    /**
     * Creates a preparation.
     *
     * @param team the threads that will run the products
     */
    public CsrPreparation(WorkerTeam team) {
        this(team, false);
    }

    /**
     * Creates a preparation.
     *
     * @param team    the threads that will run the products
     * @param ordered whether the entries of a row are added up in the order of the vector kernels, so that both give
     *                the same bits
     */
    public CsrPreparation(WorkerTeam team, boolean ordered) {
        this.team = team;
        this.ordered = ordered;
    }

    @Override
    public List<PreparedProduct> single(CsrMatrix matrix, SpmvParameters parameters) {
        boolean split = parameters.family() == SpmvFamily.CSR_BALANCED;
        return forEachSegment(matrix, matrix.precision() == Precision.F64
                ? segment -> new DoubleCsrProduct(segment, team.size(), split, ordered)
                : segment -> new FloatCsrProduct(segment, team.size(), split, ordered));
    }

    @Override
    public List<PreparedProduct> multiple(CsrMatrix matrix, int count) {
        return forEachSegment(matrix, matrix.precision() == Precision.F64
                ? segment -> new DoubleCsrMultiVector(segment, team.size(), count)
                : segment -> new FloatCsrMultiVector(segment, team.size(), count));
    }

    private static List<PreparedProduct> forEachSegment(CsrMatrix matrix,
            Function<CsrSegment, PreparedProduct> prepare) {
        return matrix.segments().stream().map(prepare).toList();
    }

    @Override
    @MustBeClosed
    public SpmvOperator transposed(CsrMatrix transpose) {
        return new TeamSpmvOperator(transpose, SpmvParameters.of(SpmvFamily.CSR_BALANCED), team, this);
    }
}
