package org.trellis.internal.simd;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.function.Function;
import org.trellis.common.Precision;
import org.trellis.internal.threads.product.CsrPreparation;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.internal.threads.product.TeamSpmvOperator;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/** Converts matrices for the vector kernels; what they do not do is left to the scalar ones. */
final class SimdPreparation implements TeamSpmvOperator.Preparation {
    private final SimdSparseKernels kernels;
    private final WorkerTeam team;
    private final CsrPreparation scalar;

    SimdPreparation(SimdSparseKernels kernels, WorkerTeam team) {
        this.kernels = kernels;
        this.team = team;
        this.scalar = new CsrPreparation(team);
    }

    @Override
    public List<PreparedProduct> single(CsrMatrix matrix, SpmvParameters parameters) {
        int run = switch (parameters.family()) {
            case SELL_RUNS -> ColumnPattern.runLength(matrix);
            case SELL -> 1;
            default -> 0;
        };
        if (run > 0) {
            return matrix.segments().stream().flatMap(segment -> sell(segment, matrix, parameters, run).stream())
                    .toList();
        }
        return switch (parameters.family()) {
            case SELL_DIAGONALS -> forEachSegment(matrix, diagonals(matrix));
            default -> scalar.single(matrix, parameters);
        };
    }

    private List<PreparedProduct> sell(CsrSegment segment, CsrMatrix matrix, SpmvParameters parameters, int run) {
        int block = parameters.blockSize();
        int window = parameters.sortingWindow();
        return matrix.precision() == Precision.F64
                ? DoubleColumnBlocks.prepare(segment, matrix.columns(), block, window, run, team.size())
                : FloatColumnBlocks.prepare(segment, matrix.columns(), block, window, run, team.size());
    }

    private Function<CsrSegment, PreparedProduct> diagonals(CsrMatrix matrix) {
        return matrix.precision() == Precision.F64
                ? segment -> new DoubleDiagonalsProduct(segment, matrix.columns(), team.size())
                : segment -> new FloatDiagonalsProduct(segment, matrix.columns(), team.size());
    }

    private static List<PreparedProduct> forEachSegment(CsrMatrix matrix,
            Function<CsrSegment, PreparedProduct> prepare) {
        return matrix.segments().stream().map(prepare).toList();
    }

    @Override
    public List<PreparedProduct> multiple(CsrMatrix matrix, int count) {
        return scalar.multiple(matrix, count);
    }

    @Override
    @MustBeClosed
    public SpmvOperator transposed(CsrMatrix transpose) {
        return kernels.prepare(transpose);
    }
}
