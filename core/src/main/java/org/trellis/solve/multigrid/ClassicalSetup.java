package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.algebra.MatrixProduct;

/** A level made of a part of the unknowns. */
final class ClassicalSetup implements LevelSetup {
    private final Splitting splitting;
    private final byte[] component;
    private final SplitTransfers transfers;
    private CsrMatrix prolongation;
    private CsrMatrix restriction;
    /** The last A P of levels that were made again, for its structure; null before. */
    private CsrMatrix product;
    private CsrMatrix fine;
    private CsrMatrix coarsened;

    ClassicalSetup(Splitting splitting, byte[] component, SplitTransfers transfers) {
        this.splitting = splitting;
        this.component = component;
        this.transfers = transfers;
    }

    /** Makes the level for the first time. */
    Made make(CsrMatrix a, boolean symmetric, SetupTimes times) {
        prolongation = times.time(SetupPhase.PROLONGATOR, () -> transfers.prolongation(a));
        restriction = times.time(SetupPhase.PROLONGATOR, () -> transfers.restriction(a, prolongation));
        return new Made(prolongation, restriction, times.time(SetupPhase.GALERKIN, () -> {
            fine = a;
            CsrMatrix coarse = MatrixProduct.galerkin(restriction, a, prolongation);
            coarsened = coarse;
            return symmetric ? LevelSetup.symmetrised(coarse) : coarse;
        }), Double.NaN);
    }

    /** Weights that fall to other places than before are set up with structures of their own. */
    @Override
    public Made again(CsrMatrix a, CsrMatrix structure, boolean symmetric, SetupTimes times) {
        CsrMatrix p = times.time(SetupPhase.PROLONGATOR, () -> transfers.prolongation(a));
        CsrMatrix r = times.time(SetupPhase.PROLONGATOR, () -> transfers.restriction(a, p));
        return new Made(p, r, times.time(SetupPhase.GALERKIN, () -> {
            boolean same = samePattern(p, prolongation) && samePattern(a, fine)
                    && (transfers.transposed() || samePattern(r, restriction));
            CsrMatrix coarse = same ? productAgain(r, a, p) : MatrixProduct.galerkin(r, a, p);
            return symmetric ? LevelSetup.symmetrised(coarse) : coarse;
        }), Double.NaN);
    }

    private CsrMatrix productAgain(CsrMatrix r, CsrMatrix a, CsrMatrix p) {
        product = product == null ? MatrixProduct.multiply(a, p) : MatrixProduct.again(product, a, p);
        return MatrixProduct.again(coarsened, r, product);
    }

    private static boolean samePattern(CsrMatrix p, CsrMatrix q) {
        if (p.nonZeros() != q.nonZeros() || p.segments().size() != q.segments().size()) {
            return false;
        }
        for (int s = 0; s < p.segments().size(); s++) {
            CsrSegment one = p.segments().get(s);
            CsrSegment other = q.segments().get(s);
            if (!Arrays.equals(one.rowOffsets(), other.rowOffsets())
                    || !Arrays.equals(one.columnIndices(), 0, one.nonZeros(), other.columnIndices(), 0,
                            other.nonZeros())) {
                return false;
            }
        }
        return true;
    }

    /** Returns the components of the unknowns that stay. */
    byte[] coarseComponents() {
        byte[] coarse = new byte[splitting.count()];
        for (int row = 0; row < splitting.rows(); row++) {
            if (splitting.isCoarse(row)) {
                coarse[splitting.coarseIndex(row)] = component[row];
            }
        }
        return coarse;
    }

    @Override
    public Optional<int[]> aggregates() {
        return Optional.empty();
    }

    @Override
    public Optional<Splitting> splitting() {
        return Optional.of(splitting);
    }

    @Override
    public boolean transposed() {
        return transfers.transposed();
    }
}
