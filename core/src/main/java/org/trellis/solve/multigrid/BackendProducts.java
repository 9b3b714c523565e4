package org.trellis.solve.multigrid;

import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * Prepares products as a backend's rule proposes: of the matrices of levels, which are multiplied several times in a
 * cycle, by {@link SparseKernels#rule}, and of transfers, which are multiplied once, by
 * {@link SparseKernels#ruleForFew}.
 *
 * @param backend where products run
 */
public record BackendProducts(Backend backend) implements Function<CsrMatrix, SpmvOperator> {
    /**
     * Prepares the product of a level's matrix, or of another one that is multiplied often.
     *
     * @param matrix the matrix
     * @return an operator that the caller closes
     */
    @Override
    @SuppressWarnings("MustBeClosed") // returned
    public SpmvOperator apply(CsrMatrix matrix) {
        return kernels().prepare(matrix);
    }

    /** Prepares the product of a prolongation or restriction. */
    @SuppressWarnings("MustBeClosed") // returned
    SpmvOperator transfer(SparseMatrix matrix) {
        return kernels().prepare(matrix, kernels().ruleForFew(matrix));
    }

    private SparseKernels kernels() {
        return backend.kernels(SparseKernels.class);
    }
}
