package org.trellis.fem;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.trellis.common.ParallelRanges;

/**
 * The elements that each row has entries of. Counted and filled by all threads; rows are sorted, so that the result is
 * the same on any number of them.
 *
 * @param offsets where the slots of each row start, and their number
 * @param slots   {@code e * U + i} where the row is unknown i of element e, ascending within a row
 * @param most    the largest number of slots of a row
 */
public record RowElements(int[] offsets, int[] slots, int most) {
    private static final int GRAIN = 1 << 14;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    /**
     * Finds the elements of rows.
     *
     * @param unknowns of all elements, one element after the other; not changed
     * @param rows     unknowns below this are rows
     * @return the elements of each row
     */
    public static RowElements of(int[] unknowns, int rows) {
        int[] offsets = new int[rows + 1];
        ParallelRanges.run(unknowns.length, GRAIN, (from, to) -> {
            for (int k = from; k < to; k++) {
                if (unknowns[k] < rows) {
                    INTS.getAndAdd(offsets, unknowns[k] + 1, 1);
                }
            }
        });
        int most = Arrays.stream(offsets).parallel().max().orElse(0);
        ParallelRanges.accumulate(offsets);
        int[] next = offsets.clone();
        int[] slots = new int[offsets[rows]];
        ParallelRanges.run(unknowns.length, GRAIN, (from, to) -> {
            for (int k = from; k < to; k++) {
                if (unknowns[k] < rows) {
                    slots[(int) INTS.getAndAdd(next, unknowns[k], 1)] = k;
                }
            }
        });
        ParallelRanges.run(rows, GRAIN, (from, to) -> {
            for (int row = from; row < to; row++) {
                Arrays.sort(slots, offsets[row], offsets[row + 1]);
            }
        });
        return new RowElements(offsets, slots, most);
    }
}
