package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

final class SparseLuTest {
    private static void solves(CsrMatrix a, SplittableRandom random, String context) {
        double[] b = random.doubles(a.rows(), -1, 1).toArray();
        CsrMatrix transpose = a.transpose();
        for (LuOptions.Order order : LuOptions.Order.values()) {
            for (double tolerance : new double[]{1, 0.1}) {
                LuOptions options = LuOptions.defaults().withPivotTolerance(tolerance);
                SparseLu lu = SparseLu.of(a, order == LuOptions.Order.GIVEN
                        ? options.with(Permutation.random(a.rows(), random))
                        : options.with(order));
                double error = TestSystems.backwardError(a, lu.solve(b), b);
                double transposed = TestSystems.backwardError(transpose, lu.solveTransposed(b), b);
                assertTrue(error < 1e-10 && transposed < 1e-10,
                        context + ", " + order + ", " + tolerance + ": backward errors " + error + ", " + transposed);
            }
        }
    }

    @Test
    void solvesByHand() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{0, 2, 0}, {1, 0, 3}, {4, 0, 0}}, Precision.F64);
        assertArrayEquals(new double[]{1, -2, 3}, SparseLu.of(a).solve(new double[]{-4, 10, 4}), 1e-15);
        assertArrayEquals(new double[]{1, -2, 3}, SparseLu.of(a).solveTransposed(new double[]{10, 2, -6}), 1e-15);
        assertArrayEquals(new double[0], SparseLu.of(CsrMatrix.identity(0, Precision.F64)).solve(new double[0]));
        assertEquals(Precision.F32, SparseLu.of(a).solve(HostVector.of(1.0f, 1, 1)).precision());
    }

    @Test
    void solvesRandomSystems() {
        SplittableRandom random = TestSeed.random("LU solvesRandomSystems");
        for (int trial = 0; trial < TestLength.cases(30, 80); trial++) {
            int n = random.nextInt(1, 150);
            solves(TestSystems.general(n, random.nextInt(0, 6), random), random,
                    "trial " + trial + ", " + n + " rows, seed " + TestSeed.value());
        }
        for (int n : new int[]{1, 5, 60}) {
            solves(TestSystems.general(n, n, random), random, "dense, " + n + " rows, seed " + TestSeed.value());
        }
    }

    @Test
    void solvesConvection() {
        SplittableRandom random = TestSeed.random("solvesConvection");
        CsrMatrix grid = TestSystems.grid(53, 47, Precision.F64).mapValues((i, j, v) -> j == i + 1 ? v + 0.9 : v);
        Permutation shuffled = Permutation.random(grid.rows(), random);
        solves(grid.permute(shuffled, shuffled), random, "convection, seed " + TestSeed.value());
        solves(grid.permute(shuffled, Permutation.identity(grid.rows())), random,
                "shuffled rows, seed " + TestSeed.value());
    }

    /** Without pivoting the tiny element would be a pivot and all digits would be lost. */
    @Test
    void pivotsWhereTheDiagonalIsSmall() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{1e-20, 1}, {1, 1}}, Precision.F64);
        assertArrayEquals(new double[]{1, 2}, SparseLu.of(a).solve(new double[]{2, 3}), 1e-15);
    }

    @Test
    void namesSingularColumns() {
        FactorisationException empty = assertThrows(FactorisationException.class, () -> SparseLu.of(
                DenseBlocks.fromRows(new double[][]{{1, 0, 2}, {3, 0, 4}, {5, 0, 6}}, Precision.F64)));
        assertEquals(1, empty.row());
        assertEquals(0, empty.pivot());
        assertTrue(
                empty.getMessage().startsWith("LU factorisation: the structural rank is 2 of 3: no entry is left for "
                        + "the pivot of column 1"),
                empty.getMessage());
        assertThrows(FactorisationException.class, () -> SparseLu.of(
                DenseBlocks.fromRows(new double[][]{{1, 2}, {2, 4}}, Precision.F64)));
        CsrMatrix neumann = TestSystems.line(50, Precision.F64).mapValues((i, j, v) -> i == j && i % 49 == 0 ? 1 : v);
        assertThrows(FactorisationException.class, () -> SparseLu.of(neumann));
        assertEquals("LU factorisation with CSR matrix 3 x 3, 3 non-zeros, f64: the entry in row 0, column 0 is NaN, "
                + "expected a finite number",
                assertThrows(IllegalArgumentException.class,
                        () -> SparseLu.of(CsrMatrix.identity(3, Precision.F64).scaled(Double.NaN))).getMessage());
    }

    /** The greatest elements of rows are 17 orders of magnitude apart; scaled, the condition is 2.6. */
    @Test
    void solvesWhatDiffersInScaleByRows() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{1e17, 1e17}, {1, 2}}, Precision.F64);
        assertArrayEquals(new double[]{1, 1}, SparseLu.of(a).solve(new double[]{2e17, 3}), 1e-15);
        assertArrayEquals(new double[]{0, 1}, SparseLu.of(a).solveTransposed(new double[]{1, 2}), 1e-15);
        CsrMatrix both = DenseBlocks.fromRows(new double[][]{{1e17, 1e8}, {1e8, 2}}, Precision.F64);
        assertArrayEquals(new double[]{1, 1}, SparseLu.of(both).solve(new double[]{1e17 + 1e8, 1e8 + 2}), 1e-7);
        SplittableRandom random = TestSeed.random("solvesWhatDiffersInScaleByRows");
        for (int trial = 0; trial < 40; trial++) {
            int n = random.nextInt(1, 60);
            double[] scale = random.doubles(n, -300, 300).map(e -> Math.scalb(1.0, (int) e)).toArray();
            CsrMatrix plain = TestSystems.general(n, random.nextInt(0, 5), random);
            CsrMatrix scaled = plain.mapValues((i, j, v) -> scale[i] * v);
            double[] b = random.doubles(n, -1, 1).toArray();
            double[] scaledB = b.clone();
            Arrays.setAll(scaledB, i -> scale[i] * b[i]);
            LuOptions byStructure = LuOptions.defaults().with(LuOptions.Matching.TRANSVERSAL);
            assertArrayEquals(SparseLu.of(plain, byStructure).solve(b),
                    SparseLu.of(scaled, byStructure).solve(scaledB), "trial " + trial + ", seed " + TestSeed.value());
            assertTrue(Refinement.backwardError(scaled, scaledB, SparseLu.of(scaled).solve(scaledB)) < 1e-10,
                    "trial " + trial + ", seed " + TestSeed.value());
        }
    }

    @Test
    void keepsItsLimits() {
        CsrMatrix grid = TestSystems.grid(200, 200, Precision.F64).mapValues((i, j, v) -> j == i + 1 ? v + 0.9 : v);
        LuOptions options = LuOptions.defaults();
        FactorisationException memory = assertThrows(FactorisationException.class,
                () -> SparseLu.of(grid, options.with(new FactorLimits(10_000_000, Double.POSITIVE_INFINITY))));
        assertEquals(FactorisationException.Reason.MEMORY, memory.reason());
        assertTrue(memory.getMessage().endsWith("of which there may be 10000000"), memory.getMessage());
        FactorisationException time =
                assertThrows(FactorisationException.class,
                        () -> SparseLu.of(grid, options.with(FactorLimits.ofHeap().within(1e-9))));
        assertEquals(FactorisationException.Reason.TIME, time.reason());
        assertThrows(IllegalArgumentException.class, () -> new FactorLimits(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new FactorLimits(1, Double.NaN));
    }

    @Test
    void refusesWhatDoesNotFit() {
        CsrMatrix wide = DenseBlocks.fromRows(new double[][]{{1, 2}}, Precision.F64);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SparseLu.of(wide)).getMessage()
                .contains("expected a square matrix"));
        CsrMatrix one = CsrMatrix.identity(1, Precision.F64);
        assertThrows(IllegalArgumentException.class,
                () -> LuOptions.defaults().withPivotTolerance(0));
        assertThrows(IllegalArgumentException.class, () -> SparseLu.of(one).solve(new double[2]));
        assertThrows(IllegalArgumentException.class, () -> SparseLu.of(one).solveTransposed(new double[2]));
    }
}
