package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.trellis.mesh.Mesh;

/**
 * The slices of all loops that add through the same columns, which share the order of their targets and each table that
 * two of them have. Made when they are asked for, or before by another thread; maps do not change while it does so,
 * since another numbering makes other columns.
 */
final class SharedSlices {
    private static final int KEPT_SECONDS = 1;

    private final int targets;
    private final List<int[]> slots;
    private final SignedInverse.Lists lists;
    /** Found without waiting while another thread makes slices of other loops. */
    private final Map<TargetSlices.Columns, TargetSlices> made = new ConcurrentHashMap<>();
    private final Map<SliceTable, SliceTable.Narrow> narrow = new HashMap<>();
    private final Map<SliceTable, int[]> wide = new HashMap<>();
    /** Used by the program's thread alone. */
    private final Set<TargetSlices.Columns> expected = new HashSet<>();
    private SliceOrder order;

    private record Key(List<int[]> slots) {}

    /** A thread that ends when it has had nothing to do. */
    private static final class Worker {
        private static final Executor AHEAD = new ThreadPoolExecutor(0, 1, KEPT_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), task -> {
                    Thread made = new Thread(task, "trellis-slices");
                    made.setDaemon(true);
                    return made;
                });
    }

    private SharedSlices(int targets, List<int[]> slots, SignedInverse.Lists lists) {
        this.targets = targets;
        this.slots = slots;
        this.lists = lists;
    }

    /** Makes or finds what the loops over the targets of some columns share. */
    static SharedSlices of(Mesh mesh, int targets, List<int[]> slots) {
        List<int[]> kept = List.copyOf(slots);
        return mesh.derived(new Key(kept), SharedSlices.class,
                () -> new SharedSlices(targets, kept, SignedInverse.lists(mesh, kept)));
    }

    /** Has slices made by another thread, and returns at once. What fails is tried again when it is asked for. */
    void expect(TargetSlices.Columns columns) {
        if (expected.add(columns)) {
            Worker.AHEAD.execute(new FutureTask<>(() -> slices(columns)));
        }
    }

    /** Finds the slices of a loop, or makes them, after another thread has made what it makes. */
    TargetSlices slices(TargetSlices.Columns columns) {
        TargetSlices found = made.get(columns);
        return found == null ? inTurn(columns) : found;
    }

    private synchronized TargetSlices inTurn(TargetSlices.Columns columns) {
        TargetSlices found = made.get(columns);
        if (found == null) {
            if (order == null) {
                order = SliceOrder.of(lists.inOrder(targets, slots), targets, slots);
            }
            found = make(columns);
            made.put(columns, found);
        }
        return found;
    }

    private TargetSlices make(TargetSlices.Columns columns) {
        List<SliceTable> tables = new ArrayList<>();
        for (List<int[]> column : columns.reached()) {
            tables.add(new SliceTable(slots, column, tables.isEmpty()));
        }
        List<SliceTable.Narrow> near = new ArrayList<>();
        boolean all = TargetSlices.mayBeNarrow(columns);
        for (int table = 0; all && table < tables.size(); table++) {
            near.add(narrow.computeIfAbsent(tables.get(table), one -> one.narrow(order)));
            all = near.getLast().isNear();
        }
        return all
                ? TargetSlices.narrow(order, near)
                : TargetSlices.wide(order, tables.stream()
                        .map(table -> wide.computeIfAbsent(table, one -> one.wide(order))).toList());
    }
}
