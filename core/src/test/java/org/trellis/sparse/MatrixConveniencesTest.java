package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Diagonals, functions of elements, other forms and pictures of {@link CsrMatrix}. */
final class MatrixConveniencesTest {
    private static CsrMatrix of(double[][] rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    @Test
    void diagonalsAreWhereTheyShouldBe() {
        CsrMatrix tall = CsrMatrix.diagonals(4, 3, Precision.F64, new int[]{1, 0, -2}, new double[]{1, 2},
                new double[]{7}, new double[]{3, 4});
        assertTrue(tall.sameAs(of(new double[][]{{7, 1, 0}, {0, 7, 2}, {3, 0, 7}, {0, 4, 0}})), tall.toText());
        CsrMatrix wide = CsrMatrix.diagonals(2, 4, Precision.F32, new int[]{3, -1}, new double[]{5}, new double[]{6});
        assertTrue(wide.toPrecision(Precision.F64).sameAs(of(new double[][]{{0, 0, 0, 5}, {6, 0, 0, 0}})));
        assertEquals(0, CsrMatrix.diagonals(3, 3, Precision.F64, new int[0]).nonZeros());
    }

    @Test
    void diagonalsThatDoNotFitAreRefused() {
        int[] main = {0};
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> CsrMatrix.diagonals(3, 3, Precision.F64, main, new double[2])).getMessage()
                .contains("expected 3"));
        for (int offset : new int[]{3, -3, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            int[] offsets = {offset};
            assertThrows(IllegalArgumentException.class,
                    () -> CsrMatrix.diagonals(3, 3, Precision.F64, offsets, new double[1]), "" + offset);
        }
        assertThrows(IllegalArgumentException.class,
                () -> CsrMatrix.diagonals(3, 3, Precision.F64, new int[]{1, 1}, new double[1], new double[1]));
        assertThrows(IllegalArgumentException.class,
                () -> CsrMatrix.diagonals(3, 3, Precision.F64, new int[]{1, 2}, new double[1]));
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void functionsOfElementsAgreeWithDenseOnes(Precision precision) {
        SplittableRandom random = TestSeed.random("functionsOfElements");
        AwkwardMatrices.all(precision, random).forEach((name, a) -> {
            if ((long) a.rows() * a.columns() > 1_000_000) {
                return;
            }
            CsrMatrix b = AwkwardMatrices.random(a.rows(), a.columns(), row -> random.nextInt(a.columns() + 1),
                    precision, random);
            agree(name, a, b, a.hadamard(b), (x, y) -> x * y);
            agree(name, a, b, a.maximum(b), Math::max);
            agree(name, a, b, a.minimum(b), Math::min);
            assertEquals(a.nonZeros(), a.hadamard(a).nonZeros(), name);
        });
        CsrMatrix one = CsrMatrix.identity(3, precision);
        CsrMatrix other = CsrMatrix.identity(4, precision);
        assertThrows(IllegalArgumentException.class, () -> one.hadamard(other));
        assertThrows(IllegalArgumentException.class, () -> one.maximum(other));
    }

    private static void agree(String name, CsrMatrix a, CsrMatrix b, CsrMatrix result, DoubleBinaryOperator function) {
        assertTrue(result.firstViolation().isEmpty(), name);
        double[][] left = DenseBlocks.toRows(a);
        double[][] right = DenseBlocks.toRows(b);
        double[][] actual = DenseBlocks.toRows(result);
        for (int i = 0; i < left.length; i++) {
            for (int j = 0; j < left[i].length; j++) {
                double expected = function.applyAsDouble(left[i][j], right[i][j]);
                // -0.0 and 0.0 are the same element.
                assertEquals(a.precision() == Precision.F64 ? expected + 0.0 : (float) expected + 0.0,
                        actual[i][j] + 0.0, name);
            }
        }
    }

    @Test
    void diagonalIsReplaced() {
        SplittableRandom random = TestSeed.random("diagonalIsReplaced");
        AwkwardMatrices.all(Precision.F64, random).forEach((name, a) -> {
            int n = Math.min(a.rows(), a.columns());
            HostVector diagonal = HostVector.of(Precision.F64, n, i -> i + 0.5);
            CsrMatrix changed = a.withDiagonal(diagonal);
            assertArrayEquals(diagonal.doubles(), changed.diagonal().doubles(), name);
            CsrMatrix back = changed.withDiagonal(a.diagonal());
            assertTrue(back.closeTo(a, 0, 0), name);
        });
        CsrMatrix identity = CsrMatrix.identity(3, Precision.F64);
        assertThrows(IllegalArgumentException.class, () -> identity.withDiagonal(HostVector.of(1.0, 2)));
    }

    @Test
    void reshapeReadsRowByRow() {
        CsrMatrix a = of(new double[][]{{1, 0, 2}, {0, 3, 4}});
        assertTrue(a.reshape(3, 2).sameAs(of(new double[][]{{1, 0}, {2, 0}, {3, 4}})));
        assertTrue(a.reshape(1, 6).sameAs(of(new double[][]{{1, 0, 2, 0, 3, 4}})));
        AwkwardMatrices.all(Precision.F64, TestSeed.random("reshape")).forEach((name, matrix) -> {
            if ((long) matrix.rows() * matrix.columns() < Integer.MAX_VALUE - 8) {
                CsrMatrix column = matrix.reshape(matrix.rows() * matrix.columns(), 1);
                assertTrue(column.reshape(matrix.rows(), matrix.columns()).sameAs(matrix), name);
            }
        });
        assertThrows(IllegalArgumentException.class, () -> a.reshape(4, 2));
        assertThrows(IllegalArgumentException.class, () -> a.reshape(-3, -2));
    }

    @Test
    void otherFormsAreTheSameMatrix() {
        SplittableRandom random = TestSeed.random("otherForms");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, a) -> {
                DokMatrix dok = DokMatrix.from(a);
                assertEquals(a.nonZeros(), dok.nonZeros());
                assertTrue(dok.toCsr(precision).sameAs(a), name);
                if ((long) a.rows() * a.columns() < 200_000 && a.nonZeros() > 0) {
                    assertTrue(DiaMatrix.from(a).toCsr().closeTo(a, 0, 0), name);
                }
                for (int size : new int[]{1, 2, 3}) {
                    if (a.rows() % size == 0 && a.columns() % 2 == 0) {
                        BsrMatrix blocks = BsrMatrix.from(a, size, 2);
                        assertTrue(blocks.toCsr().closeTo(a, 0, 0), name);
                        assertTrue(blocks.toCsr().firstViolation().isEmpty());
                    }
                }
            });
        }
        CsrMatrix threes = AwkwardMatrices.all(Precision.F64, random).get("blocks of three");
        assertEquals(threes.nonZeros(), BsrMatrix.from(threes, 3, 3).toCsr().nonZeros());
    }

    @Test
    void otherFormsCanBeGiven() {
        BsrMatrix blocks = new BsrMatrix(2, 2, 1, 2, new int[]{0, 1, 2}, new int[]{1, 0},
                HostVector.of(1.0, 2, 3, 4));
        assertTrue(blocks.toCsr().sameAs(of(new double[][]{{0, 0, 1, 2}, {3, 4, 0, 0}})));
        DiaMatrix diagonals = new DiaMatrix(2, 3, new int[]{1, 0}, HostVector.of(9.0, 1, 2), HostVector.of(3.0, 4, 9));
        assertTrue(diagonals.toCsr().sameAs(of(new double[][]{{3, 1, 0}, {0, 4, 2}})), diagonals.toCsr().toText());
        DokMatrix dictionary = new DokMatrix(2, 2);
        dictionary.set(1, 0, 5);
        dictionary.add(1, 0, 1);
        dictionary.add(0, 1, 2);
        dictionary.set(0, 0, 3);
        dictionary.remove(0, 0);
        assertEquals(6, dictionary.get(1, 0));
        assertEquals(0, dictionary.get(0, 0));
        assertTrue(dictionary.toCsr(Precision.F64).sameAs(of(new double[][]{{0, 2}, {6, 0}})));
    }

    @Test
    void formsThatDoNotFitAreRefused() {
        HostVector two = HostVector.of(1.0, 2);
        assertThrows(IllegalArgumentException.class, () -> new DiaMatrix(2, 2, new int[]{0, 0}, two, two));
        assertThrows(IllegalArgumentException.class, () -> new DiaMatrix(2, 3, new int[]{0}, two));
        assertThrows(IllegalArgumentException.class,
                () -> new DiaMatrix(2, 2, new int[]{0, 1}, two, HostVector.of(1f, 2f)));
        assertThrows(IllegalArgumentException.class,
                () -> new BsrMatrix(1, 1, 1, 2, new int[]{0, 1}, new int[]{1}, two));
        assertThrows(IllegalArgumentException.class,
                () -> new BsrMatrix(1, 1, 2, 2, new int[]{0, 1}, new int[]{0}, two));
        assertThrows(IllegalArgumentException.class,
                () -> BsrMatrix.from(CsrMatrix.identity(3, Precision.F64), 2, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> new DokMatrix(2, 2).set(0, 2, 1));
    }

    @Test
    void pictureHasADotForEachEntry() {
        assertEquals("""
                CSR matrix 4 x 4, 4 non-zeros, f64
                ┌──┐
                │⠑⢄│
                └──┘
                """, CsrMatrix.identity(4, Precision.F64).toPicture());
        String[] large = CsrMatrix.identity(5000, Precision.F64).toPicture().split("\n");
        assertEquals(27, large.length);
        assertEquals(62, large[1].length());
        assertTrue(Arrays.stream(large).skip(2).limit(24).noneMatch(line -> line.chars().allMatch(c -> c == '│'
                || c == '\u2800')));
        CsrMatrix.diagonals(0, 5, Precision.F64, new int[0]).toPicture();
        CsrMatrix.diagonals(5, 0, Precision.F64, new int[0]).toPicture();
    }
}
