package org.trellis.mesh;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;

/**
 * A map that leads from each element of one set to elements of another: to a fixed number of them, or to as many as the
 * element's row has. Kept as one column for each entry (fixed) or as row offsets and entries (variable), in the
 * current numbering of both sets.
 */
public final class MeshMap {
    /** The {@link #arity} of a map whose elements have different numbers of entries. */
    public static final int VARIABLE = -1;

    private final String name;
    private final MeshSet from;
    private final MeshSet to;
    private final int arity;
    private int[][] columns;
    private int[] offsets;
    private int[] entries;

    private MeshMap(String name, MeshSet from, MeshSet to, int arity) {
        this.name = Objects.requireNonNull(name);
        this.from = from;
        this.to = to;
        this.arity = arity;
    }

    static MeshMap fixed(String name, MeshSet from, MeshSet to, int arity, int[] targets) {
        Checks.positive("arity of map '" + name + "'", arity);
        Checks.length("number of targets of map '" + name + "' with " + arity + " entries for each of " + from.size()
                + " elements of set '" + from.name() + "'", targets.length, (long) arity * from.size());
        MeshMap map = new MeshMap(name, from, to, arity);
        map.columns = new int[arity][from.size()];
        for (int entry = 0; entry < arity; entry++) {
            int[] column = map.columns[entry];
            for (int element = 0; element < column.length; element++) {
                int target = targets[element * arity + entry];
                map.checkTarget(element, entry, target);
                column[from.current(element)] = to.current(target);
            }
        }
        return map;
    }

    static MeshMap variable(String name, MeshSet from, MeshSet to, int[] offsets, int[] targets) {
        Checks.length("number of row offsets of map '" + name + "'", offsets.length, from.size() + 1L);
        if (offsets[0] != 0 || offsets[from.size()] != targets.length) {
            throw new IllegalArgumentException("row offsets of map '" + name + "' run from " + offsets[0] + " to "
                    + offsets[from.size()] + ", expected 0 to " + targets.length + " (the number of targets)");
        }
        MeshMap map = new MeshMap(name, from, to, VARIABLE);
        for (int element = 0; element < from.size(); element++) {
            if (offsets[element + 1] < offsets[element]) {
                throw new IllegalArgumentException("row offset " + (element + 1) + " of map '" + name + "' is "
                        + offsets[element + 1] + ", expected at least " + offsets[element]);
            }
            for (int p = offsets[element]; p < offsets[element + 1]; p++) {
                map.checkTarget(element, p - offsets[element], targets[p]);
            }
        }
        map.offsets = offsets.clone();
        map.entries = targets.clone();
        if (!to.inUserOrder()) {
            map.renumberTargets(to.order());
        }
        if (!from.inUserOrder()) {
            map.renumberElements(from.order());
        }
        return map;
    }

    private void checkTarget(int element, int entry, int target) {
        if (target < 0 || target >= to.size()) {
            throw new IllegalArgumentException("map '" + name + "' leads from element " + element + " of set '"
                    + from.name() + "', entry " + entry + ", to " + target + ", expected 0 to " + (to.size() - 1)
                    + " (set '" + to.name() + "')");
        }
    }

    /**
     * Returns the name.
     *
     * @return as declared
     */
    public String name() {
        return name;
    }

    /**
     * Returns the set whose elements have entries.
     *
     * @return the set that loops through this map run over
     */
    public MeshSet from() {
        return from;
    }

    /**
     * Returns the set that entries lead to.
     *
     * @return the set whose dats are reached through this map
     */
    public MeshSet to() {
        return to;
    }

    /**
     * Returns the number of entries of an element.
     *
     * @return at least 1, or {@link #VARIABLE}
     */
    public int arity() {
        return arity;
    }

    /**
     * Returns one entry of all elements, in the current numbering. For backends and plans.
     *
     * @param entry which entry
     * @return the target of each element; the array itself, not to be changed
     * @throws IndexOutOfBoundsException if the map has no such entry; a map of variable arity has none
     */
    public int[] column(int entry) {
        Checks.index("entry of map '" + name + "'", entry, arity == VARIABLE ? 0 : arity);
        return columns[entry];
    }

    /**
     * Returns where the rows of a map of variable arity start, in the current numbering. For backends and plans.
     *
     * @return element e has entries {@code offsets[e]} to {@code offsets[e + 1] - 1}; the array itself, null for fixed
     *         arity
     */
    public int[] offsets() {
        return offsets;
    }

    /**
     * Returns the targets of a map of variable arity, in the current numbering. For backends and plans.
     *
     * @return row after row; the array itself, null for fixed arity
     */
    public int[] entries() {
        return entries;
    }

    /**
     * Returns the targets in the user's numbering and order.
     *
     * @return element after element, as declared
     */
    public int[] toArray() {
        Permutation back = to.order().inverse();
        if (arity != VARIABLE) {
            int[] targets = new int[from.size() * arity];
            for (int element = 0; element < from.size(); element++) {
                int row = from.current(element);
                for (int entry = 0; entry < arity; entry++) {
                    targets[element * arity + entry] = back.newIndex(columns[entry][row]);
                }
            }
            return targets;
        }
        int[] targets = new int[entries.length];
        int next = 0;
        for (int element = 0; element < from.size(); element++) {
            int row = from.current(element);
            for (int p = offsets[row]; p < offsets[row + 1]; p++) {
                targets[next++] = back.newIndex(entries[p]);
            }
        }
        return targets;
    }

    /**
     * Looks for a target that is reached twice.
     *
     * @param entry an entry, or -1 for all entries
     * @return such a target in the current numbering, or -1 if every target is reached at most once
     */
    int repeatedTarget(int entry) {
        boolean[] reached = new boolean[to.size()];
        if (arity == VARIABLE) {
            return repeated(entries, reached);
        }
        for (int e = 0; e < arity; e++) {
            if (entry == e || entry == IndirectArgument.ALL) {
                int target = repeated(columns[e], reached);
                if (target >= 0) {
                    return target;
                }
            }
        }
        return -1;
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

    void renumberTargets(Permutation permutation) {
        int[] next = permutation.toArray();
        if (arity == VARIABLE) {
            relabel(entries, next);
        } else {
            for (int[] column : columns) {
                relabel(column, next);
            }
        }
    }

    private static void relabel(int[] targets, int[] next) {
        for (int i = 0; i < targets.length; i++) {
            targets[i] = next[targets[i]];
        }
    }

    void renumberElements(Permutation permutation) {
        if (arity == VARIABLE) {
            renumberRows(permutation.inverse());
            return;
        }
        int[] next = permutation.toArray();
        for (int entry = 0; entry < arity; entry++) {
            int[] old = columns[entry];
            int[] moved = new int[old.length];
            for (int element = 0; element < old.length; element++) {
                moved[next[element]] = old[element];
            }
            columns[entry] = moved;
        }
    }

    private void renumberRows(Permutation oldRows) {
        int[] movedOffsets = new int[offsets.length];
        int[] moved = new int[entries.length];
        int next = 0;
        for (int row = 0; row < from.size(); row++) {
            int old = oldRows.newIndex(row);
            int length = offsets[old + 1] - offsets[old];
            System.arraycopy(entries, offsets[old], moved, next, length);
            next += length;
            movedOffsets[row + 1] = next;
        }
        offsets = movedOffsets;
        entries = moved;
    }

    /**
     * Returns the greatest number of entries of an element.
     *
     * @return the arity if it is fixed
     */
    public int maximumArity() {
        if (arity != VARIABLE) {
            return arity;
        }
        int most = 0;
        for (int element = 0; element < from.size(); element++) {
            most = Math.max(most, offsets[element + 1] - offsets[element]);
        }
        return most;
    }

    @Override
    public String toString() {
        return "map '" + name + "' from '" + from.name() + "' to '" + to.name() + "' with "
                + (arity == VARIABLE ? "variable arity" : "arity " + arity);
    }
}
