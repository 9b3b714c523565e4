package org.trellis.solve.multigrid;

import java.util.Objects;
import java.util.Optional;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * A level of a hierarchy: its matrix, and the transfers between the next level and this one. Where a backend set it up,
 * matrices are there, and asking for them here brings them to the host.
 */
public final class HierarchyLevel {
    private final SparseMatrix matrix;
    private final SparseMatrix prolongation;
    private final SparseMatrix restriction;

    /**
     * Takes the matrices of a level.
     *
     * @param matrix       its matrix
     * @param prolongation P, from the next level to this one; empty on the coarsest
     * @param restriction  R, from this level to the next one; empty on the coarsest
     * @throws IllegalArgumentException if sizes do not fit, precisions differ, or there is one transfer without the
     *         other
     */
    public HierarchyLevel(CsrMatrix matrix, Optional<CsrMatrix> prolongation, Optional<CsrMatrix> restriction) {
        this(matrix, prolongation.orElse(null), restriction.orElse(null));
    }

    private HierarchyLevel(SparseMatrix matrix, SparseMatrix p, SparseMatrix r) {
        this.matrix = Objects.requireNonNull(matrix);
        this.prolongation = p;
        this.restriction = r;
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("level with " + matrix + ", expected a square matrix");
        }
        if ((p == null) != (r == null)) {
            throw new IllegalArgumentException("level with " + matrix + " has one of prolongation and restriction, "
                    + "expected both or, on the coarsest, none");
        }
        if (p != null && (p.rows() != matrix.rows() || r.columns() != matrix.rows() || p.columns() != r.rows()
                || p.precision() != matrix.precision() || r.precision() != matrix.precision())) {
            throw new IllegalArgumentException("level with " + matrix + ", prolongation " + p + ", restriction " + r
                    + ", expected sizes that fit and equal precisions");
        }
    }

    /**
     * Makes the coarsest level.
     *
     * @param matrix its matrix
     * @return a level without transfers
     */
    static HierarchyLevel coarsest(SparseMatrix matrix) {
        return new HierarchyLevel(matrix, (SparseMatrix) null, null);
    }

    /**
     * Makes a level with a next one.
     *
     * @param matrix      its matrix
     * @param prolongator P
     * @param restrictor  R
     * @return the level
     */
    static HierarchyLevel of(SparseMatrix matrix, SparseMatrix prolongator, SparseMatrix restrictor) {
        return new HierarchyLevel(matrix, Objects.requireNonNull(prolongator), Objects.requireNonNull(restrictor));
    }

    /**
     * Returns the matrix.
     *
     * @return the matrix on the host
     */
    public CsrMatrix matrix() {
        return matrix.toCsr();
    }

    /**
     * Returns P, from the next level to this one.
     *
     * @return the prolongation on the host; empty on the coarsest
     */
    public Optional<CsrMatrix> prolongation() {
        return Optional.ofNullable(prolongation).map(SparseMatrix::toCsr);
    }

    /**
     * Returns R, from this level to the next one.
     *
     * @return the restriction on the host; empty on the coarsest
     */
    public Optional<CsrMatrix> restriction() {
        return Optional.ofNullable(restriction).map(SparseMatrix::toCsr);
    }

    /**
     * Returns the matrix where it is.
     *
     * @return the matrix, on the host or with a backend
     */
    public SparseMatrix stored() {
        return matrix;
    }

    /**
     * Returns P where it is.
     *
     * @return the prolongation, on the host or with a backend; null on the coarsest
     */
    public SparseMatrix storedProlongation() {
        return prolongation;
    }

    /**
     * Returns R where it is.
     *
     * @return the restriction, on the host or with a backend; null on the coarsest
     */
    public SparseMatrix storedRestriction() {
        return restriction;
    }

    /** Says whether there is no next level. */
    boolean isCoarsest() {
        return prolongation == null;
    }
}
