package org.trellis.solve.multigrid;

import java.util.Objects;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * What the levels of a multigrid method are made of.
 *
 * @param backend   where it runs
 * @param products  prepares the products of level matrices, prolongations and restrictions; a tuner's, for instance
 * @param smoothers makes the smoothers of the levels
 */
public record MultigridParts(Backend backend, Function<CsrMatrix, SpmvOperator> products, LevelSmoothers smoothers) {
    /** Checks that there is something. */
    public MultigridParts {
        Objects.requireNonNull(backend);
        Objects.requireNonNull(products);
        Objects.requireNonNull(smoothers);
    }

    /**
     * Takes the products that the backend's rule proposes.
     *
     * @param backend   where it runs
     * @param smoothers makes the smoothers of the levels
     * @return the parts
     */
    public static MultigridParts of(Backend backend, LevelSmoothers smoothers) {
        return new MultigridParts(backend, backend.kernels(SparseKernels.class)::prepare, smoothers);
    }

    SpmvOperator product(CsrMatrix matrix) {
        return products.apply(matrix);
    }

    Smoother smoother(int level, CsrMatrix matrix, SpmvOperator product) {
        return smoothers.make(level, matrix, product);
    }

    /** Makes the smoother of a level. */
    @FunctionalInterface
    public interface LevelSmoothers {
        /**
         * Makes a smoother.
         *
         * @param level   the number of the level, 0 for the finest
         * @param matrix  the level's matrix
         * @param product its product, open as long as the smoother
         * @return a smoother that the hierarchy closes
         */
        Smoother make(int level, CsrMatrix matrix, SpmvOperator product);
    }
}
