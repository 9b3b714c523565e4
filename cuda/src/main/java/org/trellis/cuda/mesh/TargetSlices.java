package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trellis.common.ParallelRanges;
import org.trellis.mesh.Mesh;

/**
 * The elements that add to each target and what these reach through maps, in the order in which the threads of a warp
 * ask for it: row k of a slice has entry k of 32 targets side by side, so that nothing is looked up by the number of
 * an element. Where the numbers of each row are near each other, as those of neighbours are, entries have two bytes and
 * are added to the least of their row.
 *
 * <p>The first table says through which of at most two slots an element adds, in its highest bit; all bits set end a
 * list that is shorter than the longest of its slice. With more slots it has the element plus the number of elements
 * times the slot.
 *
 * @param runs   the targets: position i is target {@code runs[i / LENGTH] · LENGTH + i % LENGTH} with the length of
 *               {@link TargetRuns}; those at the end may not exist
 * @param rows   slice s, of positions 32 s to 32 s + 31, has rows {@code rows[s]} to {@code rows[s + 1] − 1}
 * @param bases  four numbers for each row, one for each table; null if entries have four bytes
 * @param tables the entries, {@code short[]} or {@code int[]}
 */
record TargetSlices(int[] runs, int[] rows, int[] bases, List<Object> tables) {
    /** Targets of a slice: threads of a warp. */
    static final int WIDTH = 32;
    /** Tables whose entries can have two bytes. */
    static final int MOST_NARROW = 4;
    /** Slots that fit the highest bit. */
    static final int PAIR = 2;

    private static final int SLICES_PER_TASK = 1 << 9;
    private static final int NONE = -1;
    private static final int FIRST_RANGE = (1 << 15) - 2;
    private static final int RANGE = (1 << 16) - 1;

    /**
     * What tables have.
     *
     * @param slots   the target of each element through each column by which elements add
     * @param reached of each table its column for elements of each slot; the first one may have none, and has elements
     *                then
     */
    record Columns(List<int[]> slots, List<List<int[]>> reached) {
        Columns {
            slots = List.copyOf(slots);
            reached = List.copyOf(reached);
        }

        private int elements() {
            return slots.getFirst().length;
        }

        private int value(int table, int slot, int element) {
            List<int[]> columns = reached.get(table);
            int value = columns.isEmpty() ? element : columns.get(slot)[element];
            if (table > 0) {
                return value;
            }
            return slots.size() <= PAIR ? value | slot << 31 : value + slot * elements();
        }
    }

    /**
     * Makes or finds the slices of a loop.
     *
     * @param mesh    keeps them
     * @param targets the number of targets
     * @param columns what tables have
     * @return the slices
     */
    static TargetSlices of(Mesh mesh, int targets, Columns columns) {
        return mesh.derived(columns, TargetSlices.class, () -> make(mesh, targets, columns));
    }

    /** Says whether entries can have two bytes, if the numbers of each row are near each other. */
    static boolean mayBeNarrow(Columns columns) {
        return columns.slots().size() <= PAIR && columns.reached().size() <= MOST_NARROW;
    }

    boolean narrow() {
        return bases != null;
    }

    private static TargetSlices make(Mesh mesh, int targets, Columns columns) {
        List<Integer> firsts = new ArrayList<>();
        List<Integer> signs = new ArrayList<>();
        for (int slot = 0; slot < columns.slots().size(); slot++) {
            firsts.add(slot * columns.elements());
            signs.add(1);
        }
        SignedInverse lists = SignedInverse.of(mesh, targets, columns.slots(), firsts, signs);
        int slices = Math.ceilDiv(targets, WIDTH);
        int[] found = TargetRuns.of(lists, columns.slots(), targets);
        int[] runs = Arrays.copyOf(found, slices * (WIDTH / TargetRuns.LENGTH));
        Arrays.fill(runs, found.length, runs.length, found.length);
        int[] rows = rows(lists.offsets(), runs, targets, slices);
        Positions positions = new Positions(targets, runs, rows);
        int[] bases = mayBeNarrow(columns) ? new int[MOST_NARROW * rows[slices]] : null;
        AtomicBoolean narrow = new AtomicBoolean(bases != null);
        List<Object> wide = new ArrayList<>();
        List<Object> tables = new ArrayList<>();
        for (int table = 0; table < columns.reached().size(); table++) {
            int number = table;
            int[] entries = new int[Math.multiplyExact(rows[slices], WIDTH)];
            ParallelRanges.run(slices, SLICES_PER_TASK, (from, to) -> {
                fill(entries, lists, columns, number, positions, from, to);
                if (narrow.get() && !bases(entries, bases, number, rows[from], rows[to])) {
                    narrow.set(false);
                }
            });
            wide.add(entries);
        }
        for (int table = 0; narrow.get() && table < wide.size(); table++) {
            tables.add(narrow((int[]) wide.get(table), bases, table));
        }
        return new TargetSlices(runs, rows, narrow.get() ? bases : null, List.copyOf(narrow.get() ? tables : wide));
    }

    /** The target at each position, and the rows of each slice. */
    private record Positions(int targets, int[] runs, int[] rows) {
        int target(int position) {
            return TargetSlices.target(runs, position);
        }
    }

    private static int target(int[] runs, int position) {
        return runs[position / TargetRuns.LENGTH] * TargetRuns.LENGTH + position % TargetRuns.LENGTH;
    }

    private static int[] rows(int[] offsets, int[] runs, int targets, int slices) {
        int[] rows = new int[slices + 1];
        for (int slice = 0; slice < slices; slice++) {
            int longest = 0;
            for (int position = slice * WIDTH; position < (slice + 1) * WIDTH; position++) {
                int target = target(runs, position);
                longest = target < targets ? Math.max(longest, offsets[target + 1] - offsets[target]) : longest;
            }
            rows[slice + 1] = rows[slice] + longest;
        }
        return rows;
    }

    private static void fill(int[] entries, SignedInverse lists, Columns columns, int table, Positions positions,
            int from, int to) {
        int elements = columns.elements();
        int[] rows = positions.rows();
        for (int position = from * WIDTH; position < to * WIDTH; position++) {
            int target = positions.target(position);
            int at = rows[position / WIDTH] * WIDTH + position % WIDTH;
            int end = rows[position / WIDTH + 1] * WIDTH;
            if (target < positions.targets()) {
                for (int p = lists.offsets()[target]; p < lists.offsets()[target + 1]; p++, at += WIDTH) {
                    int slot = lists.places()[p] / elements;
                    entries[at] = columns.value(table, slot, lists.places()[p] - slot * elements);
                }
            }
            for (; at < end; at += WIDTH) {
                entries[at] = NONE;
            }
        }
    }

    /** Finds the least number of each row; says whether all of them are near it. */
    private static boolean bases(int[] entries, int[] bases, int table, int from, int to) {
        boolean near = true;
        for (int row = from; row < to; row++) {
            int least = Integer.MAX_VALUE;
            int most = 0;
            for (int at = row * WIDTH; at < (row + 1) * WIDTH; at++) {
                if (entries[at] != NONE) {
                    int value = entries[at] & Integer.MAX_VALUE;
                    least = Math.min(least, value);
                    most = Math.max(most, value);
                }
            }
            bases[MOST_NARROW * row + table] = least;
            near &= most - least <= (table == 0 ? FIRST_RANGE : RANGE);
        }
        return near;
    }

    private static short[] narrow(int[] entries, int[] bases, int table) {
        short[] narrow = new short[entries.length];
        ParallelRanges.run(entries.length / WIDTH, SLICES_PER_TASK, (from, to) -> {
            for (int at = from * WIDTH; at < to * WIDTH; at++) {
                int entry = entries[at];
                int offset = (entry & Integer.MAX_VALUE) - bases[MOST_NARROW * (at / WIDTH) + table];
                narrow[at] = entry == NONE ? (short) NONE : (short) (offset | (entry < 0 ? 1 << 15 : 0));
            }
        });
        return narrow;
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
        return "slices of " + (rows.length - 1) * WIDTH + " positions and " + rows[rows.length - 1] + " rows";
    }
}
