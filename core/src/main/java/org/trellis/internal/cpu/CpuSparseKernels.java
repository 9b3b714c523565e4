package org.trellis.internal.cpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.internal.simd.SimdSparseKernels;
import org.trellis.internal.threads.CsrPreparation;
import org.trellis.internal.threads.TeamSpmvOperator;
import org.trellis.internal.threads.WorkerTeam;
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
    private final TrialBudget budget;

    /**
     * Creates the kernels.
     *
     * @param team    the threads
     * @param vectors the kernels of the {@code simd} backend, or empty to stay with scalar code
     * @param budget  what trials may cost
     */
    CpuSparseKernels(WorkerTeam team, Optional<SimdSparseKernels> vectors, TrialBudget budget) {
        this.team = team;
        this.vectors = vectors;
        this.budget = budget;
    }

    @Override
    public SpmvParameters rule(SparseMatrix matrix) {
        return ADAPTIVE;
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

    /**
     * Returns what goes over to vector code for a matrix, or empty if no vector code is proposed for it.
     *
     * @param matrix  the matrix
     * @param ordered prepares scalar products that give the same bits as vector code
     */
    Optional<AdaptiveProduct> adaptive(CsrMatrix matrix, CsrPreparation ordered) {
        if (vectors.isEmpty() || matrix.nonZeros() == 0) {
            return Optional.empty();
        }
        SpmvParameters proposed = vectors.get().rule(matrix);
        return proposed.simd()
                ? Optional.of(new AdaptiveProduct(matrix, part -> ordered.single(part, SCALAR),
                        part -> vectors.get().parts(part, proposed), budget))
                : Optional.empty();
    }
}
