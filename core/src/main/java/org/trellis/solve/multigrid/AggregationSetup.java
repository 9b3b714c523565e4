package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.SpectralRadius;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.BlockNorms;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.sparse.algebra.SmoothedProlongator;

/**
 * A level made of aggregates: {@code P = (I − ω D⁻¹ A) T} with ω in units of {@code 1 / ρ(D⁻¹A)} (P. Vaněk, M. Brezina,
 * J. Mandel, Numer. Math. 88, 2001), or T itself.
 */
final class AggregationSetup implements LevelSetup {
    private static final int ROWS_PER_TASK = 4096;

    private final Aggregates aggregates;
    private final CsrMatrix tentative;
    private final double damping;
    private final FilteredMatrix filter;
    private final Thinning thinning;
    private final boolean simple;
    private CsrMatrix smoothing;
    /** The last A P of levels that were made again, for its structure; null before. */
    private CsrMatrix coarsened;
    /** The next matrix before it was thinned out, for its structure; null where it is not. */
    private CsrMatrix whole;

    /**
     * How the next matrix is thinned out.
     *
     * @param share see {@link ThinnedMatrix#of}; 0 where it stays
     * @param space the near null space of the next level
     */
    record Thinning(double share, NearNullSpace space) {}

    /**
     * Prepares a level.
     *
     * @param aggregates the aggregates
     * @param tentative  T
     * @param damping    ω in units of {@code 1 / ρ(D⁻¹A)}; with 0 the prolongator is T
     * @param filter     makes the matrix that smooths T; null where the level's own does
     * @param thinning   how the next matrix is thinned out if it is symmetric
     */
    AggregationSetup(Aggregates aggregates, CsrMatrix tentative, double damping, FilteredMatrix filter,
            Thinning thinning) {
        this.aggregates = aggregates;
        this.tentative = tentative;
        this.damping = damping;
        this.filter = filter;
        this.thinning = thinning;
        this.simple = SmoothedProlongator.applies(tentative);
    }

    /** Returns the strong couplings of nodes. */
    static CsrMatrix strong(CsrMatrix a, NearNullSpace space, StrengthOptions options) {
        if (space.blockSize() > 1) {
            return Strength.symmetric(BlockNorms.of(a, space.blockSize()), options.ofNodes().theta());
        }
        return options.measure() == StrengthMeasure.SIGNED
                ? Strength.signed(a, options.theta())
                : Strength.symmetric(a, options.theta());
    }

    /** Makes the level for the first time. */
    Made make(CsrMatrix a, boolean symmetric, SetupTimes times) {
        Smoothed smoothed = times.time(SetupPhase.PROLONGATOR, () -> prolongator(a, symmetric));
        CsrMatrix p = smoothed.matrix();
        CsrMatrix r = times.time(SetupPhase.PROLONGATOR, p::transpose);
        return new Made(p, r, times.time(SetupPhase.GALERKIN, () -> {
            CsrMatrix coarse = withoutEmptyRows(MatrixProduct.galerkin(r, a, p));
            return symmetric ? thinned(LevelSetup.symmetrised(coarse)) : coarse;
        }), smoothed.radius());
    }

    private CsrMatrix thinned(CsrMatrix coarse) {
        if (thinning.share() == 0) {
            return coarse;
        }
        whole = coarse;
        return ThinnedMatrix.of(coarse, thinning.space(), thinning.share());
    }

    @Override
    public Made again(CsrMatrix a, CsrMatrix structure, boolean symmetric, SetupTimes times) {
        Smoothed smoothed = times.time(SetupPhase.PROLONGATOR, () -> prolongator(a, symmetric));
        CsrMatrix p = smoothed.matrix();
        CsrMatrix r = times.time(SetupPhase.PROLONGATOR, p::transpose);
        return new Made(p, r, times.time(SetupPhase.GALERKIN, () -> {
            coarsened = coarsened == null ? MatrixProduct.multiply(a, p) : MatrixProduct.again(coarsened, a, p);
            CsrMatrix coarse = fillEmptyRows(MatrixProduct.again(whole == null ? structure : whole, r, coarsened), r);
            CsrMatrix made = symmetric ? LevelSetup.symmetrised(coarse) : coarse;
            return whole == null ? made : ThinnedMatrix.again(structure, made, thinning.space());
        }), smoothed.radius());
    }

    /** A prolongator, and the radius of the level's matrix if it was found on the way. */
    private record Smoothed(CsrMatrix matrix, double radius) {}

    private Smoothed prolongator(CsrMatrix matrix, boolean symmetric) {
        if (damping == 0) {
            return new Smoothed(tentative, Double.NaN);
        }
        CsrMatrix a = filter == null ? matrix : filter.of(matrix);
        double[] inverse = inverseDiagonal(a);
        double radius = SpectralRadius.of(a, inverse, symmetric && filter == null);
        double known = filter == null ? radius : Double.NaN;
        if (radius == 0) {
            return new Smoothed(tentative, known);
        }
        double omega = damping / radius;
        for (int row = 0; row < inverse.length; row++) {
            inverse[row] *= omega;
        }
        if (simple) {
            return new Smoothed(SmoothedProlongator.of(a, inverse, tentative), known);
        }
        smoothing = smoothing == null
                ? MatrixProduct.multiply(a, tentative)
                : MatrixProduct.again(smoothing, a, tentative);
        HostVector factors = HostVector.of(inverse).convert(a.precision());
        return new Smoothed(tentative.combine(1, smoothing.scaleRows(factors), -1), known);
    }

    /** Returns the inverses of the diagonal, 0 for what has none. */
    static double[] inverseDiagonal(CsrMatrix a) {
        HostVector diagonal = a.diagonal();
        double[] inverse = a.precision() == Precision.F64 ? diagonal.doubles() : diagonal.toDoubleArray();
        ParallelRanges.run(inverse.length, ROWS_PER_TASK, (from, to) -> {
            for (int row = from; row < to; row++) {
                double element = 1 / inverse[row];
                inverse[row] = Double.isFinite(element) ? element : 0;
            }
        });
        return inverse;
    }

    /**
     * Puts 1 on the diagonal of rows that are empty because their column of P is: such an unknown is coupled to
     * nothing, its right-hand side is 0, and so it stays 0.
     */
    private static CsrMatrix withoutEmptyRows(CsrMatrix coarse) {
        int[] lengths = coarse.rowLengths();
        if (Arrays.stream(lengths).noneMatch(length -> length == 0)) {
            return coarse;
        }
        int[] ones = Arrays.stream(lengths).map(length -> length == 0 ? 1 : 0).toArray();
        return coarse.plus(CsrFill.fill(coarse.columns(), coarse.precision(), ones,
                () -> (row, columns, values, at) -> {
                    columns[at] = row;
                    values.set(at, 1);
                }));
    }

    /** Sets the diagonal of rows to 1 that {@link #withoutEmptyRows} gave one. */
    private static CsrMatrix fillEmptyRows(CsrMatrix coarse, CsrMatrix r) {
        return coarse.mapValues((row, column, value) -> row == column && r.rowLength(row) == 0 ? 1 : value);
    }

    @Override
    public Optional<int[]> aggregates() {
        int[] of = new int[aggregates.nodes()];
        Arrays.setAll(of, aggregates::of);
        return Optional.of(of);
    }
}
