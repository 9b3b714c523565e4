package org.trellis.solve.multigrid;

import org.trellis.sparse.CsrMatrix;

/**
 * The transfers of a level some of whose unknowns stay, for any values of its matrix.
 */
interface SplitTransfers {
    /** Computes P, from the next level to this one. */
    CsrMatrix prolongation(CsrMatrix a);

    /** Computes R, from this level to the next one, given P. */
    CsrMatrix restriction(CsrMatrix a, CsrMatrix prolongation);

    /** Says whether R is the transpose of P. */
    boolean transposed();

    /**
     * Those of the classical coarsening.
     *
     * @param strong     for each row the unknowns that it depends on
     * @param splitting  which unknowns stay
     * @param component  the component of a node that each row is
     * @param options    how many weights are kept
     * @param aggressive whether interpolation goes in several passes
     */
    record Interpolated(CsrMatrix strong, Splitting splitting, byte[] component, CoarseningOptions options,
            boolean aggressive) implements SplitTransfers {
        @Override
        public CsrMatrix prolongation(CsrMatrix a) {
            int most = options.classical().interpolation();
            return aggressive
                    ? new MultipassInterpolation(a, strong, splitting, component, most, options.truncation()).matrix()
                    : new ExtendedInterpolation(a, strong, splitting, component, most, options.truncation()).matrix();
        }

        @Override
        public CsrMatrix restriction(CsrMatrix a, CsrMatrix prolongation) {
            return prolongation.transpose();
        }

        @Override
        public boolean transposed() {
            return true;
        }
    }

    /**
     * Those of reduction: a restriction that is nearly ideal, and any prolongation.
     *
     * @param strong    for each row the unknowns that it depends on
     * @param near      for each row those that it is coupled to, for the restriction
     * @param splitting which unknowns stay
     * @param component the component of a node that each row is
     * @param options   how far the restriction reaches, and what is kept of it
     */
    record Reduced(CsrMatrix strong, CsrMatrix near, Splitting splitting, byte[] component, CoarseningOptions options)
            implements
                SplitTransfers {
        @Override
        public CsrMatrix prolongation(CsrMatrix a) {
            CoarseningOptions.Classical classical = options.classical();
            return switch (classical.reduction().prolongation()) {
                case ONE_POINT -> OnePointInterpolation.of(strong, splitting);
                case EXTENDED -> new ExtendedInterpolation(a, strong, splitting, component, classical.interpolation(),
                        options.truncation()).matrix();
            };
        }

        @Override
        public CsrMatrix restriction(CsrMatrix a, CsrMatrix prolongation) {
            return new LocalRestriction(a, near, splitting, options.classical().reduction().distance(),
                    options.truncation()).matrix();
        }

        @Override
        public boolean transposed() {
            return false;
        }
    }
}
