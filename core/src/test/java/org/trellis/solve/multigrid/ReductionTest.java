package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
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
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.CoarseningOptions.Reduction;
import org.trellis.solve.multigrid.CoarseningOptions.SplittingMethod;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Reduction by local approximate ideal restriction. */
final class ReductionTest {
    private static final CoarseningOptions TWO_LEVELS = CoarseningOptions.of(Coarsening.AIR).limits(1, 2);

    /** Upwind differences of a wind along a line. */
    private static CsrMatrix advection(int n) {
        return CsrMatrix.diagonals(n, n, Precision.F64, new int[]{-1, 0}, constant(n - 1, -1), constant(n, 1));
    }

    /** Upwind differences of an oblique wind on a square, with a little diffusion. */
    private static CsrMatrix oblique(int n, double diffusion) {
        CsrMatrix identity = CsrMatrix.identity(n, Precision.F64);
        CsrMatrix wind = KroneckerProduct.of(identity, advection(n))
                .plus(KroneckerProduct.of(advection(n), identity).scaled(0.6));
        return diffusion == 0 ? wind : wind.combine(1, Grids.square(n), diffusion);
    }

    /** A matrix with a dominant diagonal, whose rows depend on others at random places. */
    private static CsrMatrix random(int n, Precision precision, SplittableRandom random) {
        CsrMatrix couplings = AwkwardMatrices.random(n, n, row -> Math.min(n, 1 + row % 4), Precision.F64, random);
        return CsrMatrix.identity(n, Precision.F64).scaled(6).plus(couplings.mapValues(v -> v == 0 ? 0 : -Math.abs(v)))
                .toPrecision(precision);
    }

    private static double[][] dense(CsrMatrix matrix) {
        double[][] rows = new double[matrix.rows()][matrix.columns()];
        matrix.forEachEntry((i, j, value) -> rows[i][j] = value);
        return rows;
    }

    private static Splitting splitting(CsrMatrix a) {
        return Splitting.of(Strength.classical(a, 0.25, 1, new byte[a.rows()]), SplittingMethod.RS);
    }

    private static CsrMatrix restriction(CsrMatrix a, Splitting splitting, int distance) {
        return new LocalRestriction(a, Strength.absolute(a, 0, new byte[a.rows()]), splitting, distance, 0).matrix();
    }

    /** The middle one of three stays: z₀ 4 + z₂ 1 = −3 and z₀ 2 + z₂ 6 = −1. */
    @Test
    void solvesForTheWeightsOfThreeUnknowns() {
        Splitting middle = Splitting.of(Grids.line(3).filter((i, j, v) -> i != j), SplittingMethod.PMIS);
        assertArrayEquals(new int[]{1}, middle.coarse());
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4, 1, 2}, {3, 5, 1}, {1, 2, 6}}, Precision.F64);
        CsrMatrix r = restriction(a, middle, 1);
        assertArrayEquals(new double[]{-17 / 22.0, 1, 1 / 11.0}, dense(r)[0], 1e-15);
        // The Schur complement of the middle one.
        assertEquals(5 - 17 / 22.0 + 2 / 11.0, MatrixProduct.multiply(r, a).get(0, 1), 1e-15);
    }

    /** A C unknown takes over its F neighbour upstream, whatever the distance; so one cycle is the solution. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 7, 64, 101})
    void solvesAdvectionAlongALineInOneCycle(int n) {
        CsrMatrix a = advection(n);
        Splitting splitting = splitting(a);
        CsrMatrix r = restriction(a, splitting, 2);
        for (int c = 0; c < splitting.count(); c++) {
            int i = splitting.coarse()[c];
            assertEquals(1, r.get(c, i));
            assertEquals(i > 0 && !splitting.isCoarse(i - 1) ? 1 : 0, r.get(c, i - 1 < 0 ? 0 : i - 1), "row " + c);
        }
        HostVector b = Grids.vector(Precision.F64, n, i -> Math.sin(1 + i * i));
        HostVector x = HostVector.zeros(Precision.F64, n);
        try (Backend backend = Backends.open("reference", Configuration.load());
                Multigrid whole = Multigrid.of(a, null, Map.of("coarsening", "air", "coarse-rows", "1"), backend)) {
            whole.apply(b, x);
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += b.get(i);
                assertEquals(sum, x.get(i), 1e-13, "row " + i);
            }
        }
    }

    /** R A is zero for the F unknowns that a C unknown restricts from, and R is one for C unknowns. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void restrictsIdeallyFromUnknownsNearby(Precision precision) {
        SplittableRandom random = TestSeed.random("restrictsIdeallyFromUnknownsNearby");
        for (int n : new int[]{1, 2, 5, 33, 130, 257}) {
            CsrMatrix a = random(n, precision, random);
            Splitting splitting = splitting(a);
            int[] coarse = splitting.coarse();
            for (int distance = 1; distance <= 2; distance++) {
                CsrMatrix r = restriction(a, splitting, distance);
                assertEquals("", r.firstViolation().orElse(""), "n " + n + ", seed " + TestSeed.value());
                double[][] reduced = dense(MatrixProduct.multiply(r, a));
                int[] checked = new int[1];
                r.forEachEntry((c, j, value) -> {
                    if (splitting.isCoarse(j)) {
                        assertEquals(coarse[c], j);
                        assertEquals(1, value);
                    } else {
                        checked[0]++;
                        assertEquals(0, reduced[c][j], 64 * precision.unitRoundoff(),
                                "n " + n + ", row " + c + ", column " + j + ", seed " + TestSeed.value());
                    }
                });
                assertTrue(n < 33 || checked[0] > 0);
            }
        }
    }

    /** Two F unknowns between C unknowns are both reached at distance 2 only, where R A P is the Schur complement. */
    @Test
    void distanceTwoReachesFurther() {
        CsrMatrix strong = advection(9).filter((i, j, v) -> i != j && i % 3 != 0);
        Splitting splitting = Splitting.of(strong.plus(strong.transpose()), SplittingMethod.PMIS);
        CsrMatrix a = advection(9);
        CsrMatrix near = Strength.absolute(a, 0, new byte[9]);
        CsrMatrix one = new LocalRestriction(a, near, splitting, 1, 0).matrix();
        CsrMatrix two = new LocalRestriction(a, near, splitting, 2, 0).matrix();
        assertArrayEquals(new int[]{1, 4, 7}, splitting.coarse());
        assertArrayEquals(new double[]{0, 0, 0, 1, 1, 0, 0, 0, 0}, dense(one)[1]);
        assertArrayEquals(new double[]{0, 0, 1, 1, 1, 0, 0, 0, 0}, dense(two)[1]);
        CsrMatrix p = OnePointInterpolation.of(strong, splitting);
        assertArrayEquals(new double[][]{{1, 0, 0}, {-1, 1, 0}, {0, -1, 1}}, dense(MatrixProduct.triple(two, a, p)));
    }

    @Test
    void dropsSmallWeightsAndKeepsToItsLimit() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4, 1, 0}, {3, 5, 0.1}, {0, 2, 6}}, Precision.F64);
        Splitting middle = Splitting.of(Grids.line(3).filter((i, j, v) -> i != j), SplittingMethod.PMIS);
        CsrMatrix near = Strength.absolute(a, 0, new byte[3]);
        assertEquals(3, new LocalRestriction(a, near, middle, 1, 0).matrix().nonZeros());
        assertArrayEquals(new double[]{-0.75, 1, 0},
                dense(new LocalRestriction(a, near, middle, 1, 0.1).matrix())[0]);
        int many = 3 * LocalRestriction.MOST;
        CsrMatrix star = CsrMatrix.identity(many, Precision.F64).combine(2 * many, CsrMatrix.of(many, many,
                starOffsets(many), starColumns(many), constant(2 * many - 2, 1)), -1);
        Splitting hub = splitting(star);
        assertEquals(1, hub.count());
        assertEquals(LocalRestriction.MOST + 1, restriction(star, hub, 2).nonZeros());
    }

    private static int[] starOffsets(int many) {
        int[] offsets = new int[many + 1];
        Arrays.setAll(offsets, i -> i == 0 ? 0 : many - 2 + i);
        return offsets;
    }

    private static int[] starColumns(int many) {
        int[] columns = new int[2 * many - 2];
        Arrays.setAll(columns, k -> k < many - 1 ? k + 1 : 0);
        return columns;
    }

    private static double[] constant(int count, double value) {
        double[] all = new double[count];
        Arrays.fill(all, value);
        return all;
    }

    @Test
    void solvesSmallSystems() {
        SplittableRandom random = TestSeed.random("solvesSmallSystems");
        LocalSystem system = new LocalSystem();
        for (int n : new int[]{0, 1, 2, 7, 40, 3}) {
            double[][] a = new double[n][n];
            double[] expected = random.doubles(n, -1, 1).toArray();
            system.begin(n);
            for (int i = 0; i < n; i++) {
                double right = 0;
                for (int j = 0; j < n; j++) {
                    // The diagonal is zero, so that rows have to be swapped.
                    a[i][j] = i == j ? 0 : random.nextDouble(-1, 1) + (j == (i + 1) % n ? 4 : 0);
                    a[i][j] += n == 1 ? 2 : 0;
                    system.set(i, j, a[i][j]);
                    right += a[i][j] * expected[j];
                }
                system.setRight(i, right);
            }
            assertArrayEquals(expected, Arrays.copyOf(system.solve(), n), 1e-12, "n " + n + ", seed "
                    + TestSeed.value());
        }
    }

    /** Column 1 is twice column 0: its unknown is 0, and the others solve what is left. */
    @Test
    void leavesOutUnknownsThatDependOnOthers() {
        LocalSystem system = new LocalSystem();
        system.begin(3);
        double[][] a = {{1, 2, 0}, {3, 6, 1}, {0, 0, 2}};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                system.set(i, j, a[i][j]);
            }
        }
        system.setRight(0, 5);
        system.setRight(1, 18);
        system.setRight(2, 6);
        assertArrayEquals(new double[]{5, 0, 3}, Arrays.copyOf(system.solve(), 3), 1e-14);
        system.begin(2);
        assertArrayEquals(new double[2], Arrays.copyOf(system.solve(), 2));
    }

    @Test
    void takesTheStrongestOfCoarseUnknowns() {
        Splitting ends = Splitting.of(DenseBlocks.fromRows(
                new double[][]{{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}, Precision.F64).filter(
                        (i, j, v) -> v != 0
                                && (i != 1 || j != 1)),
                SplittingMethod.PMIS);
        assertEquals(1, ends.count());
        CsrMatrix p = OnePointInterpolation.of(Grids.line(3).filter((i, j, v) -> i == 0 && j == 1), ends);
        assertArrayEquals(new double[][]{{1}, {1}, {0}}, dense(p));
    }

    /** The transposed matrix has the transposed transfers only by chance; R is not Pᵀ, and no cycle is symmetric. */
    @Test
    void isNotSymmetric() {
        CsrMatrix a = Grids.square(20);
        Hierarchy hierarchy = Hierarchy.of(a, null, TWO_LEVELS);
        assertFalse(hierarchy.knownSymmetric());
        assertFalse(hierarchy.symmetricTransfers());
        assertFalse(hierarchy.level(0).restriction().orElseThrow()
                .closeTo(hierarchy.level(0).prolongation().orElseThrow().transpose(), 1e-3, 0));
        try (Backend backend = Backends.open("threads", Configuration.load());
                Multigrid multigrid = Multigrid.of(a, null, Map.of("coarsening", "air", "coarse-rows", "20",
                        "smoother", "jacobi,omega=0.8", "before", "1"), backend)) {
            assertFalse(multigrid.symmetric());
        }
    }

    /** Two levels, with all F unknowns solved, are the solution where restriction is ideal. */
    @ParameterizedTest
    @EnumSource(Reduction.Prolongation.class)
    void coarseMatricesAreProductsWithItsOwnRestriction(Reduction.Prolongation prolongation) {
        CsrMatrix a = oblique(17, 0.01);
        CoarseningOptions.Classical usual = TWO_LEVELS.classical();
        Hierarchy hierarchy = Hierarchy.of(a, null, new CoarseningOptions(Coarsening.AIR, false, TWO_LEVELS.strength(),
                TWO_LEVELS.smoothing(), new CoarseningOptions.Classical(usual.splitting(), 0, 4, usual.rowSum(),
                        new Reduction(2, 0.05, prolongation)),
                0, 1, 2));
        HierarchyLevel level = hierarchy.level(0);
        CsrMatrix expected = MatrixProduct.multiply(level.restriction().orElseThrow(),
                MatrixProduct.multiply(a, level.prolongation().orElseThrow()));
        assertTrue(expected.sameAs(hierarchy.level(1).matrix()));
        assertTrue(hierarchy.splitting(0).isPresent());
        assertTrue(hierarchy.from(0).splitting(0).isPresent());
        assertTrue(hierarchy.from(1).splitting(0).isEmpty());
    }

    /** Other values, of the same structure or with other weights that are dropped, as in a set-up of their own. */
    @Test
    void takesOtherValues() {
        CsrMatrix a = oblique(23, 0.01);
        CoarseningOptions options = CoarseningOptions.of(Coarsening.AIR).limits(20, 25);
        Hierarchy made = Hierarchy.of(a, null, options);
        Hierarchy scaled = made.refreshed(a.scaled(3));
        Hierarchy expected = Hierarchy.of(a.scaled(3), null, options);
        Hierarchy other = made.refreshed(a.mapValues((i, j, v) -> i == j ? 2 * v : v));
        assertEquals(expected.size(), scaled.size());
        for (int l = 0; l < made.size(); l++) {
            assertTrue(expected.level(l).matrix().closeTo(scaled.level(l).matrix(), 1e-12, 1e-14), "level " + l);
            if (l > 0) {
                HierarchyLevel above = other.level(l - 1);
                CsrMatrix product = MatrixProduct.multiply(above.restriction().orElseThrow(), MatrixProduct
                        .multiply(above.matrix(), above.prolongation().orElseThrow()));
                assertTrue(product.closeTo(other.level(l).matrix(), 1e-12, 1e-14), "level " + l);
            }
        }
        assertFalse(other.knownSymmetric());
        assertTrue(scaled.splitting(0).isPresent());
    }

    private static int iterations(String backendName, CsrMatrix a, String method, Map<String, String> options) {
        SolverConfig stack = new SolverConfig(method, Map.of(), "amg", options,
                StoppingCriteria.relative(a.precision() == Precision.F64 ? 1e-8 : 1e-4, 60), false,
                false);
        HostVector b = Grids.vector(a.precision(), a.rows(), i -> ((7919L * i + 13) % 1009) / 1009.0);
        try (Backend backend = Backends.open(backendName, Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                LinearSolver solver = stack.prepare(a, product, backend)) {
            SolveReport report =
                    solver.solve(b, HostVector.zeros(a.precision(), a.rows()), stack.criteria());
            assertTrue(report.converged(), report.toString());
            return report.iterations();
        }
    }

    /** Preconditions unsymmetric methods, with and without diffusion, in both precisions. */
    @ParameterizedTest
    @ValueSource(strings = {"gmres", "fgmres", "bicgstab"})
    void preconditions(String method) {
        for (Precision precision : Precision.values()) {
            for (String backend : new String[]{"reference", "threads", "simd"}) {
                for (double diffusion : new double[]{0, 1e-3, 1}) {
                    CsrMatrix a = oblique(41, diffusion).toPrecision(precision);
                    int iterations = iterations(backend, a, method, Map.of("coarsening", "air", "coarse-rows", "30"));
                    assertTrue(iterations <= (diffusion == 1 ? 12 : 7),
                            method + " on " + backend + " with diffusion " + diffusion + " in "
                                    + precision + ": " + iterations);
                }
            }
        }
    }

    @Test
    void iterationsHardlyGrow() {
        Map<String, String> options = Map.of("coarsening", "air", "coarse-rows", "30");
        int small = iterations("threads", oblique(24, 1e-4), "gmres", options);
        int large = iterations("threads", oblique(192, 1e-4), "gmres", options);
        assertTrue(large <= small + 3, small + " and " + large);
    }

    /** A full level is split by another method, which leaves fewer entries, and is remarked. */
    @Test
    void keepsFullLevelsSmall() {
        CsrMatrix a = Grids.cube(14);
        Hierarchy hierarchy = Hierarchy.of(a, null, CoarseningOptions.of(Coarsening.AIR).limits(30, 25));
        assertTrue(hierarchy.remarks().stream().anyMatch(remark -> remark.contains("split by hmis instead of rs")),
                hierarchy.remarks().toString());
        assertTrue(hierarchy.operatorComplexity() < 8, hierarchy.operatorComplexity() + "");
        Hierarchy convective = Hierarchy.of(oblique(40, 1e-4), null, CoarseningOptions.of(Coarsening.AIR));
        assertTrue(convective.remarks().isEmpty(), convective.remarks().toString());
    }

    @Test
    void refusesSmoothersOfPartsWithoutParts() {
        CsrMatrix a = Grids.square(20);
        try (Backend backend = Backends.open("threads", Configuration.load())) {
            Hierarchy aggregated = Hierarchy.of(a, null, CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION)
                    .limits(20, 25));
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Multigrid.of(
                    aggregated, SmootherSpec.parse("fc-jacobi"), CycleOptions.V11, backend).close());
            assertTrue(refused.getMessage().contains("expected coarsening=air"), refused.getMessage());
        }
    }
}
