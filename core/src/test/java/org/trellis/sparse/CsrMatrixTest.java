package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class CsrMatrixTest {
    /** [[1, 0, 2], [0, 0, 0], [0, 3, 4], [5, 0, 0]]. */
    private static CsrMatrix small() {
        return CsrMatrix.of(4, 3, new int[]{0, 2, 2, 4, 5}, new int[]{0, 2, 1, 2, 0}, new double[]{1, 2, 3, 4, 5});
    }

    @Test
    void answersByHand() {
        CsrMatrix matrix = small();
        assertEquals(5, matrix.nonZeros());
        assertEquals(2, matrix.get(0, 2));
        assertEquals(0, matrix.get(1, 1));
        assertEquals(4, matrix.rowOffset(3));
        assertEquals(5, matrix.rowOffset(4));
        assertEquals(0, matrix.rowLength(1));
        assertArrayEquals(new int[]{2, 0, 2, 1}, matrix.rowLengths());
        assertArrayEquals(new double[]{1, 0, 4}, matrix.diagonal().doubles());
        assertEquals(Optional.empty(), matrix.firstViolation());
    }

    @Test
    void transposesByHand() {
        CsrMatrix expected = CsrMatrix.of(3, 4, new int[]{0, 2, 3, 5}, new int[]{0, 3, 2, 0, 2},
                new double[]{1, 5, 3, 2, 4});
        assertTrue(expected.sameAs(small().transpose()));
    }

    @Test
    void refusesMoreRowsThanOffsetsFit() {
        int most = Integer.MAX_VALUE;
        CsrMatrix wide = CsrMatrix.of(1, most, new int[]{0, 1}, new int[]{most - 1}, new double[]{1});
        refusedForSize("needs an array of 2147483648 elements, expected at most 2147483639", wide::transpose);
        CsrMatrix cut = SparseKernelsContract.inSegments(CsrMatrix.of(2, most - 8, new int[]{0, 16, 32},
                range(32), new double[32]), 16);
        assertEquals(2, cut.segments().size());
        refusedForSize("needs an array of 2147483640 elements", cut::transpose);
        refusedForSize("identity of size 2147483647 needs", () -> CsrMatrix.identity(most, Precision.F64));
        CooMatrix tall = CooMatrix.of(most, 1, new int[]{most - 1}, new int[]{0}, HostVector.of(1.0));
        refusedForSize("COO matrix 2147483647 x 1", tall::toCsr);
        assertEquals(1, wide.submatrix(0, 1, 5, most).get(0, most - 6));
    }

    private static int[] range(int count) {
        int[] columns = new int[count];
        Arrays.setAll(columns, i -> i % 16);
        return columns;
    }

    private static void refusedForSize(String message, Executable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void permutesByHand() {
        CsrMatrix moved = small().permute(Permutation.ofNewIndices(3, 2, 1, 0), Permutation.ofNewIndices(1, 0, 2));
        CsrMatrix expected = CsrMatrix.of(4, 3, new int[]{0, 1, 3, 3, 5}, new int[]{1, 0, 2, 1, 2},
                new double[]{5, 3, 4, 1, 2});
        assertTrue(expected.sameAs(moved));
    }

    @Test
    void cutsOutByHand() {
        CsrMatrix cut = small().submatrix(1, 3, 1, 3);
        assertTrue(CsrMatrix.of(2, 2, new int[]{0, 0, 2}, new int[]{0, 1}, new double[]{3, 4}).sameAs(cut));
        assertEquals("row range is [2, 5), expected a range within [0, 4)", assertThrows(
                IndexOutOfBoundsException.class, () -> small().submatrix(2, 5, 0, 1)).getMessage());
    }

    @Test
    void transformationsUndoEachOther() {
        SplittableRandom random = TestSeed.random("transformationsUndoEachOther");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, matrix) -> {
                String context = name + ", seed " + TestSeed.value();
                assertTrue(matrix.sameAs(matrix.transpose().transpose()), context);
                Permutation rowOrder = Permutation.random(matrix.rows(), random);
                Permutation columnOrder = Permutation.random(matrix.columns(), random);
                CsrMatrix moved = matrix.permute(rowOrder, columnOrder);
                assertEquals(Optional.empty(), moved.firstViolation(), context);
                matrix.forEachEntry((i, j, a) -> assertEquals(a,
                        moved.get(rowOrder.newIndex(i), columnOrder.newIndex(j)), context));
                assertTrue(matrix.sameAs(moved.permute(rowOrder.inverse(), columnOrder.inverse())), context);
                assertTrue(matrix.sameAs(matrix.submatrix(0, matrix.rows(), 0, matrix.columns())), context);
            });
        }
    }

    @Test
    void segmentsDoNotShow() {
        SplittableRandom random = TestSeed.random("segmentsDoNotShow");
        CsrMatrix whole = AwkwardMatrices.random(97, 61, row -> row % 5 == 0 ? 0 : row % 40, Precision.F32, random);
        CsrMatrix cut = SparseKernelsContract.inSegments(whole, 57);
        assertTrue(cut.segments().size() > 5);
        assertEquals(Optional.empty(), cut.firstViolation());
        assertTrue(whole.sameAs(cut) && cut.sameAs(whole));
        assertEquals(whole.statistics(), cut.statistics());
        assertTrue(whole.transpose().sameAs(cut.transpose()));
        assertTrue(whole.submatrix(3, 80, 7, 50).sameAs(cut.submatrix(3, 80, 7, 50)));
        Permutation order = Permutation.random(97, random);
        assertTrue(whole.permute(order, Permutation.identity(61)).sameAs(cut.permute(order, Permutation.identity(61))));
        assertTrue(whole.toPrecision(Precision.F64).sameAs(cut.toPrecision(Precision.F64)));
        for (int row = 0; row <= 97; row++) {
            assertEquals(whole.rowOffset(row), cut.rowOffset(row));
        }
        assertThrows(IllegalStateException.class, cut::onlySegment);
    }

    @Test
    void namesTheFirstViolation() {
        double[] one = {1};
        refused("rowOffsets.length is 2, expected 3", 2, 2, new int[]{0, 1}, new int[]{0}, one);
        refused("rowOffsets[0] is 1, expected 0", 1, 2, new int[]{1, 1}, new int[]{0}, one);
        refused("rowOffsets[2] is 0, expected at least 1, the offset before it", 2, 2, new int[]{0, 1, 0},
                new int[]{0}, one);
        refused("rowOffsets[1] is 2, expected at most 1, the length of the shorter", 1, 2, new int[]{0, 2},
                new int[]{0}, one);
        refused("row 0, entry 0: column 2, expected 0 to 1", 1, 2, new int[]{0, 1}, new int[]{2}, one);
        refused("row 0, entry 0: column -1, expected 0 to 1", 1, 2, new int[]{0, 1}, new int[]{-1}, one);
        refused("row 1, entry 2: column 1 follows 1, expected columns that increase strictly", 2, 2,
                new int[]{0, 1, 3}, new int[]{0, 1, 1}, new double[3]);
        refused("rows is -1, expected at least 0", -1, 2, new int[]{0}, new int[0], one);
    }

    private static void refused(String message, int rows, int columns, int[] offsets, int[] indices, double[] values) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> CsrMatrix.of(rows, columns, offsets, indices, values));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void indicesOutsideAreRefused() {
        assertEquals("row is 4, expected 0 to 3",
                assertThrows(IndexOutOfBoundsException.class, () -> small().get(4, 0)).getMessage());
        assertEquals("column is 3, expected 0 to 2",
                assertThrows(IndexOutOfBoundsException.class, () -> small().get(0, 3)).getMessage());
    }

    @Test
    void changesPrecisionOnce() {
        CsrMatrix matrix = small();
        assertSame(matrix, matrix.toPrecision(Precision.F64));
        CsrMatrix single = matrix.mapValues((i, j, a) -> a / 3).toPrecision(Precision.F32);
        assertEquals((float) (2.0 / 3), single.get(0, 2));
        assertFalse(single.sameAs(matrix));
    }

    @Test
    void builderRefusesDisorder() {
        CsrBuilder builder = new CsrBuilder(3, Precision.F64, 0).add(1, 1);
        assertEquals("row 0: column 1, expected 2 to 2 after the entries so far",
                assertThrows(IllegalArgumentException.class, () -> builder.add(1, 2)).getMessage());
        assertThrows(IllegalStateException.class, builder::build);
        CsrMatrix built = builder.endRow().build();
        assertEquals(1, built.nonZeros());
        for (Executable use : List.<Executable>of(() -> builder.add(1, 5), builder::endRow, builder::build)) {
            assertEquals("builder of a matrix of 1 x 3 is used after build(), expected a new one for each matrix",
                    assertThrows(IllegalStateException.class, use).getMessage());
        }
        assertEquals(1, built.nonZeros());
        CsrBuilder tooLong = new CsrBuilder(30, Precision.F64, 0, 16);
        assertEquals("row 0 has more than 16 entries, expected no more in one row",
                assertThrows(IllegalStateException.class, () -> {
                    for (int j = 0; j < 17; j++) {
                        tooLong.add(j, 1);
                    }
                }).getMessage());
    }

    @Test
    void identityIsWhatItSays() {
        assertTrue(CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{0, 1}, HostVector.of(1.0f, 1.0f))
                .sameAs(CsrMatrix.identity(2, Precision.F32)));
    }
}
