package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;

final class MatrixStatisticsTest {
    @Test
    void countsByHand() {
        // [[1, 0, 2], [0, 0, 0], [0, 0, 4], [5, 0, 0]] with one explicit zero at (2, 1)
        CsrMatrix matrix = CsrMatrix.of(4, 3, new int[]{0, 2, 2, 4, 5}, new int[]{0, 2, 1, 2, 0},
                new double[]{1, 2, 0, 4, 5});
        MatrixStatistics s = matrix.statistics();
        assertEquals(1.25, s.meanRowLength());
        assertEquals(Math.sqrt((2 * 0.75 * 0.75 + 1.25 * 1.25 + 0.25 * 0.25) / 4), s.rowLengthDeviation(), 1e-15);
        assertEquals(0, s.minimumRowLength());
        assertEquals(2, s.maximumRowLength());
        assertEquals(1, s.emptyRows());
        assertEquals(3, s.lowerBandwidth());
        assertEquals(2, s.upperBandwidth());
        assertEquals(1, s.explicitZeros());
        assertEquals(2, s.diagonalEntries());
        assertFalse(s.patternSymmetric());
        assertEquals(5.0 / 12, s.density());
    }

    @Test
    void tellsPatternFromValueSymmetry() {
        CsrMatrix pattern = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{1, 0}, new double[]{1, 2});
        assertTrue(pattern.statistics().patternSymmetric());
        assertFalse(pattern.statistics().symmetric());
        assertTrue(pattern.mapValues((i, j, a) -> 3).statistics().symmetric());
    }

    @Test
    void survivesEmptiness() {
        for (int rows : new int[]{0, 3}) {
            CsrMatrix empty = CsrMatrix.of(rows, 0, new int[rows + 1], new int[0], new float[0]);
            MatrixStatistics s = empty.statistics();
            assertEquals(0, s.meanRowLength());
            assertEquals(0, s.density());
            assertEquals(rows, s.emptyRows());
            assertEquals(rows == 0, s.symmetric());
        }
        assertEquals(0, CsrMatrix.identity(0, Precision.F64).statistics().minimumRowLength());
    }
}
