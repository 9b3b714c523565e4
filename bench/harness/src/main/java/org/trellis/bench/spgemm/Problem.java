package org.trellis.bench.spgemm;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.HierarchyLevel;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixProduct;

/**
 * What is multiplied.
 *
 * @param factors at least two, multiplied from the right
 */
record Problem(List<CsrMatrix> factors) {
    /** The products that are made of one matrix. */
    enum Kind {
        /** A times A, or A times its transpose if it is not square. */
        SQUARE,
        /** The coarse matrix of smoothed aggregation, R (A P). */
        GALERKIN;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Makes the problem of a matrix.
         *
         * @throws IllegalArgumentException if it has no coarse matrix
         */
        Problem of(CsrMatrix matrix) {
            if (this == SQUARE) {
                return new Problem(
                        List.of(matrix, matrix.rows() == matrix.columns() ? matrix : matrix.transpose()));
            }
            Map<String, String> twoLevels = Map.of("max-levels", "2", "coarse-rows", "0");
            HierarchyLevel finest =
                    Hierarchy.of(matrix, null, MultigridOptions.parse(twoLevels).coarsening()).level(0);
            Optional<CsrMatrix> p = finest.prolongation();
            return new Problem(List.of(finest.restriction().orElseThrow(() -> new IllegalArgumentException(
                    "galerkin product of " + matrix + ": it cannot be coarsened by aggregates")), matrix,
                    p.orElseThrow()));
        }
    }

    /** Multiplies, structure and values. */
    CsrMatrix multiply() {
        CsrMatrix product = factors.getLast();
        for (int f = factors.size() - 2; f >= 0; f--) {
            product = MatrixProduct.multiply(factors.get(f), product);
        }
        return product;
    }

    /** Multiplies values in known structures, from the right; the last one is the whole product's. */
    CsrMatrix again(List<CsrMatrix> structures) {
        CsrMatrix product = factors.getLast();
        for (int f = factors.size() - 2; f >= 0; f--) {
            product = MatrixProduct.again(structures.get(factors.size() - 2 - f), factors.get(f), product);
        }
        return product;
    }

    /** Counts the terms of all products: two floating-point operations each. */
    long terms() {
        long terms = 0;
        CsrMatrix product = factors.getLast();
        for (int f = factors.size() - 2; f >= 0; f--) {
            int[] lengths = product.rowLengths();
            long[] sum = {0};
            factors.get(f).forEachEntry((row, column, value) -> sum[0] += lengths[column]);
            terms += sum[0];
            product = MatrixProduct.multiply(factors.get(f), product);
        }
        return terms;
    }
}
