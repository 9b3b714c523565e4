package org.trellis.cuda.mesh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;
import org.trellis.mesh.Mesh;

/**
 * Where the contributions of each target are stored, through all maps that lead to it: a list for each target, in which
 * {@code ~place} stands for a contribution that is subtracted.
 *
 * @param offsets target t has the places {@code places[offsets[t]]} to {@code places[offsets[t + 1] - 1]}
 * @param places  indices of stored elements
 */
record SignedInverse(int[] offsets, int[] places) {
    private static final int TARGETS_PER_TASK = 1 << 13;
    private static final int ELEMENTS_PER_TASK = 1 << 15;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private record Key(List<int[]> columns, List<Integer> firsts, List<Integer> signs) {}

    /**
     * Makes or finds the inverse of some columns. Costs two passes by all threads, and sorting what each target gets.
     *
     * @param mesh    keeps it
     * @param targets the number of targets
     * @param columns the target of each element
     * @param firsts  where the contributions through each column start
     * @param signs   1 or −1 for each column
     * @return the inverse; columns in their order for each target
     */
    static SignedInverse of(Mesh mesh, int targets, List<int[]> columns, List<Integer> firsts, List<Integer> signs) {
        return mesh.derived(new Key(List.copyOf(columns), List.copyOf(firsts), List.copyOf(signs)),
                SignedInverse.class, () -> make(targets, columns, firsts, signs));
    }

    private static SignedInverse make(int targets, List<int[]> columns, List<Integer> firsts, List<Integer> signs) {
        int[] offsets = new int[targets + 1];
        int[] starts = new int[columns.size() + 1];
        for (int c = 0; c < columns.size(); c++) {
            int[] column = columns.get(c);
            starts[c + 1] = starts[c] + column.length;
            ParallelRanges.run(column.length, ELEMENTS_PER_TASK, (from, to) -> {
                for (int e = from; e < to; e++) {
                    INTS.getAndAdd(offsets, column[e] + 1, 1);
                }
            });
        }
        ParallelRanges.accumulate(offsets);
        int[] next = offsets.clone();
        int[] places = new int[offsets[targets]];
        for (int c = 0; c < columns.size(); c++) {
            int[] column = columns.get(c);
            int start = starts[c];
            ParallelRanges.run(column.length, ELEMENTS_PER_TASK, (from, to) -> {
                for (int e = from; e < to; e++) {
                    places[(int) INTS.getAndAdd(next, column[e], 1)] = start + e;
                }
            });
        }
        // Threads came in any order: what a target gets is sorted, and then says where it is stored.
        ParallelRanges.run(targets, TARGETS_PER_TASK, (from, to) -> {
            for (int target = from; target < to; target++) {
                Arrays.sort(places, offsets[target], offsets[target + 1]);
                for (int k = offsets[target]; k < offsets[target + 1]; k++) {
                    places[k] = place(places[k], starts, firsts, signs);
                }
            }
        });
        return new SignedInverse(offsets, places);
    }

    /** Where an element of one column after the other is stored. */
    private static int place(int number, int[] starts, List<Integer> firsts, List<Integer> signs) {
        int c = 0;
        while (number >= starts[c + 1]) {
            c++;
        }
        int place = firsts.get(c) + number - starts[c];
        return signs.get(c) < 0 ? ~place : place;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return "inverse of " + (offsets.length - 1) + " targets and " + places.length + " places";
    }
}
