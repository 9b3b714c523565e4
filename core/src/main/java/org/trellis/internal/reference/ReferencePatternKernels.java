package org.trellis.internal.reference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;
import org.trellis.mesh.device.PatternArrays;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.mesh.device.PatternTables;

/** Sorts all pairs of a row and a column at once. The definition of the answer. */
final class ReferencePatternKernels implements PatternKernels {
    @Override
    public PatternArrays build(PatternTables tables) {
        long[] entries = entries(tables);
        int[] rowOffsets = new int[tables.rows() + 1];
        int[] columnIndices = new int[entries.length];
        for (int k = 0; k < entries.length; k++) {
            rowOffsets[row(entries[k]) + 1]++;
            columnIndices[k] = (int) entries[k];
        }
        ParallelRanges.accumulate(rowOffsets);
        List<int[][]> positions = new ArrayList<>();
        for (PatternTables.Block block : tables.blocks()) {
            int[][] columns = new int[block.rowArity() * block.columnArity()][block.elements()];
            for (int pair = 0; pair < columns.length; pair++) {
                for (int e = 0; e < block.elements(); e++) {
                    columns[pair][e] = Arrays.binarySearch(entries, key(block, pair, e));
                }
            }
            positions.add(columns);
        }
        return new PatternArrays(rowOffsets, columnIndices, positions);
    }

    /** Each entry once, in order. */
    private static long[] entries(PatternTables tables) {
        long[] keys = new long[tables.pairs()];
        int count = 0;
        for (PatternTables.Block block : tables.blocks()) {
            for (int pair = 0; pair < block.rowArity() * block.columnArity(); pair++) {
                for (int e = 0; e < block.elements(); e++) {
                    keys[count++] = key(block, pair, e);
                }
            }
        }
        Arrays.sort(keys);
        return Arrays.stream(keys).distinct().toArray();
    }

    private static long key(PatternTables.Block block, int pair, int element) {
        int row = block.rowTargets(pair / block.columnArity())[element];
        int column = block.columnTargets(pair % block.columnArity())[element];
        return (long) row << Integer.SIZE | column;
    }

    private static int row(long key) {
        return (int) (key >> Integer.SIZE);
    }
}
