package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

class CsrRowCursorTest {
    @Test
    void showsRowsInAnyOrderAcrossSegments() {
        SplittableRandom random = TestSeed.random("showsRowsInAnyOrderAcrossSegments");
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = AwkwardMatrices.random(60, 25, row -> row % 7, precision, random);
            CsrMatrix cut = SegmentedMatrices.cut(matrix, 13);
            CsrRowCursor whole = new CsrRowCursor(matrix);
            CsrRowCursor pieces = new CsrRowCursor(cut);
            for (int i = 0; i < 300; i++) {
                int row = random.nextInt(matrix.rows());
                whole.moveTo(row);
                pieces.moveTo(row);
                String context = "row " + row + ", seed " + TestSeed.value();
                assertEquals(row % 7, whole.end() - whole.start(), context);
                assertArrayEquals(Arrays.copyOfRange(whole.columns(), whole.start(), whole.end()),
                        Arrays.copyOfRange(pieces.columns(), pieces.start(), pieces.end()), context);
                for (int k = 0; k < row % 7; k++) {
                    assertEquals(matrix.get(row, whole.columns()[whole.start() + k]), pieces.value(pieces.start() + k),
                            context);
                }
            }
        }
    }

    @Test
    void multipliesAndAdds() {
        CsrMatrix matrix = DenseBlocks.fromRows(new double[][]{{0, 0, 0}, {2, 0, -3}}, Precision.F32);
        CsrRowCursor rows = new CsrRowCursor(matrix);
        rows.moveTo(1);
        assertEquals(2 * 5 - 3 * 7, rows.dot(new double[]{5, 6, 7}));
        double[] sums = {1, 1};
        assertEquals(-1, rows.addTo(10, new int[]{1, -1, 0}, sums));
        assertArrayEquals(new double[]{-29, 21}, sums);
        assertEquals(2, rows.addTo(1, new int[]{0, 0, -1}, sums));
        rows.moveTo(0);
        assertEquals(0, rows.dot(new double[]{5, 6, 7}));
    }

    @Test
    void multipliesRangesOfRowsAsItDoesOne() {
        SplittableRandom random = TestSeed.random("multipliesRangesOfRowsAsItDoesOne");
        double[] x = random.doubles(25).toArray();
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = AwkwardMatrices.random(60, 25, row -> row % 7, precision, random);
            for (CsrMatrix of : List.of(matrix, SegmentedMatrices.cut(matrix, 13))) {
                double[] y = new double[60];
                CsrRowCursor rows = new CsrRowCursor(of);
                rows.dots(11, 57, x, y);
                for (int row = 0; row < y.length; row++) {
                    rows.moveTo(row);
                    assertEquals(row < 11 || row >= 57 ? 0 : rows.dot(x), y[row], "seed " + TestSeed.value());
                }
            }
        }
    }

    @Test
    void refusesRowsThatAreNotThere() {
        CsrRowCursor rows = new CsrRowCursor(DenseBlocks.fromRows(new double[][]{{1}}, Precision.F64));
        assertEquals("row is 1, expected 0 to 0",
                assertThrows(IndexOutOfBoundsException.class, () -> rows.moveTo(1)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> rows.moveTo(-1));
    }
}
