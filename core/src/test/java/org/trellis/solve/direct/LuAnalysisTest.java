package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.TestSeed;

/** Matchings, blocks, orders, and what can be asked of factors. */
final class LuAnalysisTest {
    private static CsrMatrix matrix(double[]... rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    @Test
    void matchesTheGreatestProductByHand() {
        CsrMatrix a = matrix(new double[]{3, 2, 0}, new double[]{4, 1, 0}, new double[]{0, 5, 7});
        ColumnStructure structure = ColumnStructure.of(a);
        assertArrayEquals(new int[]{1, 0, 2}, ProductMatching.of(structure, ColumnStructure.values(a)).rowOfColumn());
        assertArrayEquals(new int[]{0, 1, 2}, MaximumTransversal.rowOfColumn(structure));
        CsrMatrix singular = matrix(new double[]{1, 1}, new double[]{0, 0});
        assertNull(ProductMatching.of(ColumnStructure.of(singular), ColumnStructure.values(singular)));
    }

    /** Where each row has its greatest entry on the diagonal, no other matching has a greater product. */
    @Test
    void leavesGreatestDiagonalsWhereTheyAre() {
        SplittableRandom random = TestSeed.random("leavesGreatestDiagonalsWhereTheyAre");
        int found = 0;
        for (int trial = 0; trial < 60; trial++) {
            int n = 1 + random.nextInt(50);
            double diagonal = trial % 3 == 0 ? 0.5 : 1;
            CsrMatrix pattern = TestSystems.general(n, 1 + random.nextInt(5), random)
                    .plus(CsrMatrix.identity(n, Precision.F64).scaled(9));
            CsrMatrix a = pattern.mapValues((row, column, value) -> row == column ? diagonal : value % 1);
            ColumnStructure structure = ColumnStructure.of(a);
            double[] values = ColumnStructure.values(a);
            ProductMatching matching = ProductMatching.of(structure, values);
            boolean isDiagonal = ProductMatching.isDiagonal(structure, values);
            assertEquals(!hasGreaterThanDiagonal(a), isDiagonal);
            if (isDiagonal) {
                found++;
                for (int j = 0; j < n; j++) {
                    assertEquals(j, matching.rowOfColumn()[j]);
                    assertEquals(1, matching.columnScale(j));
                }
            }
        }
        assertTrue(found >= 40 && found < 60, "found: " + found);
        CsrMatrix greater = matrix(new double[]{1, 2}, new double[]{0, 1});
        assertFalse(ProductMatching.isDiagonal(ColumnStructure.of(greater), ColumnStructure.values(greater)));
        CsrMatrix zero = matrix(new double[]{1, 0}, new double[]{0, 0});
        assertFalse(ProductMatching.isDiagonal(ColumnStructure.of(zero), ColumnStructure.values(zero)));
    }

    private static boolean hasGreaterThanDiagonal(CsrMatrix a) {
        double[][] rows = new double[a.rows()][a.columns()];
        a.forEachEntry((row, column, value) -> rows[row][column] = Math.abs(value));
        for (int i = 0; i < rows.length; i++) {
            if (Arrays.stream(rows[i]).max().orElse(0) > rows[i][i] || rows[i][i] == 0) {
                return true;
            }
        }
        return false;
    }

    /** An analysis within a limit that calls itself settled has the order of one without a limit. */
    @Test
    void settledOrdersAreThoseWithoutALimit() {
        SplittableRandom random = TestSeed.random("settledOrdersAreThoseWithoutALimit");
        CsrMatrix grid = TestSystems.grid(40, 37, Precision.F64);
        LuAnalysis limited = LuAnalysis.of(grid, limited(1e18));
        assertTrue(limited.isSettled());
        assertEquals(LuOptions.Order.MINIMUM_DEGREE, limited.order());
        assertEquals(LuOptions.Order.MINIMUM_DEGREE, LuAnalysis.of(grid, LuOptions.defaults()).order());
        int settled = 0;
        for (int trial = 0; trial < 30; trial++) {
            CsrMatrix a = TestSystems.general(20 + random.nextInt(280), 1 + random.nextInt(20), random);
            LuAnalysis some = LuAnalysis.of(a, limited(1e18));
            if (some.isSettled()) {
                settled++;
                assertEquals(some.order(),
                        LuAnalysis.of(a, LuOptions.defaults().with(LuOptions.Kernel.COLUMNS)).order());
            }
        }
        assertTrue(settled > 0 && settled < 30, "settled: " + settled);
    }

    /** What an analysis counts it allows, and not one entry less; orders within the limit are good enough. */
    @Test
    void endsWhereFactorsHaveMoreEntriesThanTheyMay() {
        SplittableRandom random = TestSeed.random("endsWhereFactorsHaveMoreEntriesThanTheyMay");
        for (int trial = 0; trial < 40; trial++) {
            CsrMatrix a = trial % 2 == 0
                    ? TestSystems.general(1 + random.nextInt(60), 1 + random.nextInt(4), random)
                    : TestSystems.grid(1 + random.nextInt(12), 1 + random.nextInt(12), Precision.F64);
            double counted = (double) LuAnalysis.of(a, limited(1e18)).predicted().nonZeros();
            assertEquals(counted, (double) LuAnalysis.of(a, limited(counted)).predicted().nonZeros());
            assertEquals(FactorisationException.Reason.MEMORY, assertThrows(FactorisationException.class,
                    () -> LuAnalysis.of(a, limited(counted - 0.5))).reason());
            if (trial % 2 == 1) {
                double one = (double) analysis(a, 1e18).predicted().nonZeros();
                assertEquals(one, (double) analysis(a, one).predicted().nonZeros());
                assertThrows(FactorisationException.class, () -> analysis(a, one - 0.5));
            }
        }
    }

    private static LuOptions limited(double entries) {
        return LuOptions.defaults().with(LuOptions.Kernel.COLUMNS).with(FactorLimits.ofHeap().ofEntries(entries));
    }

    private static SymmetricAnalysis analysis(CsrMatrix a, double entries) {
        return SymmetricAnalysis.of(a, FillReduction.MINIMUM_DEGREE, FactorLimits.ofHeap().ofEntries(entries));
    }

    private static double greatestProduct(double[][] a, int column, int usedRows) {
        if (column == a.length) {
            return 1;
        }
        double greatest = 0;
        for (int i = 0; i < a.length; i++) {
            if ((usedRows >> i & 1) == 0 && a[i][column] != 0) {
                greatest = Math.max(greatest,
                        Math.abs(a[i][column]) * greatestProduct(a, column + 1, usedRows | 1 << i));
            }
        }
        return greatest;
    }

    @Test
    void matchesTheGreatestProductOfAllPermutations() {
        SplittableRandom random = TestSeed.random("matchesTheGreatestProductOfAllPermutations");
        for (int trial = 0; trial < 400; trial++) {
            int n = random.nextInt(1, 7);
            double[][] a = new double[n][n];
            for (double[] row : a) {
                Arrays.setAll(row, j -> random.nextInt(3) == 0
                        ? 0
                        : Math.scalb(random.nextDouble(1, 2),
                                random.nextInt(-20, 20)));
            }
            CsrMatrix matrix = matrix(a);
            ProductMatching found =
                    ProductMatching.of(ColumnStructure.of(matrix), ColumnStructure.values(matrix));
            double expected = greatestProduct(a, 0, 0);
            String context = "trial " + trial + ", seed " + TestSeed.value();
            assertEquals(expected == 0, found == null, context);
            if (found != null) {
                double product = 1;
                for (int j = 0; j < n; j++) {
                    product *= Math.abs(a[found.rowOfColumn()[j]][j]);
                }
                assertEquals(1, product / expected, 1e-12, context);
            }
        }
    }

    @Test
    void findsBlocksOfAPermutedTriangle() {
        SplittableRandom random = TestSeed.random("findsBlocksOfAPermutedTriangle");
        CsrMatrix line = TestSystems.line(40, Precision.F64).filter((i, j, v) -> j >= i);
        CsrMatrix triangle = line.permute(Permutation.random(40, random), Permutation.random(40, random));
        LuAnalysis analysis = LuAnalysis.of(triangle, LuOptions.defaults());
        assertEquals(40, analysis.blocks());
        assertEquals(1, analysis.largestBlock());
        SparseLu lu = analysis.factorise(triangle);
        assertEquals(triangle.nonZeros(), lu.nonZeros());
        assertEquals(0, lu.lower().nonZeros() - 40);
        assertEquals(1, LuAnalysis.of(triangle, LuOptions.defaults().withBlocks(false)).blocks());
    }

    /** Rows in another order must not cost entries: they are brought back first. */
    @Test
    void shuffledRowsFillNoMore() {
        CsrMatrix grid = TestSystems.grid(40, 40, Precision.F64);
        CsrMatrix shuffled = grid.permute(
                Permutation.random(1600, TestSeed.random("shuffledRowsFillNoMore")), Permutation.identity(1600));
        long entries = SparseLu.of(shuffled).nonZeros();
        assertTrue(entries <= 1.05 * SparseLu.of(grid).nonZeros(), () -> entries + " entries");
    }

    /** Nearly whole numbers, nothing on the diagonal: pivots leave the diagonal, and columns are ordered for that. */
    @Test
    void ordersColumnsWherePivotsLeaveTheDiagonal() {
        SplittableRandom random = TestSeed.random("ordersColumnsWherePivotsLeaveTheDiagonal");
        CsrMatrix triangles = TestSystems.grid(30, 30, Precision.F64)
                .plus(TestSystems.grid(30, 30, Precision.F64).selectColumns(Permutation.random(900, random).toArray()))
                .mapValues((i, j, v) -> 1 + (i * 7 + j * 3) % 2 + random.nextDouble(1e-3));
        SparseLu lu = SparseLu.of(triangles);
        double[] b = random.doubles(900, -1, 1).toArray();
        double[] x = new double[900];
        assertTrue(lu.solver().refine(triangles, b, x).backwardError() < 1e-15);
        assertTrue(lu.nonZeros() <= 1.5 * lu.analysis().predicted().nonZeros() + 900
                || lu.analysis().order() == LuOptions.Order.COLUMN_MINIMUM_DEGREE, lu::toString);
    }

    @Test
    void tellsConditionAndWeakestPivot() {
        SplittableRandom random = TestSeed.random("tellsConditionAndWeakestPivot");
        for (int trial = 0; trial < 50; trial++) {
            int n = random.nextInt(1, 20);
            CsrMatrix a = TestSystems.general(n, 4, random);
            SparseLu lu = SparseLu.of(a);
            double inverse = 0;
            for (int j = 0; j < n; j++) {
                double[] e = new double[n];
                e[j] = 1;
                inverse = Math.max(inverse, Arrays.stream(lu.solve(e)).map(Math::abs).sum());
            }
            double[] sums = new double[n];
            a.forEachEntry((i, j, v) -> sums[j] += Math.abs(v));
            double exact = 1 / inverse / Arrays.stream(sums).max().orElseThrow();
            double estimate = lu.reciprocalCondition(a);
            assertTrue(estimate >= exact * (1 - 1e-10) && estimate < 10 * exact,
                    "trial " + trial + ": " + estimate + " for " + exact + ", seed " + TestSeed.value());
        }
        CsrMatrix nearly = matrix(new double[]{4, 1, 0}, new double[]{1, 1, 1}, new double[]{0, 1, 4.0 / 3 + 1e-13});
        SparseLu.WeakestPivot weakest = SparseLu.of(nearly).weakestPivot();
        assertTrue(weakest.share() < 1e-12 && weakest.share() > 1e-14, weakest::toString);
        assertTrue(SparseLu.of(nearly).reciprocalCondition(nearly) < 1e-12);
        assertThrows(FactorisationException.class,
                () -> SparseLu.of(nearly, LuOptions.defaults().withSmallestPivot(1e-10)));
    }

    @Test
    void refusesPivotsThatOtherValuesTookAway() {
        CsrMatrix a = matrix(new double[]{2, 1}, new double[]{1, 1});
        SparseLu lu = SparseLu.of(a);
        assertTrue(lu.refactorise(matrix(new double[]{1e-9, 1}, new double[]{1, 1})) > SparseLu.RELIABLE_GROWTH);
        CsrMatrix zero = a.mapValues((i, j, v) -> 1);
        FactorisationException refused = assertThrows(FactorisationException.class, () -> lu.refactorise(zero));
        assertTrue(refused.getMessage().contains("expected pivots of its own"), refused.getMessage());
        assertThrows(IllegalStateException.class, () -> lu.solve(new double[2]));
        lu.refactorise(a);
        assertArrayEquals(new double[]{1, 1}, lu.solve(new double[]{3, 2}), 1e-15);
        assertThrows(IllegalArgumentException.class, () -> lu.refactorise(CsrMatrix.identity(2, Precision.F64)));
    }

    @Test
    void determinantsBeyondDoubles() {
        CsrMatrix a = CsrMatrix.identity(500, Precision.F64).scaled(-1e-300);
        Determinant determinant = SparseLu.of(a).determinant();
        assertEquals(-300 * 500 * Math.log(10), determinant.logOfSize(), 1e-6);
        assertTrue(determinant.mantissa() > 0);
        assertEquals(0, determinant.toDouble());
    }

    @Test
    void unitsOfRowsDoNotMatter() {
        SplittableRandom random = TestSeed.random("LU unitsOfRowsDoNotMatter");
        CsrMatrix a = TestSystems.grid(30, 30, Precision.F64).mapValues((i, j, v) -> v * random.nextDouble(0.2, 1.5));
        CsrMatrix b = a.mapValues((i, j, v) -> v * Math.scalb(1.0, (i % 5 - 2) * 60));
        SparseLu first = SparseLu.of(a);
        SparseLu second = SparseLu.of(b);
        assertEquals(first.growth(), second.growth(), 1e-6 * first.growth());
        assertArrayEquals(first.rowPermutation().toArray(), second.rowPermutation().toArray());
        assertArrayEquals(first.columnScale(), second.columnScale());
    }
}
