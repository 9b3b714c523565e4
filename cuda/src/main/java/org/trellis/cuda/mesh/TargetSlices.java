package org.trellis.cuda.mesh;

import java.util.List;
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
@SuppressWarnings("ArrayRecordComponent") // nothing compares them
record TargetSlices(int[] runs, int[] rows, int[] bases, List<Object> tables) {
    /** Targets of a slice: threads of a warp. */
    static final int WIDTH = 32;
    /** Tables whose entries can have two bytes. */
    static final int MOST_NARROW = 4;
    /** Slots that fit the highest bit. */
    static final int PAIR = 2;

    private static final int ROWS_PER_TASK = 1 << 13;

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
        return SharedSlices.of(mesh, targets, columns.slots()).slices(columns);
    }

    /**
     * Has the slices of a loop made by another thread, and returns at once.
     *
     * @param mesh    keeps them
     * @param targets the number of targets
     * @param columns what tables have
     */
    static void expect(Mesh mesh, int targets, Columns columns) {
        SharedSlices.of(mesh, targets, columns.slots()).expect(columns);
    }

    /** Says whether entries can have two bytes, if the numbers of each row are near each other. */
    static boolean mayBeNarrow(Columns columns) {
        return columns.slots().size() <= PAIR && columns.reached().size() <= MOST_NARROW;
    }

    boolean narrow() {
        return bases != null;
    }

    static TargetSlices narrow(SliceOrder order, List<SliceTable.Narrow> tables) {
        return new TargetSlices(order.runs(), order.rows(), bases(order, tables),
                tables.stream().<Object>map(SliceTable.Narrow::entries).toList());
    }

    static TargetSlices wide(SliceOrder order, List<int[]> tables) {
        return new TargetSlices(order.runs(), order.rows(), null, List.copyOf(tables));
    }

    private static int[] bases(SliceOrder order, List<SliceTable.Narrow> tables) {
        int[] bases = new int[MOST_NARROW * order.allRows()];
        for (int table = 0; table < tables.size(); table++) {
            int[] from = tables.get(table).bases();
            int first = table;
            ParallelRanges.strips(from.length, ROWS_PER_TASK, (begin, end) -> spread(from, bases, first, begin, end));
        }
        return bases;
    }

    private static void spread(int[] from, int[] bases, int first, int begin, int end) {
        for (int row = begin; row < end; row++) {
            bases[MOST_NARROW * row + first] = from[row];
        }
    }

    @Override
    public String toString() {
        return "slices of " + (rows.length - 1) * WIDTH + " positions and " + rows[rows.length - 1] + " rows";
    }
}
