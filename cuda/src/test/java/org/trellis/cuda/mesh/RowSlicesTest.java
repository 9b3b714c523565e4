package org.trellis.cuda.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

class RowSlicesTest {
    @Test
    void firstEntriesLieSideBySide() {
        RowSlices slices = RowSlices.of(new int[]{0, 2, 2, 5}, new int[]{7, 8, 1, 2, 3});
        assertArrayEquals(new int[]{0, 3 * RowSlices.ROWS}, slices.starts());
        assertArrayEquals(new short[]{2, 0, 3}, slices.lengths());
        assertEquals(7, slices.entries()[0]);
        assertEquals(1, slices.entries()[2]);
        assertEquals(8, slices.entries()[RowSlices.ROWS]);
        assertEquals(2, slices.entries()[RowSlices.ROWS + 2]);
        assertEquals(3, slices.entries()[2 * RowSlices.ROWS + 2]);
    }

    @Test
    void everyEntryIsWhereThreadsLook() {
        SplittableRandom random = TestSeed.random("slices");
        for (int rows : new int[]{0, 1, 31, 32, 33, 100}) {
            int[] offsets = new int[rows + 1];
            for (int r = 0; r < rows; r++) {
                offsets[r + 1] = offsets[r] + random.nextInt(9);
            }
            int[] targets = random.ints(offsets[rows]).toArray();
            RowSlices slices = RowSlices.of(offsets, targets);
            for (int r = 0; r < rows; r++) {
                assertEquals(offsets[r + 1] - offsets[r], slices.lengths()[r]);
                for (int k = 0; k < slices.lengths()[r]; k++) {
                    assertEquals(targets[offsets[r] + k], slices.entries()[slices.starts()[r / RowSlices.ROWS]
                            + k * RowSlices.ROWS + r % RowSlices.ROWS]);
                }
            }
        }
    }
}
