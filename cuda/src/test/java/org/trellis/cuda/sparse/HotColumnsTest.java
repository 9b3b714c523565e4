package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.trellis.sparse.CsrMatrix;

class HotColumnsTest {
    /** Row r has entries in the columns given. */
    private static CsrMatrix matrix(int columns, int[]... rows) {
        int[] offsets = new int[rows.length + 1];
        for (int r = 0; r < rows.length; r++) {
            offsets[r + 1] = offsets[r] + rows[r].length;
        }
        int[] indices = new int[offsets[rows.length]];
        for (int r = 0; r < rows.length; r++) {
            System.arraycopy(rows[r], 0, indices, offsets[r], rows[r].length);
        }
        return CsrMatrix.of(rows.length, columns, offsets, indices, new double[indices.length]);
    }

    @Test
    void theMostFrequentColumnsComeFirst() {
        CsrMatrix matrix = matrix(5, new int[]{0, 3}, new int[]{3, 4}, new int[]{1, 3, 4}, new int[0], new int[]{2});
        HotColumns hot = HotColumns.of(HostCsr.of(matrix), 2);
        assertArrayEquals(new int[]{3, 4}, hot.list());
        assertArrayEquals(new int[]{2, 0, 0, 1, 3, 0, 1, 4}, hot.columns());
    }

    @Test
    void ofEqualColumnsTheFirstAreHot() {
        assertArrayEquals(new int[]{0, 1}, HotColumns.of(HostCsr.of(matrix(4, new int[]{0, 1, 2, 3})), 2).list());
    }

    @Test
    void roomForMoreColumnsThanThereAre() {
        HotColumns hot = HotColumns.of(HostCsr.of(matrix(2, new int[]{1}, new int[]{0, 1})), 16);
        assertArrayEquals(new int[]{0, 1}, hot.list());
        assertArrayEquals(new int[]{1, 0, 1}, hot.columns());
        assertEquals(0, HotColumns.of(HostCsr.of(matrix(0, new int[0])), 4).list().length);
    }

    @Test
    void aSampleEstimatesTheShareOfHotColumns() {
        assertEquals(0, HotColumns.sampledShare(matrix(3, new int[0], new int[0]), 2));
        assertEquals(0.75, HotColumns.sampledShare(matrix(3, new int[]{0, 1, 2}, new int[]{1}), 2));
        long seed = Long.getLong("trellis.test.seed", 7);
        Random random = new Random(seed);
        int[][] rows = new int[400_000][];
        for (int r = 0; r < rows.length; r++) {
            rows[r] = new int[]{random.nextInt(100), 100 + random.nextInt(1_000_000)};
        }
        double share = HotColumns.sampledShare(matrix(1_000_100, rows), 100);
        assertTrue(share > 0.49 && share < 0.52, "share is " + share + " with seed " + seed);
    }
}
