package org.trellis.cuda.smooth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.StagedRows;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** The layout that the device reads, read on the host. */
class SlotLayoutTest {
    private static StagedRows staged(CsrMatrix entries, int[] rows, HostVector factors, int... stages) {
        return new StagedRows(entries, rows, factors, stages, StagedRows.Schedule.STAGES);
    }

    @Test
    void byHand() {
        CsrMatrix entries = CsrMatrix.of(3, 3, new int[]{0, 0, 1, 3}, new int[]{0, 0, 1}, new double[]{5, 6, 7});
        SlotLayout layout = SlotLayout.of(staged(entries, new int[]{2, 0, 1}, HostVector.of(1.0, 2, 3), 0, 1, 1, 3));
        assertArrayEquals(new int[]{0, 32, 32, 64}, layout.stageSlots());
        assertArrayEquals(new int[]{0, 0, 64}, layout.chunkOffsets());
        assertEquals(2, layout.rows()[0]);
        assertEquals(-1, layout.rows()[1]);
        assertArrayEquals(new int[]{0, 1, -1}, Arrays.copyOfRange(layout.rows(), 32, 35));
        assertArrayEquals(new int[]{0, 0, -1}, Arrays.copyOfRange(layout.columns(), 0, 3));
        assertArrayEquals(new int[]{-1, 1, -1}, Arrays.copyOfRange(layout.columns(), 32, 35));
        assertEquals(7, layout.values().get(33));
        assertEquals(3, layout.factors().get(33));
        SlotLayout empty = SlotLayout.of(staged(CsrMatrix.identity(0, Precision.F32), null, null, 0));
        assertArrayEquals(new int[]{0}, empty.stageSlots());
        assertNull(empty.factors());
    }

    @Test
    void holdsEveryEntryOnce() {
        SplittableRandom random = TestSeed.random("slots");
        CsrMatrix entries = AwkwardMatrices.random(301, 301, row -> random.nextInt(9), Precision.F32, random);
        int[] stages = {0, 1, 40, 40, 300, 301};
        SlotLayout layout = SlotLayout.of(staged(entries, null, null, stages));
        int found = 0;
        for (int stage = 0; stage + 1 < stages.length; stage++) {
            for (int slot = layout.stageSlots()[stage]; slot < layout.stageSlots()[stage + 1]; slot++) {
                int row = stages[stage] + slot - layout.stageSlots()[stage];
                boolean used = row < stages[stage + 1];
                assertEquals(used ? row : -1, layout.rows()[slot], "seed " + TestSeed.value());
                int length = 0;
                int chunk = slot / SlotLayout.CHUNK;
                for (int at = layout.chunkOffsets()[chunk] + slot % SlotLayout.CHUNK; at < layout.chunkOffsets()[chunk
                        + 1] && layout.columns()[at] >= 0; at += SlotLayout.CHUNK) {
                    assertEquals(entries.get(row, layout.columns()[at]), layout.values().get(at),
                            "seed " + TestSeed.value());
                    length++;
                }
                assertEquals(used ? entries.rowLength(row) : 0, length, "seed " + TestSeed.value());
                found += length;
            }
        }
        assertEquals(entries.nonZeros(), found);
    }
}
