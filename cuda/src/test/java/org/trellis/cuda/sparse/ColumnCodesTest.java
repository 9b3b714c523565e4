package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class ColumnCodesTest {
    @Test
    void oneWindowReaches4096Columns() {
        assertArrayEquals(new int[]{7}, ColumnCodes.cover(new int[]{4102, 7, 100}, 3));
        assertArrayEquals(new int[]{7, 4103}, ColumnCodes.cover(new int[]{4103, 7, 100}, 3));
    }

    @Test
    void sixteenWindowsAreTheMost() {
        int[] columns = new int[17];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = i * 10_000;
        }
        assertEquals(16, ColumnCodes.cover(columns, 16).length);
        assertNull(ColumnCodes.cover(columns, 17));
    }

    @Test
    void theCodeOfPaddingIsNeverAColumn() {
        int[] columns = new int[17];
        for (int i = 0; i < 16; i++) {
            columns[i] = i * 4096;
        }
        columns[16] = 15 * 4096 + 4095;
        assertNull(ColumnCodes.cover(columns, 17));
        columns[16]--;
        int[] bases = ColumnCodes.cover(columns, 17);
        assertEquals(0xfffe, ColumnCodes.encode(bases, columns[16]));
        assertEquals(columns[16], ColumnCodes.decode(bases, 0xfffe));
        assertEquals(-1, ColumnCodes.decode(bases, ColumnCodes.PADDING));
    }

    @Test
    void noColumnsNeedNoBases() {
        assertEquals(0, ColumnCodes.cover(new int[3], 0).length);
    }

    @Test
    void lastColumnsAreCoded() {
        int[] bases = ColumnCodes.cover(new int[]{Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 2}, 2);
        int code = ColumnCodes.encode(bases, Integer.MAX_VALUE - 1);
        assertEquals(Integer.MAX_VALUE - 1, ColumnCodes.decode(bases, code));
    }
}
