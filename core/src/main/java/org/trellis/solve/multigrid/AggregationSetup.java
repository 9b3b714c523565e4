package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.BlockNorms;
import org.trellis.sparse.algebra.MatrixProduct;

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
    private CsrMatrix smoothing;
    private CsrMatrix coarsened;

    /**
     * Prepares a level.
     *
     * @param aggregates the aggregates
     * @param tentative  T
     * @param damping    ω in units of {@code 1 / ρ(D⁻¹A)}; with 0 the prolongator is T
     * @param filter     makes the matrix that smooths T; null where the level's own does
     */
    AggregationSetup(Aggregates aggregates, CsrMatrix tentative, double damping, FilteredMatrix filter) {
        this.aggregates = aggregates;
        this.tentative = tentative;
        this.damping = damping;
        this.filter = filter;
    }

    /** Returns the strong couplings of nodes. */
    static CsrMatrix strong(CsrMatrix a, NearNullSpace space, StrengthOptions options) {
        if (space.blockSize() > 1) {
            return Strength.symmetric(BlockNorms.of(a, space.blockSize()), options.theta());
        }
        return options.measure() == StrengthMeasure.SIGNED
                ? Strength.signed(a, options.theta())
                : Strength.symmetric(a, options.theta());
    }

    /** Makes the level for the first time. */
    Made make(CsrMatrix a, boolean symmetric, SetupTimes times) {
        CsrMatrix p = times.time(SetupPhase.PROLONGATOR, () -> prolongator(a));
        CsrMatrix r = times.time(SetupPhase.PROLONGATOR, p::transpose);
        return new Made(p, r, times.time(SetupPhase.GALERKIN, () -> {
            coarsened = MatrixProduct.multiply(a, p);
            CsrMatrix coarse = withoutEmptyRows(MatrixProduct.multiply(r, coarsened));
            return symmetric ? LevelSetup.symmetrised(coarse) : coarse;
        }));
    }

    @Override
    public Made again(CsrMatrix a, CsrMatrix structure, boolean symmetric, SetupTimes times) {
        CsrMatrix p = times.time(SetupPhase.PROLONGATOR, () -> prolongator(a));
        CsrMatrix r = times.time(SetupPhase.PROLONGATOR, p::transpose);
        return new Made(p, r, times.time(SetupPhase.GALERKIN, () -> {
            CsrMatrix ap = MatrixProduct.again(coarsened, a, p);
            CsrMatrix coarse = fillEmptyRows(MatrixProduct.again(structure, r, ap), r);
            return symmetric ? LevelSetup.symmetrised(coarse) : coarse;
        }));
    }

    private CsrMatrix prolongator(CsrMatrix matrix) {
        if (damping == 0) {
            return tentative;
        }
        CsrMatrix a = filter == null ? matrix : filter.of(matrix);
        double[] inverse = inverseDiagonal(a);
        double radius = SpectralRadius.of(a, inverse);
        if (radius == 0) {
            return tentative;
        }
        double omega = damping / radius;
        smoothing = smoothing == null
                ? MatrixProduct.multiply(a, tentative)
                : MatrixProduct.again(smoothing, a, tentative);
        HostVector factors = HostVector.of(Precision.F64, inverse.length, row -> omega * inverse[row]);
        return tentative.combine(1, smoothing.scaleRows(factors.convert(a.precision())), -1);
    }

    /** Returns the inverses of the diagonal, 0 for what has none. */
    static double[] inverseDiagonal(CsrMatrix a) {
        HostVector diagonal = a.diagonal();
        double[] inverse = new double[a.rows()];
        ParallelRanges.run(inverse.length, ROWS_PER_TASK, (from, to) -> {
            for (int row = from; row < to; row++) {
                double element = 1 / diagonal.get(row);
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
