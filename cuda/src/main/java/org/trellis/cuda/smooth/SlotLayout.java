package org.trellis.cuda.smooth;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.StagedRows;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Staged rows in chunks of {@value #CHUNK} slots, the entries of a chunk side by side, as warps read them. A stage
 * begins with a chunk of its own; slots that are left over have row −1, places behind the end of a row column −1.
 *
 * @param stageSlots   where the slots of each stage begin, and their number
 * @param chunkOffsets where the entries of each chunk begin, and their number
 * @param columns      column of each place
 * @param values       value of each place
 * @param rows         the element of vectors that a slot is about
 * @param factors      a factor for each slot, or null for ones
 */
record SlotLayout(int[] stageSlots, int[] chunkOffsets, int[] columns, HostVector values, int[] rows,
        HostVector factors) {
    /** Slots of a chunk. */
    static final int CHUNK = 32;

    static SlotLayout of(StagedRows staged) {
        CsrMatrix entries = staged.entries();
        int[] stages = staged.stages();
        int[] stageSlots = new int[stages.length];
        for (int stage = 0; stage + 1 < stages.length; stage++) {
            long end = stageSlots[stage]
                    + (stages[stage + 1] - stages[stage] + CHUNK - 1L) / CHUNK * CHUNK;
            stageSlots[stage + 1] = Checks.arrayLength("slots of the rows of " + entries, end);
        }
        int slots = stageSlots[stages.length - 1];
        int[] storedOf = new int[slots];
        Arrays.fill(storedOf, -1);
        for (int stage = 0; stage + 1 < stages.length; stage++) {
            for (int stored = stages[stage]; stored < stages[stage + 1]; stored++) {
                storedOf[stageSlots[stage] + stored - stages[stage]] = stored;
            }
        }
        int[] chunkOffsets = new int[slots / CHUNK + 1];
        for (int chunk = 0; chunk + 1 < chunkOffsets.length; chunk++) {
            int longest = 0;
            for (int slot = chunk * CHUNK; slot < (chunk + 1) * CHUNK; slot++) {
                longest = storedOf[slot] < 0 ? longest : Math.max(longest, entries.rowLength(storedOf[slot]));
            }
            chunkOffsets[chunk + 1] = Checks.arrayLength("padded entries of " + entries,
                    chunkOffsets[chunk] + (long) longest * CHUNK);
        }
        return filled(staged, stageSlots, chunkOffsets, storedOf);
    }

    private static SlotLayout filled(StagedRows staged, int[] stageSlots, int[] chunkOffsets, int[] storedOf) {
        CsrMatrix entries = staged.entries();
        int places = chunkOffsets[chunkOffsets.length - 1];
        int[] columns = new int[places];
        Arrays.fill(columns, -1);
        HostVector values = HostVector.zeros(entries.precision(), places);
        int[] rows = new int[storedOf.length];
        HostVector factors =
                staged.factors() == null ? null : HostVector.zeros(entries.precision(), storedOf.length);
        for (int slot = 0; slot < storedOf.length; slot++) {
            int stored = storedOf[slot];
            rows[slot] = stored < 0 ? -1 : staged.row(stored);
            if (stored < 0) {
                continue;
            }
            if (factors != null) {
                factors.set(slot, staged.factors().get(stored));
            }
            CsrSegment segment = entries.segmentOf(stored);
            int at = chunkOffsets[slot / CHUNK] + slot % CHUNK;
            for (int k = segment.rowStart(stored); k < segment.rowEnd(stored); k++, at += CHUNK) {
                columns[at] = segment.columnIndices()[k];
                values.set(at, segment.values().get(k));
            }
        }
        return new SlotLayout(stageSlots, chunkOffsets, columns, values, rows, factors);
    }
}
