package org.trellis.solve.multigrid;

import java.util.Objects;
import java.util.function.Function;
import org.trellis.backend.Backend;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;

/**
 * What the levels of a multigrid method are made of.
 *
 * @param backend   where it runs
 * @param products  prepares the products of level matrices, prolongations and restrictions; a {@link LevelProducts}
 *                  also those that a backend has set up. {@link BackendProducts} follow the rules of a backend
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
        return new MultigridParts(backend, new BackendProducts(backend), smoothers);
    }

    /** Prepares the product of a matrix; one that is on the backend already is left there, unless a tuner wants it. */
    @SuppressWarnings("MustBeClosed") // returned
    SpmvOperator product(SparseMatrix matrix) {
        return matrix instanceof BackendMatrix there && !(products instanceof LevelProducts)
                ? backend.kernels(SparseKernels.class).prepare(there)
                : products.apply(matrix.toCsr());
    }

    /** Prepares the product of a prolongation or restriction, likewise. */
    SpmvOperator transfer(SparseMatrix matrix) {
        return products instanceof BackendProducts rule ? rule.transfer(matrix) : product(matrix);
    }

    /** Returns parts whose smoothers are asked for by the level below so many others. */
    MultigridParts below(int above) {
        return new MultigridParts(backend, products, new LevelSmoothers() {
            @Override
            public Smoother make(int level, CsrMatrix matrix, SpmvOperator product) {
                return smoothers.make(level - above, matrix, product);
            }

            @Override
            public Smoother makeFor(int level, SparseMatrix matrix, SpmvOperator product) {
                return smoothers.makeFor(level - above, matrix, product);
            }
        });
    }

    Smoother smoother(int level, SparseMatrix matrix, SpmvOperator product) {
        return smoothers.makeFor(level, matrix, product);
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

        /**
         * Makes a smoother for a matrix wherever it is; unless overridden, of the matrix on the host.
         *
         * @param level   the number of the level, 0 for the finest
         * @param matrix  the level's matrix
         * @param product its product, open as long as the smoother
         * @return a smoother that the hierarchy closes
         */
        default Smoother makeFor(int level, SparseMatrix matrix, SpmvOperator product) {
            return make(level, matrix.toCsr(), product);
        }
    }
}
