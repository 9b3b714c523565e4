package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

class SmoothedProlongatorTest {
    @Test
    void aPathByHand() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}, Precision.F64);
        CsrMatrix tentative = DenseBlocks.fromRows(new double[][]{{1, 0}, {1, 0}, {0, 1}}, Precision.F64);
        CsrMatrix smoothed = SmoothedProlongator.of(a, new double[]{0.25, 0.25, 0.25}, tentative);
        double[][] expected = {{0.75, 0}, {0.75, 0.25}, {0.25, 0.5}};
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 2; column++) {
                assertEquals(expected[row][column], smoothed.get(row, column));
            }
        }
        assertEquals(5, smoothed.nonZeros());
    }

    /** Sizes up to several pieces of rows; T with an entry in each row, which is read where it is, and with gaps. */
    @Test
    void equalsTheFormulaByTwoMatrices() {
        SplittableRandom random = TestSeed.random("smoothed");
        for (Precision precision : Precision.values()) {
            for (int rows : new int[]{1, 7, 511, 513, 3_000}) {
                for (boolean whole : new boolean[]{true, false}) {
                    CsrMatrix a = AwkwardMatrices.random(rows, rows, r -> random.nextInt(Math.min(rows, 9) + 1),
                            precision, random);
                    CsrMatrix tentative = tentative(rows, 1 + rows / 4, whole, precision, random);
                    double[] factors = random.doubles(rows, -1, 1).toArray();
                    requireFormula(a, factors, tentative, precision + ", " + rows + " rows, whole " + whole + ", seed "
                            + TestSeed.value());
                }
            }
        }
    }

    private static CsrMatrix tentative(int rows, int columns, boolean whole, Precision precision,
            SplittableRandom random) {
        int[] lengths = random.ints(rows, whole ? 1 : 0, 2).toArray();
        int[] aggregates = random.ints(rows, 0, columns).toArray();
        double[] values = random.doubles(rows, 0.5, 1).toArray();
        return CsrFill.fill(columns, precision, lengths, () -> (row, into, to, at) -> {
            into[at] = aggregates[row];
            to.set(at, values[row]);
        });
    }

    private static void requireFormula(CsrMatrix a, double[] factors, CsrMatrix tentative, String context) {
        CsrMatrix smoothed = SmoothedProlongator.of(a, factors, tentative);
        CsrMatrix product = MatrixProduct.multiply(a, tentative);
        CsrMatrix pattern = tentative.combine(1, product, 1);
        double accuracy = 20 * a.precision().unitRoundoff();
        assertEquals(pattern.nonZeros(), smoothed.nonZeros(), context);
        for (int row = 0; row < a.rows(); row++) {
            assertArrayEquals(columns(pattern, row), columns(smoothed, row), context + ", row " + row);
            for (int column : columns(smoothed, row)) {
                double expected = tentative.get(row, column) - factors[row] * product.get(row, column);
                assertEquals(expected, smoothed.get(row, column), accuracy * 10, context + ", row " + row);
            }
        }
    }

    private static int[] columns(CsrMatrix matrix, int row) {
        CsrSegment segment = matrix.segmentOf(row);
        return Arrays.copyOfRange(segment.columnIndices(), segment.rowStart(row), segment.rowEnd(row));
    }

    @Test
    void refusesWhatHasSeveralEntriesOrDoesNotFit() {
        CsrMatrix a = CsrMatrix.identity(2, Precision.F64);
        CsrMatrix two = DenseBlocks.fromRows(new double[][]{{1, 1}, {0, 0}}, Precision.F64);
        assertFalse(SmoothedProlongator.applies(two));
        assertTrue(SmoothedProlongator.applies(a));
        assertThrows(IllegalArgumentException.class, () -> SmoothedProlongator.of(a, new double[2], two));
        assertThrows(IllegalArgumentException.class, () -> SmoothedProlongator.of(a, new double[3], a));
        CsrMatrix wide = CsrMatrix.identity(3, Precision.F64);
        assertThrows(IllegalArgumentException.class, () -> SmoothedProlongator.of(a, new double[2], wide));
    }
}
