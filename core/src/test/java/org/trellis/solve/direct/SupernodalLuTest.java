package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.solve.direct.LuOptions.Kernel;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.testing.TestSeed;

/** LU factors in supernodes, on systems whose fronts are large enough for all kernels. */
final class SupernodalLuTest {
    private static final LuOptions SUPERNODES = LuOptions.defaults().with(Kernel.SUPERNODES);

    private static double[] random(int n, SplittableRandom random) {
        return random.doubles(n, -1, 1).toArray();
    }

    /** A grid with values by chance: the structure of a mesh, pivots that often have to leave the diagonal. */
    private static CsrMatrix noisyGrid(int width, int height, SplittableRandom random) {
        return TestSystems.grid(width, height, Precision.F64).mapValues((i, j, v) -> random.nextDouble(-1, 1));
    }

    @Test
    void delayedPivotsAreEliminatedLater() {
        SplittableRandom random = TestSeed.random("supernodal LU delayedPivotsAreEliminatedLater");
        for (int trial = 0; trial < 6; trial++) {
            CsrMatrix a = noisyGrid(20 + trial, 25, random);
            LuOptions options = SUPERNODES.with(LuOptions.Order.MINIMUM_DEGREE).with(LuOptions.Matching.TRANSVERSAL)
                    .withPivotTolerance(0.9);
            SparseLu lu = SparseLu.of(a, options);
            assertTrue(lu.offDiagonalPivots() > 0, "pivots off the diagonal");
            double[] b = random(a.rows(), random);
            double[] x = new double[b.length];
            String context = "trial " + trial + ", seed " + TestSeed.value();
            assertTrue(lu.solver().refine(a, b, x).backwardError() <= 10.0 * b.length * 0x1p-53, context);
            assertTrue(TestSystems.backwardError(a.transpose(), lu.solveTransposed(b), b) < 1e-11, context);
            assertEquals(SparseLu.of(a, options.with(Kernel.COLUMNS)).determinant().toDouble(),
                    lu.determinant().toDouble(), 1e-8 * Math.abs(lu.determinant().toDouble()), context);
        }
    }

    @Test
    void meshesAreFactorisedInSupernodesAndShuffledOnesAlike() {
        SplittableRandom random = TestSeed.random("supernodal LU meshes");
        CsrMatrix cube = KroneckerProduct
                .of(TestSystems.grid(13, 13, Precision.F64), CsrMatrix.identity(13, Precision.F64))
                .plus(KroneckerProduct.of(CsrMatrix.identity(169, Precision.F64), TestSystems.line(13, Precision.F64)));
        CsrMatrix grid = cube.mapValues((i, j, v) -> v * random.nextDouble(0.5, 1));
        CsrMatrix shuffled = grid.selectRows(Permutation.random(grid.rows(), random).toArray());
        LuAnalysis analysis = LuAnalysis.of(grid, LuOptions.defaults());
        assertNotNull(analysis.tree());
        assertNotNull(LuAnalysis.of(shuffled, LuOptions.defaults()).tree());
        assertNull(LuAnalysis.of(TestSystems.line(500, Precision.F64), LuOptions.defaults()).tree());
        SparseLu lu = analysis.factorise(grid);
        SparseLu other = SparseLu.of(shuffled);
        assertTrue(other.nonZeros() <= 1.1 * lu.nonZeros(), other + " and " + lu);
        assertTrue(lu.entries() <= lu.nonZeros() && lu.entries() > grid.nonZeros());
        double[] b = random(grid.rows(), random);
        double rounding = 10 * grid.rows() * Precision.F64.unitRoundoff();
        assertTrue(TestSystems.backwardError(grid, lu.solve(b), b) < rounding);
        assertTrue(TestSystems.backwardError(shuffled, other.solve(b), b) < rounding);
    }

    @Test
    void threadsDoNotChangeABit() throws Exception {
        SplittableRandom random = TestSeed.random("supernodal LU threadsDoNotChangeABit");
        CsrMatrix a = noisyGrid(70, 70, random);
        LuAnalysis analysis = LuAnalysis.of(a, SUPERNODES);
        SparseLu first = analysis.factorise(a);
        double[] b = random(a.rows(), random);
        try (ForkJoinPool pool = new ForkJoinPool(3)) {
            SparseLu second = pool.submit(() -> analysis.factorise(a)).get();
            assertArrayEquals(first.pivots(), second.pivots());
            assertArrayEquals(first.solve(b), second.solve(b));
        }
    }

    @Test
    void otherValuesGetTheSamePivotsInPlace() {
        SplittableRandom random = TestSeed.random("supernodal LU otherValues");
        CsrMatrix a = noisyGrid(50, 40, random).plus(CsrMatrix.identity(2000, Precision.F64));
        SparseLu lu = SparseLu.of(a, SUPERNODES);
        LuSolver solver = lu.solver();
        double[] b = random(a.rows(), random);
        double[] x = new double[b.length];
        double[] pivots = lu.pivots();
        lu.refactorise(a);
        for (int k = 0; k < pivots.length; k++) {
            assertEquals(pivots[k], lu.pivots()[k], 1e-9 * Math.abs(pivots[k]), "pivot " + k);
        }
        CsrMatrix other = a.mapValues((i, j, v) -> v * (1 + 0.01 * ((i + 3 * j) % 7)));
        double growth = lu.refactorise(other);
        assertTrue(growth < SparseLu.RELIABLE_GROWTH, "growth " + growth);
        assertTrue(solver.refine(other, b, x).backwardError() <= 10.0 * b.length * 0x1p-53);
        CsrMatrix zero = a.mapValues((i, j, v) -> i == 7 ? 0 : v);
        assertThrows(FactorisationException.class, () -> lu.refactorise(zero));
        assertThrows(IllegalStateException.class, () -> solver.solve(x));
    }

    @Test
    void floatsAreRefinedToDoublePrecision() {
        SplittableRandom random = TestSeed.random("supernodal LU floats");
        CsrMatrix a = noisyGrid(40, 40, random).plus(TestSystems.grid(40, 40, Precision.F64));
        CsrMatrix scaled = a.mapValues((i, j, v) -> v * Math.scalb(1.0, (i % 5 - 2) * 60));
        SparseLu lu = SparseLu.of(scaled, LuOptions.defaults().with(Kernel.FLOAT_SUPERNODES));
        double[] b = random(a.rows(), random);
        for (int i = 0; i < b.length; i++) {
            b[i] = Math.scalb(b[i], (i % 5 - 2) * 60);
        }
        double[] x = new double[b.length];
        Refinement.Result refined = lu.solver().refine(scaled, b, x);
        assertTrue(refined.backwardError() <= 10.0 * b.length * 0x1p-53, refined + ", seed " + TestSeed.value());
        CsrMatrix definite = TestSystems.grid(40, 40, Precision.F64);
        SymmetricAnalysis analysis =
                SymmetricAnalysis.of(definite, FillReduction.MINIMUM_DEGREE, FactorLimits.ofHeap());
        SparseCholesky cholesky = analysis.cholesky(definite.scaled(0x1p300), Precision.F32);
        assertTrue(
                cholesky.solver().refine(definite.scaled(0x1p300), b, x).backwardError() <= 10.0 * b.length * 0x1p-53);
        assertEquals(Precision.F32, cholesky.precision());
    }

    @Test
    void singularOnesAreNamed() {
        CsrMatrix grid = TestSystems.grid(30, 30, Precision.F64);
        double[] sums = new double[900];
        grid.forEachEntry((i, j, v) -> sums[i] += i == j ? 0 : v);
        CsrMatrix singular = grid.mapValues((i, j, v) -> i == j ? -sums[i] : v);
        SparseLu lu = SparseLu.of(singular, SUPERNODES.with(LuOptions.Order.MINIMUM_DEGREE));
        assertTrue(lu.weakestPivot().share() < 1e-12, lu.weakestPivot().toString());
        assertTrue(lu.weakestPivot().row() >= 0 && lu.weakestPivot().column() >= 0);
        FactorisationException refused = assertThrows(FactorisationException.class,
                () -> SparseLu.of(singular, SUPERNODES.withSmallestPivot(1e-10)));
        assertTrue(refused.getMessage().contains("column") && refused.getMessage().contains("row"));
        CsrMatrix infinite = grid.mapValues((i, j, v) -> i == 5 && j == 5 ? Double.NaN : v);
        assertThrows(IllegalArgumentException.class, () -> SparseLu.of(infinite, SUPERNODES));
        assertThrows(FactorisationException.class,
                () -> SparseLu.of(grid, SUPERNODES.with(new FactorLimits(10_000, 1e9))));
        assertEquals(0, Arrays.stream(SparseLu.of(CsrMatrix.identity(0, Precision.F64), SUPERNODES).pivots()).sum());
    }
}
