package org.trellis.solve.multigrid;

import java.util.Objects;
import java.util.Optional;
import org.trellis.sparse.CsrMatrix;

/**
 * A level of a hierarchy, on the host.
 *
 * @param matrix       its matrix
 * @param prolongation P, from the next level to this one; empty on the coarsest
 * @param restriction  R, from this level to the next one; empty on the coarsest
 */
public record HierarchyLevel(CsrMatrix matrix, Optional<CsrMatrix> prolongation, Optional<CsrMatrix> restriction) {
    /**
     * Checks that sizes fit.
     *
     * @throws IllegalArgumentException if they do not, precisions differ, or there is one transfer without the other
     */
    public HierarchyLevel {
        Objects.requireNonNull(matrix);
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("level with " + matrix + ", expected a square matrix");
        }
        if (prolongation.isPresent() != restriction.isPresent()) {
            throw new IllegalArgumentException("level with " + matrix + " has one of prolongation and restriction, "
                    + "expected both or, on the coarsest, none");
        }
        prolongation.ifPresent(p -> {
            CsrMatrix r = restriction.orElseThrow();
            if (p.rows() != matrix.rows() || r.columns() != matrix.rows() || p.columns() != r.rows()
                    || p.precision() != matrix.precision() || r.precision() != matrix.precision()) {
                throw new IllegalArgumentException("level with " + matrix + ", prolongation " + p + ", restriction " + r
                        + ", expected sizes that fit and equal precisions");
            }
        });
    }

    /**
     * Makes the coarsest level.
     *
     * @param matrix its matrix
     * @return a level without transfers
     */
    static HierarchyLevel coarsest(CsrMatrix matrix) {
        return new HierarchyLevel(matrix, Optional.empty(), Optional.empty());
    }

    /**
     * Makes a level with a next one.
     *
     * @param matrix      its matrix
     * @param prolongator P
     * @param restrictor  R
     * @return the level
     */
    static HierarchyLevel of(CsrMatrix matrix, CsrMatrix prolongator, CsrMatrix restrictor) {
        return new HierarchyLevel(matrix, Optional.of(prolongator), Optional.of(restrictor));
    }
}
