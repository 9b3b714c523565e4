package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.Stacking;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

final class SparseCholeskyTest {
    private static void solves(CsrMatrix a, SplittableRandom random, String context) {
        double[] b = random.doubles(a.rows(), -1, 1).toArray();
        for (FillReduction order : available()) {
            SparseCholesky factorisation = SparseCholesky.of(a, order);
            double error = TestSystems.backwardError(a, factorisation.solve(b), b);
            assertTrue(error < 1e-13, context + ", " + order + ": backward error " + error);
            assertTrue(factorisation.nonZeros() >= a.lowerTriangle(0).dropSmall(0).nonZeros(), context);
        }
    }

    /** Orders that can be found on this machine and are the same each time, which those of Scotch are not. */
    private static List<FillReduction> available() {
        return Arrays.stream(FillReduction.values())
                .filter(order -> order != FillReduction.SCOTCH && order.isAvailable()).toList();
    }

    @Test
    void solvesByHand() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4, 2, 0}, {2, 5, 2}, {0, 2, 5}}, Precision.F64);
        assertArrayEquals(new double[]{1, -2, 3},
                SparseCholesky.of(a, FillReduction.NATURAL).solve(new double[]{0, -2, 11}), 1e-14);
        assertArrayEquals(new double[0], SparseCholesky.of(CsrMatrix.identity(0, Precision.F64)).solve(new double[0]));
    }

    /** A matrix that was found to be symmetric is not checked again, but its later values are. */
    @Test
    void knowsExactSymmetry() {
        SplittableRandom random = TestSeed.random("knowsExactSymmetry");
        for (int trial = 0; trial < 20; trial++) {
            int n = random.nextInt(2, 60);
            CsrMatrix a = TestSystems.grid(n, 1 + trial % 4, trial % 2 == 0 ? Precision.F32 : Precision.F64);
            FactorLimits limits = FactorLimits.ofHeap();
            SymmetricAnalysis exact =
                    SymmetricAnalysis.ifSymmetric(a, FillReduction.MINIMUM_DEGREE, limits).orElseThrow();
            double[] b = random.doubles(a.rows(), -1, 1).toArray();
            double[] once = exact.cholesky(a).solve(b);
            assertArrayEquals(SymmetricAnalysis.of(a, FillReduction.MINIMUM_DEGREE, limits).cholesky(a).solve(b), once);
            assertArrayEquals(exact.cholesky(a).solve(b), once);
            CsrMatrix lopsided = a.mapValues((row, column, value) -> row == 1 && column == 0 ? 2 * value : value);
            assertThrows(IllegalArgumentException.class, () -> exact.cholesky(lopsided));
            assertTrue(SymmetricAnalysis.ifSymmetric(lopsided, FillReduction.MINIMUM_DEGREE, limits).isEmpty());
            CsrMatrix infinite = a.mapValues((row, column, value) -> row == column
                    ? Double.POSITIVE_INFINITY
                    : value);
            assertThrows(IllegalArgumentException.class,
                    () -> SymmetricAnalysis.ifSymmetric(infinite, FillReduction.MINIMUM_DEGREE, limits));
        }
    }

    @Test
    void solvesRandomSystems() {
        SplittableRandom random = TestSeed.random("solvesRandomSystems");
        for (int trial = 0; trial < 60; trial++) {
            int n = random.nextInt(1, 120);
            CsrMatrix a = TestSystems.definite(n, random.nextInt(0, 7), trial % 2 == 0 ? Precision.F32 : Precision.F64,
                    random);
            solves(a, random, "trial " + trial + ", " + a + ", seed " + TestSeed.value());
        }
    }

    @Test
    void solvesGrids() {
        SplittableRandom random = TestSeed.random("solvesGrids");
        CsrMatrix grid = TestSystems.grid(67, 59, Precision.F64);
        Permutation shuffled = Permutation.random(grid.rows(), random);
        solves(grid.permute(shuffled, shuffled), random, "shuffled grid, seed " + TestSeed.value());
        CsrMatrix several = Stacking.diagonal(List.of(TestSystems.grid(9, 5, Precision.F64),
                CsrMatrix.identity(7, Precision.F64), TestSystems.line(30, Precision.F64)));
        Permutation mixed = Permutation.random(several.rows(), random);
        solves(several.permute(mixed, mixed), random, "several components, seed " + TestSeed.value());
    }

    /** Wide supernodes: panels, pairs of columns and leftovers. */
    @Test
    void solvesDenseSystems() {
        SplittableRandom random = TestSeed.random("solvesDenseSystems");
        for (int n : new int[]{1, 2, 3, 47, 48, 49, 50, 97, 210}) {
            CsrMatrix a = TestSystems.definite(n, n, Precision.F64, random);
            solves(a, random, n + " rows, seed " + TestSeed.value());
        }
    }

    @Test
    void ordersReduceFill() {
        CsrMatrix grid = TestSystems.grid(80, 80, Precision.F64);
        long natural = SparseCholesky.of(grid, FillReduction.NATURAL).nonZeros();
        long degree = SparseCholesky.of(grid, FillReduction.MINIMUM_DEGREE).nonZeros();
        long dissection = SparseCholesky.of(grid, FillReduction.NESTED_DISSECTION).nonZeros();
        assertTrue(2 * degree < natural, degree + " of " + natural);
        assertTrue(2 * dissection < natural, dissection + " of " + natural);
    }

    /** An arrow: eliminating the full row first fills everything, last nothing. */
    @Test
    void denseRowsComeLast() {
        int n = 2000;
        double[] rim = new double[n - 1];
        Arrays.fill(rim, 1);
        CsrMatrix arrow = Stacking.blocks(new CsrMatrix[][]{
            {DenseBlocks.fromRows(new double[][]{{n}}, Precision.F64), DenseBlocks.fromRowMajor(1, n - 1, rim,
                    Precision.F64)},
            {DenseBlocks.fromRowMajor(n - 1, 1, rim, Precision.F64),
                CsrMatrix.identity(n - 1, Precision.F64).scaled(2)}});
        assertTrue(FillReduction.MINIMUM_DEGREE.order(arrow).newIndex(0) >= n - 2);
        assertTrue(SparseCholesky.of(arrow).nonZeros() < 4L * n);
        solves(arrow, TestSeed.random("denseRowsComeLast"), "arrow");
    }

    @Test
    void ordersArePermutations() {
        SplittableRandom random = TestSeed.random("ordersArePermutations");
        for (int trial = 0; trial < 30; trial++) {
            int n = random.nextInt(0, 300);
            CsrMatrix a = TestSystems.general(n, 5, random);
            for (FillReduction order : available()) {
                assertEquals(n, order.order(a).size(), order + ", seed " + TestSeed.value());
            }
        }
        CsrMatrix large = TestSystems.grid(70, 70, Precision.F64);
        assertEquals(FillReduction.NESTED_DISSECTION.order(large), FillReduction.NESTED_DISSECTION.order(large));
    }

    @Test
    void keepsThePrecisionOfTheRightHandSide() {
        SparseCholesky factorisation = SparseCholesky.of(TestSystems.line(3, Precision.F32));
        HostVector x = factorisation.solve(HostVector.of(1.0f, 1, 1));
        assertEquals(Precision.F32, x.precision());
        assertEquals(1.5, x.get(0), 1e-6);
        assertEquals("length of b is 2, expected 3", assertThrows(IllegalArgumentException.class,
                () -> factorisation.solve(new double[2])).getMessage());
    }

    @Test
    void refusesWhatIsNotPositiveDefinite() {
        CsrMatrix indefinite = DenseBlocks.fromRows(new double[][]{{1, 0, 0}, {0, 1, 2}, {0, 2, 1}}, Precision.F64);
        FactorisationException failure = assertThrows(FactorisationException.class,
                () -> SparseCholesky.of(indefinite, FillReduction.NATURAL));
        assertEquals(2, failure.row());
        assertEquals(-3, failure.pivot(), 1e-15);
        assertTrue(failure.getMessage().startsWith("Cholesky factorisation: the pivot of row 2"), failure.getMessage());
        // The Laplacian with Neumann conditions is singular: its rows sum up to 0.
        CsrMatrix neumann = TestSystems.line(50, Precision.F64).mapValues((i, j, v) -> i == j && i % 49 == 0 ? 1 : v);
        assertThrows(FactorisationException.class, () -> SparseCholesky.of(neumann));
        assertThrows(FactorisationException.class, () -> SparseCholesky.of(DenseBlocks.fromRows(
                new double[][]{{0, 1}, {1, 0}}, Precision.F64)));
        assertThrows(FactorisationException.class, () -> SparseCholesky.of(DenseBlocks.fromRows(
                new double[][]{{Double.NaN}}, Precision.F64).mapValues(v -> -1.0)));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SparseCholesky.of(DenseBlocks.fromRows(
                new double[][]{{1, 2}, {0, 1}}, Precision.F64))).getMessage().contains("equals its transpose"));
    }

    /** What is left of a cancellation differs from its mirror by more than its own size: rounding, not asymmetry. */
    @Test
    void takesTheRoundingOfAssembledMatrices() {
        double rest = 0x1p-57;
        for (double scale : new double[]{1, 0x1p-200, 0x1p200}) {
            CsrMatrix a = DenseBlocks.fromRows(new double[][]{{2 * scale, -rest * scale}, {rest * scale, scale}},
                    Precision.F64);
            assertArrayEquals(new double[]{1, 2}, SparseCholesky.of(a).solve(new double[]{2 * scale, 2 * scale}),
                    1e-15);
        }
        CsrMatrix wrong = DenseBlocks.fromRows(new double[][]{{2, -1e-9}, {1e-9, 1}}, Precision.F64);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SparseCholesky.of(wrong)).getMessage()
                .contains("equals its transpose"));
    }

    /** In place: the same bits as a new factorisation, whatever was there before, a failure included. */
    @Test
    void refactorisesInPlace() {
        SplittableRandom random = TestSeed.random("refactorisesInPlace");
        for (int trial = 0; trial < 30; trial++) {
            CsrMatrix a = TestSystems.definite(random.nextInt(0, 90), 4, Precision.F64, random);
            String context = "trial " + trial + ", " + a + ", seed " + TestSeed.value();
            SymmetricAnalysis analysis = SymmetricAnalysis.of(a, FillReduction.MINIMUM_DEGREE, FactorLimits.ofHeap());
            assertEquals(FactorSize.ofCholesky(a, FillReduction.MINIMUM_DEGREE), analysis.predicted(), context);
            SparseCholesky factor = analysis.cholesky(a);
            CsrMatrix other = a.mapValues((i, j, v) -> i == j ? v + i % 5 : v);
            factor.refactorise(other);
            double[] b = random.doubles(a.rows(), -1, 1).toArray();
            assertArrayEquals(SparseCholesky.of(other).solve(b), factor.solve(b), context);
            if (a.rows() > 0) {
                assertThrows(FactorisationException.class, () -> factor.refactorise(a.scaled(-1)), context);
                assertThrows(IllegalStateException.class, () -> factor.solve(b), context);
                assertThrows(IllegalStateException.class, factor::determinant, context);
            }
            factor.refactorise(a);
            assertArrayEquals(analysis.cholesky(a).solve(b), factor.solve(b), context);
        }
    }

    @Test
    void refusesOtherStructuresAndKeepsTheFactor() {
        CsrMatrix grid = TestSystems.grid(5, 4, Precision.F64);
        SparseCholesky factor = SparseCholesky.of(grid);
        double[] b = new double[20];
        b[7] = 1;
        double[] before = factor.solve(b);
        CsrMatrix moved = grid.permute(Permutation.random(20, new SplittableRandom(1)),
                Permutation.random(20, new SplittableRandom(1)));
        assertThrows(IllegalArgumentException.class, () -> factor.refactorise(moved));
        assertThrows(IllegalArgumentException.class, () -> factor.refactorise(TestSystems.line(20, Precision.F64)));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> factor.refactorise(
                grid.mapValues((i, j, v) -> i == 3 && j == 4 ? -2 : v))).getMessage().contains("equals its transpose"));
        assertThrows(IllegalArgumentException.class, () -> factor.refactorise(grid.mapValues(v -> Double.NaN)));
        assertArrayEquals(before, factor.solve(b));
    }

    @Test
    void solvesSeveralRightHandSides() {
        SplittableRandom random = TestSeed.random("solvesSeveralRightHandSides");
        CsrMatrix a = TestSystems.definite(83, 5, Precision.F64, random);
        SparseCholesky factor = SparseCholesky.of(a);
        SymmetricSolver solver = factor.solver();
        for (int count = 0; count < 11; count++) {
            double[] b = random.doubles(83L * count, -1, 1).toArray();
            double[] x = b.clone();
            solver.solve(x, count);
            for (int r = 0; r < count; r++) {
                double[] one = Arrays.copyOfRange(b, 83 * r, 83 * (r + 1));
                double error = TestSystems.backwardError(a, Arrays.copyOfRange(x, 83 * r, 83 * (r + 1)), one);
                assertTrue(error < 1e-14, count + " right-hand sides, seed " + TestSeed.value() + ": " + error);
            }
        }
        assertThrows(IllegalArgumentException.class, () -> solver.solve(new double[84], 1));
        double[] b = random.doubles(83, -1, 1).toArray();
        assertTrue(solver.refine(a, b, new double[83]).backwardError() < 1e-15, "seed " + TestSeed.value());
    }

    @Test
    void findsDeterminantAndCondition() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4, 2, 0}, {2, 5, 2}, {0, 2, 5}}, Precision.F64);
        SparseCholesky factor = SparseCholesky.of(a);
        assertEquals(64, factor.determinant().toDouble(), 1e-12);
        // The inverse is {{21, -10, 4}, {-10, 20, -8}, {4, -8, 16}} / 64: greatest column sum 38.
        assertEquals(64.0 / (9 * 38), factor.reciprocalCondition(a), 1e-12);
        CsrMatrix tiny = CsrMatrix.identity(4000, Precision.F64).scaled(0x1p-1000);
        assertEquals(new Determinant(1, -4_000_000), SparseCholesky.of(tiny).determinant());
    }

    @Test
    void threadsDoNotChangeBits() {
        CsrMatrix a = TestSystems.definite(400, 400, Precision.F64, TestSeed.random("threadsDoNotChangeBits"));
        double[] b = new double[400];
        Arrays.fill(b, 1);
        double[] first = SparseCholesky.of(a).solve(b);
        double[] second = ForkJoinPool.commonPool()
                .submit(() -> SparseCholesky.of(a).solve(b)).join();
        assertArrayEquals(first, second);
    }

    @Test
    void sizesArePredicted() {
        SplittableRandom random = TestSeed.random("sizesArePredicted");
        for (int trial = 0; trial < TestLength.cases(20, 60); trial++) {
            int n = random.nextInt(0, 150);
            CsrMatrix a = trial == 0
                    ? TestSystems.grid(37, 29, Precision.F32)
                    : TestSystems.definite(n, random.nextInt(0, 5), Precision.F64, random);
            String context = "trial " + trial + ", " + a + ", seed " + TestSeed.value();
            for (FillReduction order : available()) {
                SparseCholesky factor = SparseCholesky.of(a, order);
                FactorSize size = FactorSize.ofCholesky(a, order);
                assertEquals(factor.nonZeros(), size.nonZeros(), context);
                assertEquals(factor.operations(), size.operations(), context);
                assertTrue(size.bytes() >= 8 * size.nonZeros(), context + ": " + size);
                assertTrue(FactorSize.ofLu(a, order).nonZeros() <= 2 * size.nonZeros() - a.rows(), context);
            }
        }
        // A line fills nothing in.
        CsrMatrix small = TestSystems.line(3, Precision.F64);
        assertEquals(7, FactorSize.ofLu(small, FillReduction.NATURAL).nonZeros());
        assertThrows(IllegalArgumentException.class, () -> FactorSize.ofLu(
                DenseBlocks.fromRows(new double[][]{{1, 2}}, Precision.F64), FillReduction.NATURAL));
    }

    /** With pivots on the diagonal, a structure that is its own transpose fills as predicted. */
    @Test
    void sizesOfLuArePredicted() {
        CsrMatrix grid = TestSystems.grid(23, 31, Precision.F64).mapValues((i, j, v) -> i == j ? 9 : v * (1 + i % 3));
        for (FillReduction order : List.of(FillReduction.NATURAL, FillReduction.MINIMUM_DEGREE,
                FillReduction.NESTED_DISSECTION)) {
            LuOptions options = LuOptions.defaults().with(LuOptions.Order.valueOf(order.name()));
            assertEquals(SparseLu.of(grid, options).nonZeros(), FactorSize.ofLu(grid, order).nonZeros());
            assertEquals(LuAnalysis.of(grid, options).predicted().nonZeros(),
                    FactorSize.ofLu(grid, order).nonZeros());
        }
    }
}
