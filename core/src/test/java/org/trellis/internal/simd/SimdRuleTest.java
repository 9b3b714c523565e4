package org.trellis.internal.simd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.internal.threads.product.DoubleCsrArrays;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** What the rule takes for which structure, and how the structures are stored. */
final class SimdRuleTest {
    private static SpmvParameters rule(CsrMatrix matrix) {
        try (WorkerTeam team = new WorkerTeam(1)) {
            return new SimdSparseKernels(team).rule(matrix);
        }
    }

    @Test
    void takesDiagonalsForStencils() {
        SplittableRandom random = TestSeed.random("takesDiagonals");
        for (Precision precision : Precision.values()) {
            CsrMatrix stencil = AwkwardMatrices.stencil(300, 100, precision, random);
            assertEquals(SpmvFamily.SELL_DIAGONALS, rule(stencil).family());
        }
    }

    @Test
    void takesSortedChunksForRandomColumns() {
        SplittableRandom random = TestSeed.random("takesSortedChunks");
        CsrMatrix matrix = AwkwardMatrices.random(5000, 5000, row -> row % 9, Precision.F64, random);
        boolean gathers = VectorWidth.BITS >= 512;
        assertEquals(gathers ? SpmvFamily.SELL : SpmvFamily.CSR_BALANCED, rule(matrix).family());
    }

    @Test
    void findsTheLongestRuns() {
        assertEquals(1, ColumnPattern.runLength(withColumns(0, 1, 2, 5)));
        assertEquals(2, ColumnPattern.runLength(withColumns(0, 1, 3, 4)));
        assertEquals(3, ColumnPattern.runLength(withColumns(0, 1, 2, 4, 5, 6)));
        assertEquals(4, ColumnPattern.runLength(withColumns(1, 2, 3, 4)));
        assertEquals(1, ColumnPattern.runLength(withColumns()));
    }

    private static CsrMatrix withColumns(int... columns) {
        return CsrMatrix.of(2, 8, new int[]{0, columns.length, columns.length}, columns, new double[columns.length]);
    }

    @Test
    void storesFullDiagonalsOfABandWithoutZeros() {
        int rows = 6 * DoubleDiagonals.CHUNK;
        CsrMatrix band = tridiagonal(rows);
        DoubleDiagonals stored = DoubleDiagonalsBuilder.build(DoubleCsrArrays.of(band.onlySegment()), rows);
        assertEquals(6, stored.chunks());
        assertEquals(DoubleDiagonals.EDGE, stored.kinds()[0]);
        assertEquals(DoubleDiagonals.FULL, stored.kinds()[1]);
        assertEquals(DoubleDiagonals.EDGE, stored.kinds()[5]);
        // The first and the last chunk lack an entry each; those between are alike.
        assertArrayEquals(new int[]{0, 3, 3, 3, 3, 6}, stored.firstSlot());
        assertArrayEquals(new int[]{3, 6, 6, 6, 6, 9}, stored.endSlot());
        assertArrayEquals(new int[]{-1, 0, 1, -1, 0, 1, -1, 0, 1}, stored.diagonals());
        assertEquals(-1, stored.values()[3 * DoubleDiagonals.CHUNK]);
        assertEquals(2, stored.values()[4 * DoubleDiagonals.CHUNK]);
    }

    @Test
    void sharesSlotsOfEqualBitsOnly() {
        int rows = 6 * DoubleDiagonals.CHUNK;
        CsrMatrix band = tridiagonal(rows).mapValues((row, column, value) -> row == 3 * DoubleDiagonals.CHUNK
                ? -0.0
                : row == 4 * DoubleDiagonals.CHUNK + 1 ? 0.0 : value);
        DoubleDiagonals stored = DoubleDiagonalsBuilder.build(DoubleCsrArrays.of(band.onlySegment()), rows);
        assertEquals(stored.firstSlot()[1], stored.firstSlot()[2]);
        int third = stored.firstSlot()[3] * DoubleDiagonals.CHUNK;
        int fourth = stored.firstSlot()[4] * DoubleDiagonals.CHUNK;
        assertEquals(-0.0, stored.values()[third]);
        assertEquals(-1, stored.values()[third + 1]);
        assertEquals(-1, stored.values()[fourth]);
        assertEquals(0.0, stored.values()[fourth + 1]);
    }

    @Test
    void sharesSlotsOfSignedZerosOnlyWhereSignsAgree() {
        int rows = 6 * DoubleDiagonals.CHUNK;
        CsrMatrix band = tridiagonal(rows).mapValues((row, column, value) -> row % DoubleDiagonals.CHUNK == 1
                ? row / DoubleDiagonals.CHUNK == 2 ? -0.0 : 0.0
                : value);
        DoubleDiagonals stored = DoubleDiagonalsBuilder.build(DoubleCsrArrays.of(band.onlySegment()), rows);
        assertEquals(stored.firstSlot()[3], stored.firstSlot()[4]);
        assertEquals(-0.0, stored.values()[stored.firstSlot()[2] * DoubleDiagonals.CHUNK + 1]);
        assertEquals(0.0, stored.values()[stored.firstSlot()[3] * DoubleDiagonals.CHUNK + 1]);
    }

    private static CsrMatrix tridiagonal(int rows) {
        int[] offsets = new int[rows + 1];
        int[] columns = new int[3 * rows];
        double[] values = new double[3 * rows];
        for (int row = 0, k = 0; row < rows; row++) {
            for (int column = Math.max(0, row - 1); column <= Math.min(rows - 1, row + 1); column++) {
                columns[k] = column;
                values[k++] = column == row ? 2 : -1;
            }
            offsets[row + 1] = k;
        }
        return CsrMatrix.of(rows, rows, offsets, columns, values);
    }

    @Test
    void leavesChunksToRowsThatWouldNeedTooManyZeros() {
        SplittableRandom random = TestSeed.random("leavesChunks");
        CsrMatrix matrix = AwkwardMatrices.random(2 * DoubleDiagonals.CHUNK, 5000, row -> 6, Precision.F64, random);
        DoubleDiagonals stored = DoubleDiagonalsBuilder.build(DoubleCsrArrays.of(matrix.onlySegment()), 5000);
        assertArrayEquals(new byte[]{DoubleDiagonals.ROWS, DoubleDiagonals.ROWS}, stored.kinds());
        assertEquals(0, stored.values().length);
    }

    @Test
    void sortsWindowsByDecreasingLengthAndLeavesOutLongRows() {
        int[] lengths = {3, 1, 4, 1, 5, SellStructure.LONGEST + 1, 9, 2, 6, 5};
        int[] offsets = new int[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i + 1] = offsets[i] + lengths[i];
        }
        SellStructure structure = SellStructure.of(offsets, offsets, 2, 4);
        assertArrayEquals(new int[]{5}, structure.longRows());
        assertEquals(9, structure.count());
        assertArrayEquals(new int[]{2, 0, 1, 3, 6, 8, 4, 7, 9, 0}, structure.rows());
        assertArrayEquals(new int[]{4, 3, 1, 1, 9, 6, 5, 2, 5, 0}, structure.lengths());
        assertTrue(structure.chunks() == 5);
    }
}
