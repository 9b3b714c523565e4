package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.CoarseningOptions.SplittingMethod;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Which unknowns stay in classical coarsening, and what is interpolated from them. */
final class SplittingTest {
    private static CsrMatrix strong(CsrMatrix a, double theta) {
        return Strength.classical(a, theta, 1, new byte[a.rows()]);
    }

    private static List<Integer> coarse(Splitting splitting) {
        List<Integer> rows = new ArrayList<>();
        for (int row = 0; row < splitting.rows(); row++) {
            if (splitting.isCoarse(row)) {
                rows.add(row);
            }
        }
        return rows;
    }

    /** The first of two ends with two neighbours is taken, and each decision makes the next but one worth more. */
    @Test
    void firstPassTakesEverySecondPointOfALine() {
        CsrMatrix line = strong(Grids.line(9), 0.25);
        assertEquals(List.of(1, 3, 5, 7), coarse(Splitting.of(line, SplittingMethod.HMIS)));
        CsrMatrix square = strong(Grids.square(7), 0.25);
        Splitting chequered = Splitting.of(square, SplittingMethod.HMIS);
        assertEquals(25, chequered.count(), chequered.toString());
        for (int row : coarse(chequered)) {
            assertEquals(0, (row / 7 + row % 7) % 2, "row " + row);
        }
    }

    /** No C unknown depends on another, each F unknown depends on one, whatever the blocks; two methods agree on it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 1000})
    void splitsSymmetricGraphsIndependently(int blockRows) {
        SplittableRandom random = TestSeed.random("splitsSymmetricGraphsIndependently");
        CsrMatrix half = AwkwardMatrices.random(300, 300, row -> row % 5, Precision.F64, random).mapValues(v -> -1.0);
        CsrMatrix graph = half.plus(half.transpose()).filter((i, j, v) -> i != j);
        for (SplittingMethod method : List.of(SplittingMethod.PMIS, SplittingMethod.HMIS)) {
            Splitting splitting = Splitting.of(graph, method, blockRows);
            graph.forEachEntry((i, j, v) -> assertFalse(splitting.isCoarse(i) && splitting.isCoarse(j),
                    method + ", " + i + " and " + j + ", seed " + TestSeed.value()));
            for (int row = 0; row < graph.rows(); row++) {
                boolean[] near = new boolean[1];
                int[] alone = {row};
                graph.submatrix(row, row + 1, 0, graph.columns())
                        .forEachEntry((i, j, v) -> near[0] |= splitting.isCoarse(j));
                assertTrue(near[0] || splitting.isCoarse(row) || graph.rowLength(row) == 0,
                        method + ", row " + alone[0] + ", seed " + TestSeed.value());
            }
        }
    }

    /** Both passes: F unknowns that depend on each other have a C unknown in common, unless one depends on none. */
    @Test
    void secondPassLeavesNoChains() {
        SplittableRandom random = TestSeed.random("secondPassLeavesNoChains");
        for (int n : new int[]{1, 2, 17, 300}) {
            CsrMatrix graph = AwkwardMatrices.random(n, n, row -> Math.min(n, row % 6), Precision.F64, random)
                    .filter((i, j, v) -> i != j);
            Splitting splitting = Splitting.of(graph, SplittingMethod.RS);
            assertEquals(0, chains(graph, splitting), "n " + n + ", seed " + TestSeed.value());
            for (int row = 0; row < n; row++) {
                assertTrue(graph.rowLength(row) > 0 || !splitting.isCoarse(row), "row " + row);
            }
            assertTrue(n < 300 || chains(graph, Splitting.of(graph, SplittingMethod.PMIS)) > 0);
        }
        assertEquals(List.of(1, 3, 5, 7), coarse(Splitting.of(strong(Grids.line(9), 0.25), SplittingMethod.RS)));
    }

    /** Counts the F unknowns that depend on another without a C unknown in common. */
    private static long chains(CsrMatrix graph, Splitting splitting) {
        CsrMatrix toCoarse = graph.filter((i, j, v) -> splitting.isCoarse(j)).mapValues(v -> 1);
        CsrMatrix common = MatrixProduct.multiply(toCoarse, toCoarse.transpose());
        return graph.filter((i, j, v) -> !splitting.isCoarse(i) && !splitting.isCoarse(j) && graph.rowLength(j) > 0
                && common.get(i, j) == 0).nonZeros();
    }

    /** Unknowns that stay twice are more than two couplings apart on a line: 1, 3, 5, 7 become 3 and 7. */
    @Test
    void aggressiveSplittingKeepsDistances() {
        CsrMatrix line = strong(Grids.line(9), 0.25);
        assertEquals(List.of(3, 7), coarse(Splitting.aggressive(line, SplittingMethod.HMIS)));
    }

    /** Weights of a line between two C unknowns are those of linear interpolation; beyond the last they end at 0. */
    @Test
    void multipassInterpolationOfALineByHand() {
        CsrMatrix line = Grids.line(9);
        CsrMatrix couplings = strong(line, 0.25);
        Splitting splitting = Splitting.aggressive(couplings, SplittingMethod.HMIS);
        CsrMatrix p = new MultipassInterpolation(line, couplings, splitting, new byte[9], 4, 0).matrix();
        // Row 2 has C unknown 3 alone among those before it, to which all of its couplings go; row 1 has row 2 then.
        double[][] expected = {{0.5, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {0.5, 0.5}, {0, 1}, {0, 1}, {0, 0.5}};
        for (int row = 0; row < 9; row++) {
            for (int column = 0; column < 2; column++) {
                assertEquals(expected[row][column], p.get(row, column), 1e-15, "row " + row + ", column " + column);
            }
        }
    }

    /** Rows without a sum interpolate constants exactly, with positive couplings and over any number of passes. */
    @ParameterizedTest
    @EnumSource
    void aggressiveInterpolationHoldsConstants(SplittingMethod method) {
        CsrMatrix edge = Grids.freeLine(16);
        CsrMatrix one = CsrMatrix.identity(16, Precision.F64);
        CsrMatrix a = KroneckerProduct.of(edge, one).plus(KroneckerProduct.of(one, edge));
        CsrMatrix couplings = strong(a, 0.25);
        Splitting splitting = Splitting.aggressive(couplings, method);
        assertTrue(splitting.count() < a.rows() / 6, splitting.toString());
        CsrMatrix p = new MultipassInterpolation(a, couplings, splitting, new byte[a.rows()], 4, 0).matrix();
        double[] ones = new double[splitting.count()];
        Arrays.fill(ones, 1);
        double[] values = p.multiply(ones);
        for (int row = 0; row < values.length; row++) {
            assertEquals(1, values[row], 1e-12, method + ", row " + row);
            assertTrue(p.rowLength(row) <= 4);
        }
    }

    /** The second row's sum is 1.5 of its diagonal, which a positive coupling of half of it makes. */
    @Test
    void rowsOfGreatSumsDependOnNone() {
        CsrBuilder builder = new CsrBuilder(3, Precision.F64, 9);
        CsrMatrix a = builder.add(0, 2).add(1, -1).add(2, -1).endRow().add(0, -1).add(1, 4).add(2, 3).endRow()
                .add(0, -1).add(1, 3).add(2, 2).endRow().build();
        assertEquals(1, Strength.classical(a, 0.25, 1, new byte[3]).rowLength(1));
        CsrMatrix cut = Strength.classical(a, 0.25, 0.9, new byte[3]);
        assertEquals(0, cut.rowLength(1));
        assertEquals(0, Strength.classical(a.scaled(-1), 0.25, 0.9, new byte[3]).rowLength(1));
        assertEquals(2, cut.rowLength(0));
        assertFalse(Splitting.of(cut, SplittingMethod.PMIS).isCoarse(1));
        assertFalse(Splitting.of(cut, SplittingMethod.HMIS).isCoarse(1));
        assertFalse(Splitting.of(cut, SplittingMethod.RS).isCoarse(1));
    }

    private static double[] solve(CsrMatrix a, String options) {
        Map<String, String> given = new HashMap<>();
        for (String option : ("coarsening=classical coarse-rows=20 " + options).strip().split(" ")) {
            given.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        }
        HostVector b = HostVector.of(Precision.F64, a.rows(), i -> 1 + i % 3);
        HostVector x = HostVector.zeros(Precision.F64, a.rows());
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                Multigrid multigrid = Multigrid.of(a, null, MultigridOptions.parse(given), backend);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend)) {
            SolveReport report = solver.solve(b, x, StoppingCriteria.relative(1e-8, 100));
            assertTrue(report.converged(), options + ": " + report);
            return new double[]{report.iterations(), multigrid.report().operatorComplexity()};
        }
    }

    /** What the options are for: fewer iterations, smaller levels. */
    @Test
    void optionsShow() {
        CsrMatrix a = Grids.square(60);
        double[] usual = solve(a, "");
        double[] hmis = solve(a, "splitting=hmis");
        double[] aggressive = solve(a, "aggressive-levels=1");
        double[] both = solve(a, "splitting=hmis aggressive-levels=1");
        assertTrue(hmis[0] <= usual[0], () -> hmis[0] + " iterations instead of " + usual[0]);
        assertTrue(aggressive[1] < 1.4 && usual[1] > 2, () -> aggressive[1] + " instead of " + usual[1]);
        assertTrue(both[0] <= aggressive[0], () -> both[0] + " iterations instead of " + aggressive[0]);
        assertTrue(both[0] < 20, () -> both[0] + " iterations");
    }
}
