package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class ReductionsTest {
    @Test
    void agreeWithDenseOnes() {
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, TestSeed.random("reductions")).forEach((name, a) -> {
                if (a.rows() == 0 || a.columns() == 0 || (long) a.rows() * a.columns() > 1_000_000) {
                    return;
                }
                double[][] rows = DenseBlocks.toRows(a);
                double[][] columns = DenseBlocks.toRows(a.transpose());
                check(name, rows, Reductions.rowSums(a).doubles(), r -> r.sum());
                check(name, columns, Reductions.columnSums(a).doubles(), r -> r.sum());
                check(name, rows, Reductions.rowMeans(a).doubles(), r -> r.average().orElseThrow());
                check(name, columns, Reductions.columnMeans(a).doubles(), r -> r.average().orElseThrow());
                check(name, rows, Reductions.rowMaxima(a).doubles(), r -> r.max().orElseThrow());
                check(name, columns, Reductions.columnMaxima(a).doubles(), r -> r.max().orElseThrow());
                check(name, rows, Reductions.rowMinima(a).doubles(), r -> r.min().orElseThrow());
                check(name, columns, Reductions.columnMinima(a).doubles(), r -> r.min().orElseThrow());
                double[] all = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
                check(name, new double[][]{all}, new double[]{Reductions.sum(a)}, r -> r.sum());
                check(name, new double[][]{all}, new double[]{Reductions.mean(a)}, r -> r.average().orElseThrow());
                check(name, new double[][]{all}, new double[]{Reductions.maximum(a)}, r -> r.max().orElseThrow());
                check(name, new double[][]{all}, new double[]{Reductions.minimum(a)}, r -> r.min().orElseThrow());
            });
        }
    }

    private static void check(String name, double[][] lines, double[] actual, ToDoubleFunction<DoubleStream> expected) {
        assertArrayEquals(Arrays.stream(lines).mapToDouble(line -> expected.applyAsDouble(Arrays.stream(line)))
                .toArray(), actual, 1e-11, name);
    }

    @Test
    void nothingHasNoExtremum() {
        CsrMatrix none = CsrMatrix.diagonals(3, 0, Precision.F64, new int[0]);
        assertEquals(0, Reductions.sum(none));
        assertEquals(3, Reductions.rowSums(none).length());
        assertThrows(IllegalArgumentException.class, () -> Reductions.rowMaxima(none));
        assertThrows(IllegalArgumentException.class, () -> Reductions.mean(none));
        assertThrows(IllegalArgumentException.class, () -> Reductions.columnMinima(none.transpose()));
        CsrMatrix full = DenseBlocks.fromRows(new double[][]{{-1, -2}, {-3, Double.NaN}}, Precision.F64);
        assertArrayEquals(new double[]{-1, Double.NaN}, Reductions.rowMaxima(full).doubles());
        assertArrayEquals(new double[]{-1, Double.NaN}, Reductions.columnMaxima(full).doubles());
    }

    @Test
    void selectionsAreListsOfIndices() {
        assertArrayEquals(new int[]{1, 3}, Selections.where(false, true, false, true));
        assertArrayEquals(new int[]{0, 3, 6, 9}, Selections.range(0, 10, 3));
        assertArrayEquals(new int[]{0, 3, 6}, Selections.range(0, 9, 3));
        assertArrayEquals(new int[]{5, 3, 1}, Selections.range(5, 0, -2));
        assertEquals(0, Selections.range(5, 0, 1).length);
        assertThrows(IllegalArgumentException.class, () -> Selections.range(0, 1, 0));
    }

    @Test
    void randomMatricesHaveWhatIsAskedFor() {
        SplittableRandom random = TestSeed.random("randomMatrices");
        for (long count : new long[]{0, 1, 30, 299, 300, 301, 600}) {
            CsrMatrix a = RandomMatrices.uniform(20, 30, count, -2, -1, Precision.F64, random);
            assertEquals(count, a.nonZeros());
            assertTrue(a.firstViolation().isEmpty());
            a.forEachEntry((i, j, value) -> assertTrue(value >= -2 && value < -1, "" + value));
        }
        assertEquals(150, RandomMatrices.ofDensity(20, 30, 0.25, Precision.F32, random).nonZeros());
        assertEquals(0, RandomMatrices.ofDensity(0, 30, 0.25, Precision.F64, random).nonZeros());
        long[] seen = new long[6];
        for (int trial = 0; trial < 3000; trial++) {
            RandomMatrices.uniform(2, 3, 3, 0, 1, Precision.F64, random)
                    .forEachEntry((i, j, value) -> seen[3 * i + j]++);
        }
        // Each place is taken with a chance of a half: 1500 times, with a deviation of 27.
        assertTrue(Arrays.stream(seen).allMatch(times -> Math.abs(times - 1500) < 200), Arrays.toString(seen));
        assertThrows(IllegalArgumentException.class,
                () -> RandomMatrices.uniform(2, 3, 7, 0, 1, Precision.F64, random));
        assertThrows(IllegalArgumentException.class,
                () -> RandomMatrices.ofDensity(2, 3, Double.NaN, Precision.F64, random));
    }

    @Test
    void powersAndSumsOfKroneckerAreProducts() {
        CsrMatrix a = AwkwardMatrices.random(9, 9, row -> 3, Precision.F64, TestSeed.random("powers"));
        CsrMatrix expected = CsrMatrix.identity(9, Precision.F64);
        for (int exponent = 0; exponent <= 9; exponent++) {
            assertTrue(MatrixProduct.power(a, exponent).closeTo(expected, 1e-12, 1e-12), "power " + exponent);
            expected = MatrixProduct.multiply(expected, a);
        }
        assertThrows(IllegalArgumentException.class, () -> MatrixProduct.power(a, -1));
        CsrMatrix b = AwkwardMatrices.random(4, 4, row -> 2, Precision.F64, TestSeed.random("kronecker"));
        CsrMatrix sum = KroneckerProduct.sum(a, b);
        for (int i = 0; i < 36; i++) {
            for (int j = 0; j < 36; j++) {
                double element =
                        (i / 9 == j / 9 ? a.get(i % 9, j % 9) : 0) + (i % 9 == j % 9 ? b.get(i / 9, j / 9) : 0);
                assertEquals(element, sum.get(i, j), 1e-15);
            }
        }
    }

    @Test
    void semiringsTakeTheirOwnSums() {
        SplittableRandom random = TestSeed.random("semirings");
        for (int trial = 0; trial < 5; trial++) {
            CsrMatrix a = AwkwardMatrices.random(31, 17, row -> random.nextInt(10), Precision.F64, random);
            CsrMatrix b = AwkwardMatrices.random(17, 40, row -> random.nextInt(20), Precision.F64, random);
            CsrMatrix usual = MatrixProduct.multiply(a, b);
            assertTrue(MatrixProduct.multiply(a, b, Semiring.PLUS_TIMES).closeTo(usual, 1e-13, 1e-15));
            CsrMatrix paths = MatrixProduct.multiply(a, b, Semiring.MIN_PLUS);
            CsrMatrix reach = MatrixProduct.multiply(a, b, Semiring.OR_AND);
            assertTrue(paths.firstViolation().isEmpty());
            for (int i = 0; i < 31; i++) {
                for (int j = 0; j < 40; j++) {
                    double least = Double.POSITIVE_INFINITY;
                    for (int k = 0; k < 17; k++) {
                        if (a.get(i, k) != 0 && b.get(k, j) != 0) {
                            least = Math.min(least, a.get(i, k) + b.get(k, j));
                        }
                    }
                    boolean any = least < Double.POSITIVE_INFINITY;
                    assertEquals(any ? 1 : 0, reach.get(i, j));
                    assertEquals(any ? least : 0, paths.get(i, j));
                }
            }
        }
        CsrMatrix three = CsrMatrix.identity(3, Precision.F64);
        CsrMatrix four = CsrMatrix.identity(4, Precision.F64);
        assertThrows(IllegalArgumentException.class, () -> MatrixProduct.multiply(three, four, Semiring.OR_AND));
        assertFalse(Semiring.MAX_MIN.name().isEmpty());
    }
}
