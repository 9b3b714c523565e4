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
@SuppressWarnings("ArrayRecordComponent") // nothing compares them
record SignedInverse(int[] offsets, int[] places) {
    private static final int TARGETS_PER_TASK = 1 << 11;
    private static final int ELEMENTS_PER_TASK = 1 << 13;
    /** Numbers that are sorted by insertion. */
    private static final int FEW = 32;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    private record Key(List<int[]> columns, List<Integer> firsts, List<Integer> signs) {}

    private record ListsKey(List<int[]> columns) {}

    /** Lists that others are made of, if a mesh keeps them: contributions stored one column after another. */
    static final class Lists {
        private SignedInverse kept;

        private synchronized SignedInverse kept() {
            return kept;
        }

        /** Makes or finds the lists, on any thread. */
        synchronized SignedInverse inOrder(int targets, List<int[]> columns) {
            if (kept == null) {
                kept = make(targets, columns);
            }
            return kept;
        }
    }

    /**
     * Makes or finds the inverse of some columns. Costs two passes by all threads, and sorting what each target gets;
     * one pass if the mesh keeps the same columns as {@link #inOrder} has them.
     *
     * @param mesh    keeps it
     * @param targets the number of targets
     * @param columns the target of each element
     * @param firsts  where the contributions through each column start
     * @param signs   1 or −1 for each column
     * @return the inverse; columns in their order for each target
     */
    static SignedInverse of(Mesh mesh, int targets, List<int[]> columns, List<Integer> firsts, List<Integer> signs) {
        int[] starts = starts(columns);
        int[] moves = new int[columns.size()];
        for (int c = 0; c < moves.length; c++) {
            moves[c] = firsts.get(c) - starts[c];
        }
        if (Arrays.stream(moves).allMatch(move -> move == 0) && signs.stream().allMatch(sign -> sign > 0)) {
            return inOrder(mesh, targets, columns);
        }
        int[] directions = signs.stream().mapToInt(sign -> sign).toArray();
        return mesh.derived(new Key(List.copyOf(columns), List.copyOf(firsts), List.copyOf(signs)),
                SignedInverse.class, () -> {
                    SignedInverse lists = lists(mesh, columns).kept();
                    SignedInverse from = lists == null ? make(targets, columns) : lists;
                    int[] places = lists == null ? from.places : new int[from.places.length];
                    ParallelRanges.strips(places.length, ELEMENTS_PER_TASK,
                            (begin, end) -> move(from.places, places, begin, end, starts, moves, directions));
                    return new SignedInverse(from.offsets, places);
                });
    }

    /**
     * Makes or finds the inverse of some columns whose contributions are stored one column after the other, none of
     * them subtracted.
     *
     * @param mesh    keeps it
     * @param targets the number of targets
     * @param columns the target of each element
     * @return the inverse; columns in their order for each target
     */
    static SignedInverse inOrder(Mesh mesh, int targets, List<int[]> columns) {
        return lists(mesh, columns).inOrder(targets, columns);
    }

    static Lists lists(Mesh mesh, List<int[]> columns) {
        return mesh.derived(new ListsKey(List.copyOf(columns)), Lists.class, Lists::new);
    }

    private static int[] starts(List<int[]> columns) {
        int[] starts = new int[columns.size() + 1];
        for (int c = 0; c < columns.size(); c++) {
            starts[c + 1] = starts[c] + columns.get(c).length;
        }
        return starts;
    }

    private static SignedInverse make(int targets, List<int[]> columns) {
        int[] offsets = new int[targets + 1];
        for (int[] column : columns) {
            ParallelRanges.strips(column.length, ELEMENTS_PER_TASK, (from, to) -> count(column, from, to, offsets));
        }
        ParallelRanges.accumulate(offsets);
        int[] next = offsets.clone();
        int[] places = new int[offsets[targets]];
        int[] starts = starts(columns);
        for (int c = 0; c < columns.size(); c++) {
            int[] column = columns.get(c);
            int start = starts[c];
            ParallelRanges.strips(column.length, ELEMENTS_PER_TASK,
                    (from, to) -> put(column, from, to, start, next, places));
        }
        // Threads came in any order.
        ParallelRanges.strips(targets, TARGETS_PER_TASK, (from, to) -> {
            for (int target = from; target < to; target++) {
                sort(places, offsets[target], offsets[target + 1]);
            }
        });
        return new SignedInverse(offsets, places);
    }

    private static void count(int[] column, int from, int to, int[] offsets) {
        for (int e = from; e < to; e++) {
            INTS.getAndAdd(offsets, column[e] + 1, 1);
        }
    }

    private static void put(int[] column, int from, int to, int start, int[] next, int[] places) {
        for (int e = from; e < to; e++) {
            places[(int) INTS.getAndAdd(next, column[e], 1)] = start + e;
        }
    }

    /** Few numbers take less than it takes to find out how they are sorted best. */
    private static void sort(int[] places, int from, int to) {
        if (to - from > FEW) {
            Arrays.sort(places, from, to);
            return;
        }
        for (int k = from + 1; k < to; k++) {
            int place = places[k];
            int at = k;
            while (at > from && places[at - 1] > place) {
                places[at] = places[at - 1];
                at--;
            }
            places[at] = place;
        }
    }

    /** Says of elements of one column after the other where they are stored. */
    private static void move(int[] from, int[] to, int begin, int end, int[] starts, int[] moves, int[] signs) {
        for (int k = begin; k < end; k++) {
            int c = 0;
            while (from[k] >= starts[c + 1]) {
                c++;
            }
            int place = from[k] + moves[c];
            to[k] = signs[c] < 0 ? ~place : place;
        }
    }

    @Override
    public String toString() {
        return "inverse of " + (offsets.length - 1) + " targets and " + places.length + " places";
    }
}
