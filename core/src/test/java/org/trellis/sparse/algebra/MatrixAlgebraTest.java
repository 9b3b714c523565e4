package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SegmentedMatrices;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.DenseReference;
import org.trellis.testing.TestSeed;

/** Products, stacks, Kronecker products and norms against plain loops over dense arrays. */
final class MatrixAlgebraTest {
    private static CsrMatrix of(double[]... rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    @Test
    void multipliesAwkwardMatrices() {
        SplittableRandom random = TestSeed.random("multipliesAwkwardMatrices");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, a) -> {
                CsrMatrix b = AwkwardMatrices.random(a.columns(), 83, row -> row % 7 == 3 ? 60 : row % 4, precision,
                        random);
                String context = name + ", " + precision.label() + ", seed " + TestSeed.value();
                double[][] expected = DenseReference.product(DenseReference.of(a), DenseReference.of(b), 83);
                double tolerance = 2 * precision.unitRoundoff() + a.columns() * 0x1p-50;
                DenseReference.assertElements(expected, 83, MatrixProduct.multiply(a, b), tolerance, context);
            });
        }
    }

    /** Results with far more columns than the factors have entries go through hash tables. */
    @Test
    void multipliesIntoVeryWideMatrices() {
        SplittableRandom random = TestSeed.random("multipliesIntoVeryWideMatrices");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(40, 30, row -> row % 9 == 0 ? 30 : row % 4, precision, random);
            CsrMatrix b = AwkwardMatrices.random(30, 40_000, row -> row % 5, precision, random);
            assertFalse(MatrixProduct.isNarrow(a, b));
            double[][] expected = DenseReference.product(DenseReference.of(a), DenseReference.of(b), 40_000);
            DenseReference.assertElements(expected, 40_000, MatrixProduct.multiply(a, b),
                    2 * precision.unitRoundoff() + 0x1p-48, "very wide, seed " + TestSeed.value());
        }
    }

    /** Wide results with short and long rows. */
    @Test
    void multipliesIntoWideMatrices() {
        SplittableRandom random = TestSeed.random("multipliesIntoWideMatrices");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(40, 30, row -> row % 9 == 0 ? 30 : row % 4, precision, random);
            CsrMatrix b = AwkwardMatrices.random(30, 40_000, row -> row % 11 == 1 ? 20_000 : 1 + 30 * row, precision,
                    random);
            double[][] expected = DenseReference.product(DenseReference.of(a), DenseReference.of(b), 40_000);
            DenseReference.assertElements(expected, 40_000, MatrixProduct.multiply(a, b),
                    2 * precision.unitRoundoff() + 0x1p-48, "wide, seed " + TestSeed.value());
        }
    }

    @Test
    void segmentsDoNotShowInProducts() {
        SplittableRandom random = TestSeed.random("segmentsDoNotShowInProducts");
        CsrMatrix a = AwkwardMatrices.random(90, 70, row -> row % 30, Precision.F32, random);
        CsrMatrix b = AwkwardMatrices.random(70, 20_000, row -> row % 50, Precision.F32, random);
        CsrMatrix cutA = SegmentedMatrices.cut(a, 40);
        CsrMatrix cutB = SegmentedMatrices.cut(b, 77);
        assertTrue(MatrixProduct.multiply(a, b).sameAs(MatrixProduct.multiply(cutA, cutB)));
        assertTrue(KroneckerProduct.of(a, a).sameAs(KroneckerProduct.of(cutA, cutA)));
        assertTrue(Stacking.vertical(List.of(a, a)).sameAs(Stacking.vertical(List.of(cutA, cutA))));
        assertEquals(MatrixNorms.frobenius(b), MatrixNorms.frobenius(cutB));
    }

    /** Values anew in a known structure: the same bits, also where the structure has more. */
    @Test
    void multipliesAgainInAKnownStructure() {
        SplittableRandom random = TestSeed.random("multipliesAgainInAKnownStructure");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(90, 70, row -> row % 13, precision, random);
            CsrMatrix b = AwkwardMatrices.random(70, 20_000, row -> row % 50, precision, random);
            CsrMatrix product = MatrixProduct.multiply(a, b);
            CsrMatrix other = b.mapValues(value -> 1 / value);
            CsrMatrix again = MatrixProduct.again(product, a, other);
            assertTrue(again.sameAs(MatrixProduct.multiply(a, other)), "seed " + TestSeed.value());
            CsrMatrix wider = product.plus(AwkwardMatrices.random(90, 20_000, row -> 5, precision, random));
            assertTrue(MatrixProduct.again(wider, a, b).closeTo(product, 0, 0), "seed " + TestSeed.value());
        }
        CsrMatrix identity = CsrMatrix.identity(2, Precision.F64);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> MatrixProduct.again(identity, identity, of(new double[]{1, 1}, new double[]{0, 1})));
        assertTrue(refused.getMessage().contains("row 0 has a term in column 1"), refused.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> MatrixProduct.again(identity, of(new double[]{1, 1}), identity));
    }

    /** Rows that follow one another with the same columns, two to five of them, are added up together. */
    @Test
    void multipliesRowsOfNodes() {
        SplittableRandom random = TestSeed.random("multipliesRowsOfNodes");
        for (Precision precision : Precision.values()) {
            for (int block = 2; block <= 5; block++) {
                CsrMatrix nodes = AwkwardMatrices.random(40, 30, row -> row % 9, precision, random);
                CsrMatrix ones = CsrMatrix.identity(block, precision);
                CsrMatrix full = KroneckerProduct.of(nodes, ones.plus(AwkwardMatrices.random(block, block,
                        row -> ones.columns(), precision, random)));
                CsrMatrix b = AwkwardMatrices.random(full.columns(), 83, row -> row % 6, precision, random);
                double[][] expected = DenseReference.product(DenseReference.of(full), DenseReference.of(b), 83);
                CsrMatrix product = MatrixProduct.multiply(full, b);
                String context = block + " rows, " + precision.label() + ", seed " + TestSeed.value();
                DenseReference.assertElements(expected, 83, product, 2 * precision.unitRoundoff() + 0x1p-44, context);
                assertTrue(product.sameAs(MatrixProduct.again(product, full, b)), context);
                assertTrue(product.sameAs(MatrixProduct.multiply(SegmentedMatrices.cut(full, 50),
                        SegmentedMatrices.cut(b, 31))), context);
                CsrMatrix norms = BlockNorms.of(full, block);
                assertEquals(nodes.nonZeros(), norms.nonZeros(), context);
                assertEquals(MatrixNorms.frobenius(full), MatrixNorms.frobenius(norms), 1e-5, context);
            }
        }
    }

    /** On a grid nearly every row of a product is the row before shifted; a few rows with other columns are not. */
    @Test
    void multipliesGrids() {
        SplittableRandom random = TestSeed.random("multipliesGrids");
        for (Precision precision : Precision.values()) {
            CsrMatrix grid = AwkwardMatrices.stencil(37, 19, precision, random);
            int n = grid.rows();
            CsrMatrix others = AwkwardMatrices.random(n, n, row -> row % 50 == 7 ? 3 : 0, precision, random);
            for (CsrMatrix a : List.of(grid, grid.plus(others))) {
                for (CsrMatrix b : List.of(grid, grid.plus(others))) {
                    assertProduct(a, b, "grid, " + precision.label() + ", seed " + TestSeed.value());
                }
            }
        }
    }

    /** A shifted row of the left factor names rows of the right one that are shifted, or not. */
    @Test
    void multipliesShiftedRowsOfUnlikeRows() {
        CsrMatrix left = of(new double[]{1, 2, 0, 0}, new double[]{0, 3, 4, 0}, new double[]{0, 0, 5, 6});
        CsrMatrix right = of(new double[]{1, 0, 0, 0}, new double[]{0, 1, 0, 0}, new double[]{0, 0, 1, 0},
                new double[]{0, 0, 1, 1});
        CsrMatrix product = MatrixProduct.multiply(left, right);
        assertTrue(product.sameAs(of(new double[]{1, 2, 0, 0}, new double[]{0, 3, 4, 0}, new double[]{0, 0, 11, 6})));
    }

    /** Sums by column would not fit a cache there. */
    @Test
    void multipliesIntoRowsThatAreFarApart() {
        SplittableRandom random = TestSeed.random("multipliesIntoRowsThatAreFarApart");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(30, 200, row -> row % 7 == 0 ? 100 : row % 3, precision, random);
            CsrMatrix b = AwkwardMatrices.random(200, 300_000, row -> row % 2 == 0 ? 1600 : 3, precision, random);
            assertTrue(MatrixProduct.isNarrow(a, b));
            assertProduct(a, b, "far apart, " + precision.label() + ", seed " + TestSeed.value());
        }
    }

    private static void assertProduct(CsrMatrix a, CsrMatrix b, String context) {
        CsrMatrix product = MatrixProduct.multiply(a, b);
        for (int row = 0; row < a.rows(); row++) {
            TreeMap<Integer, Double> sums = new TreeMap<>();
            CsrRowCursor left = new CsrRowCursor(a);
            CsrRowCursor right = new CsrRowCursor(b);
            left.moveTo(row);
            for (int k = left.start(); k < left.end(); k++) {
                right.moveTo(left.columns()[k]);
                for (int l = right.start(); l < right.end(); l++) {
                    sums.merge(right.columns()[l], left.value(k) * right.value(l), Double::sum);
                }
            }
            CsrRowCursor result = new CsrRowCursor(product);
            result.moveTo(row);
            assertArrayEquals(sums.keySet().stream().mapToInt(column -> column).toArray(),
                    Arrays.copyOfRange(result.columns(), result.start(), result.end()), context);
            for (int k = result.start(); k < result.end(); k++) {
                double sum = sums.get(result.columns()[k]);
                assertEquals(a.precision() == Precision.F64 ? sum : (float) sum, result.value(k), context);
            }
        }
    }

    @Test
    void takesNormsOfBlocks() {
        CsrMatrix a = of(new double[]{3, 0, 0, 0}, new double[]{0, 4, 0, 0}, new double[]{1, 0, 0, 2},
                new double[]{0, 0, 0, 0});
        CsrMatrix norms = BlockNorms.of(a, 2);
        assertEquals(3, norms.nonZeros());
        assertEquals(5, norms.get(0, 0));
        assertEquals(1, norms.get(1, 0));
        assertEquals(2, norms.get(1, 1));
        assertTrue(BlockNorms.of(a, 1).sameAs(a));
        assertThrows(IllegalArgumentException.class, () -> BlockNorms.of(a, 3));
    }

    /** Rows of more columns than a word of bits stands for: groups of several words have one. */
    @Test
    void multipliesIntoLongCloseRows() {
        SplittableRandom random = TestSeed.random("multipliesIntoLongCloseRows");
        for (Precision precision : Precision.values()) {
            for (int width : new int[]{4030, 4033, 9000, 20_000}) {
                CsrMatrix a = AwkwardMatrices.random(20, 50, row -> row % 5 * 10, precision, random);
                CsrMatrix b = AwkwardMatrices.random(50, width, row -> row % 2 * 40, precision, random);
                assertProduct(a, b, width + " columns, " + precision.label() + ", seed " + TestSeed.value());
            }
        }
    }

    @Test
    void keepsEntriesThatCancel() {
        CsrMatrix product = MatrixProduct.multiply(of(new double[]{1, 1}), of(new double[]{1}, new double[]{-1}));
        assertEquals(1, product.nonZeros());
        assertEquals(0, product.get(0, 0));
    }

    /** The same bits as two products, whatever R, A and P are like, however often the memory was used before. */
    @Test
    void makesCoarseMatricesWithoutTheFirstProduct() {
        SplittableRandom random = TestSeed.random("makesCoarseMatricesWithoutTheFirstProduct");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, a) -> {
                CsrMatrix p = AwkwardMatrices.random(a.columns(), 61, row -> row % 9 == 4 ? 0 : row % 4, precision,
                        random);
                CsrMatrix r = AwkwardMatrices.random(45, a.rows(),
                        row -> row % 5 == 2 ? 0 : Math.min(a.rows(), row % 7), precision, random);
                assertGalerkin(r, a, p, name + ", " + precision.label());
                if (a.rows() == a.columns()) {
                    assertGalerkin(p.transpose(), a, p, name + " and the transpose of P, " + precision.label());
                }
            });
        }
    }

    /** Several pieces of rows and several blocks of memory, rows alike, and segments of each factor. */
    @Test
    void makesCoarseMatricesOfManyRows() {
        SplittableRandom random = TestSeed.random("makesCoarseMatricesOfManyRows");
        for (Precision precision : Precision.values()) {
            CsrMatrix grid = AwkwardMatrices.stencil(61, 67, precision, random);
            CsrMatrix nodes = KroneckerProduct.of(AwkwardMatrices.stencil(23, 29, precision, random),
                    AwkwardMatrices.random(3, 3, row -> 3, precision, random));
            for (CsrMatrix a : List.of(grid, grid.plus(AwkwardMatrices.random(grid.rows(), grid.rows(),
                    row -> row % 900 == 7 ? 1500 : 0, precision, random)), nodes)) {
                CsrMatrix p = AwkwardMatrices.random(a.rows(), 700, row -> row / 3 % 6, precision, random);
                assertGalerkin(p.transpose(), a, p, a + ", " + precision.label());
                assertTrue(MatrixProduct.galerkin(p.transpose(), a, p).sameAs(MatrixProduct.galerkin(
                        SegmentedMatrices.cut(p.transpose(), 1000), SegmentedMatrices.cut(a, 2000),
                        SegmentedMatrices.cut(p, 999))), a + ", segments, seed " + TestSeed.value());
            }
        }
    }

    /** Where P has far more columns than the factors have entries, there are two products by hashing. */
    @Test
    void makesVeryWideCoarseMatrices() {
        SplittableRandom random = TestSeed.random("makesVeryWideCoarseMatrices");
        CsrMatrix a = AwkwardMatrices.random(40, 30, row -> row % 4, Precision.F32, random);
        CsrMatrix p = AwkwardMatrices.random(30, 40_000, row -> row % 5, Precision.F32, random);
        assertFalse(MatrixProduct.isNarrow(a, p));
        assertGalerkin(AwkwardMatrices.random(20, 40, row -> row % 6, Precision.F32, random), a, p, "very wide");
    }

    private static void assertGalerkin(CsrMatrix r, CsrMatrix a, CsrMatrix p, String context) {
        CsrMatrix expected = MatrixProduct.multiply(r, MatrixProduct.multiply(a, p));
        for (int round = 0; round < 2; round++) {
            CsrMatrix made = MatrixProduct.galerkin(r, a, p);
            assertTrue(made.firstViolation().isEmpty(), context);
            assertTrue(made.sameAs(expected), context + ", seed " + TestSeed.value());
        }
    }

    @Test
    void makesCoarseMatrices() {
        SplittableRandom random = TestSeed.random("makesCoarseMatrices");
        CsrMatrix a = AwkwardMatrices.stencil(12, 9, Precision.F64, random);
        CsrMatrix p = AwkwardMatrices.random(108, 31, row -> 1 + row % 2, Precision.F64, random);
        double[][] dp = DenseReference.of(p);
        double[][] expected = DenseReference.product(DenseReference.of(p.transpose()),
                DenseReference.product(DenseReference.of(a), dp, 31), 31);
        DenseReference.assertElements(expected, 31, MatrixProduct.triple(p.transpose(), a, p), 1e-13,
                "seed " + TestSeed.value());
        DenseReference.assertElements(expected, 31, MatrixProduct.galerkin(p.transpose(), a, p), 1e-13,
                "seed " + TestSeed.value());
    }

    @Test
    void stacks() {
        SplittableRandom random = TestSeed.random("stacks");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, a) -> {
                CsrMatrix beside = AwkwardMatrices.random(a.rows(), 5, row -> row % 6, precision, random);
                CsrMatrix empty = AwkwardMatrices.random(a.rows(), 0, row -> 0, precision, random);
                CsrMatrix row = Stacking.horizontal(List.of(beside, empty, a));
                assertTrue(row.submatrix(0, a.rows(), 0, 5).sameAs(beside), name);
                assertTrue(row.submatrix(0, a.rows(), 5, 5 + a.columns()).sameAs(a), name);
                CsrMatrix below = AwkwardMatrices.random(3, a.columns(), r -> Math.min(r, a.columns()), precision,
                        random);
                CsrMatrix none = AwkwardMatrices.random(0, a.columns(), r -> 0, precision, random);
                CsrMatrix column = Stacking.vertical(List.of(none, a, none, below));
                assertTrue(column.submatrix(0, a.rows(), 0, a.columns()).sameAs(a), name);
                assertTrue(column.submatrix(a.rows(), a.rows() + 3, 0, a.columns()).sameAs(below), name);
            });
        }
    }

    @Test
    void makesBlocks() {
        CsrMatrix a = of(new double[]{1, 2});
        CsrMatrix b = of(new double[]{3}, new double[]{4});
        CsrMatrix blocks = Stacking.blocks(new CsrMatrix[][]{{a, null}, {null, b}});
        assertTrue(of(new double[]{1, 2, 0}, new double[]{0, 0, 3}, new double[]{0, 0, 4}).sameAs(blocks));
        assertTrue(blocks.sameAs(Stacking.diagonal(List.of(a, b))));
        assertEquals("block (0, 1) is a " + b + ", expected 1 rows", assertThrows(IllegalArgumentException.class,
                () -> Stacking.horizontal(List.of(a, b))).getMessage());
        assertEquals("column 1 of blocks has none that is not null, so its size is unknown", assertThrows(
                IllegalArgumentException.class, () -> Stacking.blocks(new CsrMatrix[][]{{a, null}})).getMessage());
        assertEquals("row 1 of blocks has 1 blocks, expected 2", assertThrows(IllegalArgumentException.class,
                () -> Stacking.blocks(new CsrMatrix[][]{{a, a}, {a}})).getMessage());
        assertThrows(IllegalArgumentException.class, () -> Stacking.vertical(List.of()));
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> Stacking.vertical(List.of(a, a.toPrecision(Precision.F32)))).getMessage()
                .contains("expected equal precisions"));
    }

    @Test
    void multipliesByKronecker() {
        SplittableRandom random = TestSeed.random("multipliesByKronecker");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(7, 5, row -> row % 6, precision, random);
            CsrMatrix b = AwkwardMatrices.random(4, 9, row -> 3 * row, precision, random);
            double[][] expected = new double[28][45];
            for (int i = 0; i < 28; i++) {
                for (int j = 0; j < 45; j++) {
                    expected[i][j] = a.get(i / 4, j / 9) * b.get(i % 4, j % 9);
                }
            }
            DenseReference.assertElements(expected, 45, KroneckerProduct.of(a, b), 2 * precision.unitRoundoff(),
                    "seed " + TestSeed.value());
            CsrMatrix none = AwkwardMatrices.random(0, 3, row -> 0, precision, random);
            assertEquals(0, KroneckerProduct.of(none, a).rows());
            assertEquals(15, KroneckerProduct.of(a, none).columns());
        }
        assertThrows(IllegalArgumentException.class, () -> KroneckerProduct.of(
                CsrMatrix.identity(1 << 16, Precision.F32), CsrMatrix.identity(1 << 16, Precision.F32)));
    }

    @Test
    void measuresByPlainLoops() {
        SplittableRandom random = TestSeed.random("measuresByPlainLoops");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, a) -> {
                double[] rows = new double[a.rows()];
                double[] columns = new double[a.columns()];
                double[] others = new double[2];
                a.forEachEntry((i, j, value) -> {
                    rows[i] += Math.abs(value);
                    columns[j] += Math.abs(value);
                    others[0] = Math.max(others[0], Math.abs(value));
                    others[1] += value * value;
                });
                String context = name + ", seed " + TestSeed.value();
                assertEquals(greatest(columns), MatrixNorms.one(a), 1e-12 * greatest(columns), context);
                assertEquals(greatest(rows), MatrixNorms.infinity(a), 1e-12 * greatest(rows), context);
                assertEquals(others[0], MatrixNorms.max(a), context);
                assertEquals(Math.sqrt(others[1]), MatrixNorms.frobenius(a), 1e-12 * others[1], context);
                double two = MatrixNorms.two(a, 1e-8, 60);
                assertTrue(two <= MatrixNorms.frobenius(a) * (1 + 1e-12), context + ": 2-norm " + two);
                assertTrue(two * two <= MatrixNorms.one(a) * MatrixNorms.infinity(a) * (1 + 1e-12), context);
                assertTrue(two >= MatrixNorms.max(a) * 0.99, context + ": 2-norm " + two);
            });
        }
    }

    private static double greatest(double[] values) {
        double greatest = 0;
        for (double value : values) {
            greatest = Math.max(greatest, value);
        }
        return greatest;
    }

    @Test
    void doesNotOverflowEarly() {
        assertEquals(5e300, MatrixNorms.frobenius(of(new double[]{3e300, 4e300})), 1e285);
        assertEquals(5e-300, MatrixNorms.frobenius(of(new double[]{3e-300, 4e-300})), 1e-315);
        assertEquals(5e300, MatrixNorms.two(of(new double[]{3e300, 4e300}), 1e-10, 5), 1e287);
        assertEquals(Double.POSITIVE_INFINITY, MatrixNorms.frobenius(of(new double[]{Double.POSITIVE_INFINITY, 1})));
    }

    /** The Laplacian of a line of n points has the eigenvalues 2 - 2 cos(k pi / (n + 1)). */
    @Test
    void findsKnownTwoNorms() {
        int n = 200;
        CsrMatrix line = DenseBlocks.fromRowMajor(n, n, laplacian(n), Precision.F64);
        double expected = 2 + 2 * Math.cos(Math.PI / (n + 1));
        double found = MatrixNorms.two(line, 1e-9, 400);
        assertTrue(found <= expected * (1 + 1e-13) && found >= expected * (1 - 1e-5), found + " of " + expected);
        assertEquals(3, MatrixNorms.two(of(new double[]{3, 0}, new double[]{0, 1}, new double[]{0, 0}), 1e-12, 10),
                1e-12);
        assertThrows(IllegalArgumentException.class, () -> MatrixNorms.two(line, 0, 1));
    }

    private static double[] laplacian(int n) {
        double[] elements = new double[n * n];
        for (int i = 0; i < n; i++) {
            elements[i * n + i] = 2;
            if (i > 0) {
                elements[i * n + i - 1] = -1;
                elements[(i - 1) * n + i] = -1;
            }
        }
        return elements;
    }

    @Test
    void refusesWhatDoesNotFit() {
        CsrMatrix a = of(new double[]{1, 2});
        assertTrue(assertThrows(IllegalArgumentException.class, () -> MatrixProduct.galerkin(a, a, a)).getMessage()
                .contains("expected as many columns as rows"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> MatrixProduct.multiply(a, a)).getMessage()
                .contains("expected as many columns as rows and equal precisions"));
    }

    @Test
    void theNormOfWhatIsNoNumberIsNone() {
        double[][] rows = {{Double.NaN, 0}, {0, 1}};
        assertTrue(Double.isNaN(MatrixNorms.two(DenseBlocks.fromRows(rows, Precision.F64), 1e-6, 100)));
        rows[0][0] = Double.POSITIVE_INFINITY;
        assertEquals(Double.POSITIVE_INFINITY,
                MatrixNorms.two(DenseBlocks.fromRows(rows, Precision.F64), 1e-6, 100));
    }
}
