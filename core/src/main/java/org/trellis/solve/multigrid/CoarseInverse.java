package org.trellis.solve.multigrid;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * The inverse of a coarsest matrix, where that is small. One that a device has set up is inverted aside, while the host
 * waits for the device as it prepares the other levels. The same bits either way.
 */
final class CoarseInverse {
    private final CsrMatrix matrix;
    /** Null where the inverse is computed when it is asked for. */
    private final CompletableFuture<DenseInverse> begun;

    private CoarseInverse(CsrMatrix matrix, CompletableFuture<DenseInverse> begun) {
        this.matrix = matrix;
        this.begun = begun;
    }

    /** Fetches a coarsest matrix, and begins to invert it if it is on a device and small. */
    static CoarseInverse begin(SparseMatrix coarsest) {
        CsrMatrix matrix = coarsest.toCsr();
        boolean aside = coarsest instanceof BackendMatrix && matrix.rows() <= CoarseSolution.LARGEST_INVERSE;
        return new CoarseInverse(matrix,
                aside ? CompletableFuture.supplyAsync(() -> DenseInverse.of(matrix)) : null);
    }

    /** Returns the coarsest matrix. */
    CsrMatrix matrix() {
        return matrix;
    }

    /** Returns the inverse, and waits for it if it was begun. */
    DenseInverse get() {
        if (begun == null) {
            return DenseInverse.of(matrix);
        }
        try {
            return begun.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
