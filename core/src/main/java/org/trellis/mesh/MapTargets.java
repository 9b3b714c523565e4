package org.trellis.mesh;

import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Permutation;

/**
 * The targets of a map in the current numbering of both sets: one column for each entry, or row offsets and entries.
 * The arrays do not change, whose identity backends rely on; another numbering makes others.
 */
final class MapTargets {
    private static final int TARGETS_PER_TASK = 1 << 15;
    private static final int BLOCK = 128;

    private final int[][] columns;
    private final int[] offsets;
    private final int[] entries;

    private MapTargets(int[][] columns, int[] offsets, int[] entries) {
        this.columns = columns;
        this.offsets = offsets;
        this.entries = entries;
    }

    /** Takes targets in the users' numbering, with the same number for each element. */
    static MapTargets fixed(String name, SetShape from, SetShape to, int arity, int[] targets) {
        Checks.positive("arity of map '" + name + "'", arity);
        Checks.length("number of targets of map '" + name + "' with " + arity + " entries for each of " + from.rows()
                + " elements of set '" + from.name() + "'", targets.length, (long) arity * from.rows());
        int wrong =
                ParallelRanges.first(targets.length, TARGETS_PER_TASK, k -> targets[k] < 0 || targets[k] >= to.size());
        if (wrong >= 0) {
            checkTarget(name, from, to, wrong / arity, wrong % arity, targets[wrong]);
        }
        int[][] columns = new int[arity][from.rows()];
        // Blocks of elements, so that what is read for the columns one after the other is still in a cache.
        ParallelRanges.run(Math.ceilDiv(from.rows(), BLOCK), Math.max(1, TARGETS_PER_TASK / arity / BLOCK),
                (first, last) -> {
                    for (int block = first; block < last; block++) {
                        int end = (int) Math.min(from.rows(), (block + 1L) * BLOCK);
                        for (int entry = 0; entry < arity; entry++) {
                            int[] column = columns[entry];
                            for (int element = block * BLOCK; element < end; element++) {
                                column[from.current(element)] = to.current(targets[element * arity + entry]);
                            }
                        }
                    }
                });
        return new MapTargets(columns, null, null);
    }

    /** Takes rows in the users' numbering. */
    static MapTargets variable(String name, SetShape from, SetShape to, int[] offsets, int[] targets) {
        checkOffsets(name, from, offsets, targets);
        int wrong =
                ParallelRanges.first(targets.length, TARGETS_PER_TASK, k -> targets[k] < 0 || targets[k] >= to.size());
        for (int element = 0; wrong >= 0 && element < from.rows(); element++) {
            if (wrong < offsets[element + 1]) {
                checkTarget(name, from, to, element, wrong - offsets[element], targets[wrong]);
            }
        }
        int[] entries = new int[targets.length];
        ParallelRanges.run(targets.length, TARGETS_PER_TASK, (first, last) -> {
            for (int p = first; p < last; p++) {
                entries[p] = to.current(targets[p]);
            }
        });
        MapTargets inUserOrder = new MapTargets(null, offsets.clone(), entries);
        return from.order() == null ? inUserOrder : inUserOrder.withElements(from.order());
    }

    /** Takes columns that are in the current numbering and right by construction. */
    static MapTargets current(int[][] columns) {
        return new MapTargets(columns, null, null);
    }

    private static void checkOffsets(String name, SetShape from, int[] offsets, int[] targets) {
        Checks.length("number of row offsets of map '" + name + "'", offsets.length, from.rows() + 1L);
        if (offsets[0] != 0 || offsets[from.rows()] != targets.length) {
            throw new IllegalArgumentException("row offsets of map '" + name + "' run from " + offsets[0] + " to "
                    + offsets[from.rows()] + ", expected 0 to " + targets.length + " (the number of targets)");
        }
        for (int element = 0; element < from.rows(); element++) {
            if (offsets[element + 1] < offsets[element]) {
                throw new IllegalArgumentException("row offset " + (element + 1) + " of map '" + name + "' is "
                        + offsets[element + 1] + ", expected at least " + offsets[element]);
            }
        }
    }

    private static void checkTarget(String name, SetShape from, SetShape to, int element, int entry, int target) {
        if (target < 0 || target >= to.size()) {
            throw new IllegalArgumentException("map '" + name + "' leads from element " + element + " of set '"
                    + from.name() + "', entry " + entry + ", to " + target + ", expected 0 to " + (to.size() - 1)
                    + " (set '" + to.name() + "')");
        }
    }

    int[] column(int entry) {
        return columns[entry];
    }

    int[][] columns() {
        return columns;
    }

    int[] offsets() {
        return offsets;
    }

    int[] entries() {
        return entries;
    }

    /** Row after row in the users' numbering of both sets. */
    int[] toArray(MeshSet from, MeshSet to) {
        Permutation back = to.order().inverse();
        if (offsets == null) {
            int[] targets = new int[from.withRows() * columns.length];
            for (int element = 0; element < from.withRows(); element++) {
                int row = from.current(element);
                for (int entry = 0; entry < columns.length; entry++) {
                    targets[element * columns.length + entry] = back.newIndex(columns[entry][row]);
                }
            }
            return targets;
        }
        int[] targets = new int[entries.length];
        int[] starts = offsets(from);
        ParallelRanges.run(from.withRows(), TARGETS_PER_TASK / BLOCK, (first, last) -> {
            for (int element = first; element < last; element++) {
                int row = from.current(element);
                for (int p = 0; p < starts[element + 1] - starts[element]; p++) {
                    targets[starts[element] + p] = back.newIndex(entries[offsets[row] + p]);
                }
            }
        });
        return targets;
    }

    /** Where the rows of {@link #toArray} start; null if all have the same length. */
    int[] offsets(MeshSet from) {
        if (offsets == null) {
            return null;
        }
        int[] starts = new int[offsets.length];
        for (int element = 0; element < from.withRows(); element++) {
            int row = from.current(element);
            starts[element + 1] = starts[element] + offsets[row + 1] - offsets[row];
        }
        return starts;
    }

    /** A target in the current numbering that is reached twice through an entry, or through all (-1); or -1. */
    int repeatedTarget(int entry, int targets) {
        boolean[] reached = new boolean[targets];
        if (offsets != null) {
            return repeated(entries, reached);
        }
        for (int e = 0; e < columns.length; e++) {
            if (entry == e || entry == IndirectArgument.ALL) {
                int target = repeated(columns[e], reached);
                if (target >= 0) {
                    return target;
                }
            }
        }
        return -1;
    }

    /**
     * Looks for a target that both maps reach.
     *
     * @param entry      an entry of this map, or -1 for all
     * @param other      another map to the same set
     * @param otherEntry an entry of that, or -1 for all
     * @param targets    the size of the set
     * @return such a target in the current numbering, or -1
     */
    int commonTarget(int entry, MapTargets other, int otherEntry, int targets) {
        boolean[] reached = new boolean[targets];
        for (int[] column : reachedThrough(entry)) {
            for (int target : column) {
                reached[target] = true;
            }
        }
        for (int[] column : other.reachedThrough(otherEntry)) {
            for (int target : column) {
                if (reached[target]) {
                    return target;
                }
            }
        }
        return -1;
    }

    private int[][] reachedThrough(int entry) {
        return offsets != null
                ? new int[][]{entries}
                : entry == IndirectArgument.ALL ? columns : new int[][]{columns[entry]};
    }

    private static int repeated(int[] targets, boolean[] reached) {
        for (int target : targets) {
            if (reached[target]) {
                return target;
            }
            reached[target] = true;
        }
        return -1;
    }

    /** These targets after the set that they are in has been renumbered. */
    MapTargets withTargets(Permutation permutation) {
        int[] next = permutation.toArray();
        if (offsets != null) {
            return new MapTargets(null, offsets, relabelled(entries, next));
        }
        int[][] relabelled = new int[columns.length][];
        for (int entry = 0; entry < columns.length; entry++) {
            relabelled[entry] = relabelled(columns[entry], next);
        }
        return new MapTargets(relabelled, null, null);
    }

    private static int[] relabelled(int[] targets, int[] next) {
        int[] relabelled = new int[targets.length];
        for (int i = 0; i < targets.length; i++) {
            relabelled[i] = next[targets[i]];
        }
        return relabelled;
    }

    /** These targets after the set whose elements have them has been renumbered. */
    MapTargets withElements(Permutation permutation) {
        if (offsets != null) {
            return withRows(permutation.inverse());
        }
        int[] next = permutation.toArray();
        int[][] moved = new int[columns.length][next.length];
        for (int entry = 0; entry < columns.length; entry++) {
            for (int element = 0; element < next.length; element++) {
                moved[entry][next[element]] = columns[entry][element];
            }
        }
        return new MapTargets(moved, null, null);
    }

    private MapTargets withRows(Permutation oldRows) {
        int[] movedOffsets = new int[offsets.length];
        int[] moved = new int[entries.length];
        int next = 0;
        for (int row = 0; row + 1 < offsets.length; row++) {
            int old = oldRows.newIndex(row);
            int length = offsets[old + 1] - offsets[old];
            System.arraycopy(entries, offsets[old], moved, next, length);
            next += length;
            movedOffsets[row + 1] = next;
        }
        return new MapTargets(null, movedOffsets, moved);
    }

    int longestRow() {
        if (offsets == null) {
            return columns.length;
        }
        int most = 0;
        for (int row = 0; row + 1 < offsets.length; row++) {
            most = Math.max(most, offsets[row + 1] - offsets[row]);
        }
        return most;
    }
}
