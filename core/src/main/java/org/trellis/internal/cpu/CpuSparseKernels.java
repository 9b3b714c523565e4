package org.trellis.internal.cpu;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.internal.simd.SimdSparseKernels;
import org.trellis.internal.threads.product.CsrPreparation;
import org.trellis.internal.threads.product.TeamSpmvOperator;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * Products that start in scalar code and go over to what the {@code simd} backend proposes, if that is faster. What the
 * {@code simd} backend offers can be asked for as well, and then runs from the first product.
 */
final class CpuSparseKernels implements SparseKernels {
    private static final SpmvParameters ADAPTIVE = SpmvParameters.of(SpmvFamily.ADAPTIVE);
    private static final SpmvParameters SCALAR = SpmvParameters.of(SpmvFamily.CSR_BALANCED);

    private final WorkerTeam team;
    private final Optional<SimdSparseKernels> vectors;
    private final boolean adapts;
    private final TrialBudget budget;

    /**
     * Creates the kernels.
     *
     * @param team    the threads
     * @param vectors the kernels of the {@code simd} backend, or empty if there are none
     * @param adapts  whether to go over to them; without, the scalar code gives the same bits
     * @param budget  what trials may cost
     */
    CpuSparseKernels(WorkerTeam team, Optional<SimdSparseKernels> vectors, boolean adapts, TrialBudget budget) {
        this.team = team;
        this.vectors = vectors;
        this.adapts = adapts;
        this.budget = budget;
    }

    @Override
    public SpmvParameters rule(SparseMatrix matrix) {
        return ADAPTIVE;
    }

    /** What is multiplied few times would be compiled, converted and tried for nothing. */
    @Override
    public SpmvParameters ruleForFew(SparseMatrix matrix) {
        return SCALAR;
    }

    @Override
    public List<SpmvParameters> parameterSpace(SparseMatrix matrix) {
        List<SpmvParameters> space = new ArrayList<>(List.of(ADAPTIVE));
        space.addAll(vectors.map(kernels -> kernels.parameterSpace(matrix)).orElse(List.of(SCALAR)));
        return space;
    }

    @Override
    public Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters) {
        if (parameters.equals(ADAPTIVE)) {
            return Optional.empty();
        }
        List<SpmvParameters> space = parameterSpace(matrix);
        return space.contains(parameters)
                ? Optional.empty()
                : Optional.of("parameters are '" + parameters + "', expected one of " + space);
    }

    @Override
    @MustBeClosed
    public SpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters) {
        constraint(matrix, parameters).ifPresent(reason -> {
            throw new UnsupportedKernelException("the product", CpuBackendProvider.NAME, reason);
        });
        if (!parameters.equals(ADAPTIVE)) {
            return vectors.isPresent()
                    ? vectors.get().prepare(matrix, parameters)
                    : new TeamSpmvOperator(matrix, parameters, team, new CsrPreparation(team));
        }
        return new TeamSpmvOperator(matrix, parameters, team, new CpuPreparation(this, team));
    }

    /** Returns the vector code that is proposed for a matrix, or empty if there is none. */
    Optional<SpmvParameters> proposed(CsrMatrix matrix) {
        return vectors.map(kernels -> kernels.rule(matrix)).filter(SpmvParameters::simd);
    }

    /**
     * Returns what goes over to vector code for a matrix, or empty if nothing does.
     *
     * @param matrix  the matrix
     * @param ordered prepares scalar products that give the same bits as vector code
     */
    Optional<AdaptiveProduct> adaptive(CsrMatrix matrix, CsrPreparation ordered) {
        return adapts && matrix.nonZeros() > 0
                ? proposed(matrix).map(parameters -> new AdaptiveProduct(matrix, part -> ordered.single(part, SCALAR),
                        part -> vectors.orElseThrow().parts(part, parameters), budget))
                : Optional.empty();
    }
}
