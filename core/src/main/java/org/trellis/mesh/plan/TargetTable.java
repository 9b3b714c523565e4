package org.trellis.mesh.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.MeshMap;

/** The targets in one set that each element of a loop touches: any number of map columns, and rows of any length. */
public final class TargetTable {
    private final int targets;
    private final List<int[]> columns = new ArrayList<>();
    private final List<int[]> rowOffsets = new ArrayList<>();
    private final List<int[]> rowEntries = new ArrayList<>();
    private final Set<int[]> known = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Creates a table without entries.
     *
     * @param targets the number of elements of the target set
     */
    public TargetTable(int targets) {
        this.targets = targets;
    }

    /**
     * Adds a column; one that is there already is not added again.
     *
     * @param column the target of each element; kept
     * @return this
     */
    public TargetTable column(int[] column) {
        if (known.add(column)) {
            columns.add(column);
        }
        return this;
    }

    /**
     * Adds rows of any length; those that are there already are not added again.
     *
     * @param offsets where the rows start; kept
     * @param entries the targets row after row; kept
     * @return this
     */
    public TargetTable rows(int[] offsets, int[] entries) {
        if (known.add(entries)) {
            rowOffsets.add(offsets);
            rowEntries.add(entries);
        }
        return this;
    }

    /**
     * Adds what a loop argument reaches.
     *
     * @param map   its map
     * @param entry the entry, or {@link IndirectArgument#ALL}
     * @return this
     */
    public TargetTable add(MeshMap map, int entry) {
        if (map.arity() == MeshMap.VARIABLE) {
            return rows(map.offsets(), map.entries());
        }
        for (int e = 0; e < map.arity(); e++) {
            if (entry == e || entry == IndirectArgument.ALL) {
                column(map.column(e));
            }
        }
        return this;
    }

    /**
     * Returns the number of elements of the target set.
     *
     * @return at least 0
     */
    public int targets() {
        return targets;
    }

    /**
     * Returns the number of entries of some elements.
     *
     * @param element the element
     * @return with repetitions
     */
    public int entries(int element) {
        int count = columns.size();
        for (int[] offsets : rowOffsets) {
            count += offsets[element + 1] - offsets[element];
        }
        return count;
    }

    /** Writes the targets of an element, with repetitions; returns the place after them. */
    int list(int element, int[] into, int at) {
        int next = at;
        for (int[] column : columns) {
            into[next++] = column[element];
        }
        for (int r = 0; r < rowOffsets.size(); r++) {
            int[] entries = rowEntries.get(r);
            for (int p = rowOffsets.get(r)[element]; p < rowOffsets.get(r)[element + 1]; p++) {
                into[next++] = entries[p];
            }
        }
        return next;
    }

    /** Combines the masks of an element's targets. */
    long mask(long[] masks, int element) {
        long mask = 0;
        for (int c = 0; c < columns.size(); c++) {
            mask |= masks[columns.get(c)[element]];
        }
        for (int r = 0; r < rowOffsets.size(); r++) {
            int[] entries = rowEntries.get(r);
            int end = rowOffsets.get(r)[element + 1];
            for (int p = rowOffsets.get(r)[element]; p < end; p++) {
                mask |= masks[entries[p]];
            }
        }
        return mask;
    }

    /** Sets bits in the masks of an element's targets. */
    void mark(long[] masks, int element, long bits) {
        for (int c = 0; c < columns.size(); c++) {
            masks[columns.get(c)[element]] |= bits;
        }
        for (int r = 0; r < rowOffsets.size(); r++) {
            int[] entries = rowEntries.get(r);
            int end = rowOffsets.get(r)[element + 1];
            for (int p = rowOffsets.get(r)[element]; p < end; p++) {
                masks[entries[p]] |= bits;
            }
        }
    }

    /** Clears the masks of an element's targets. */
    void clear(long[] masks, int element) {
        for (int c = 0; c < columns.size(); c++) {
            masks[columns.get(c)[element]] = 0;
        }
        for (int r = 0; r < rowOffsets.size(); r++) {
            int[] entries = rowEntries.get(r);
            int end = rowOffsets.get(r)[element + 1];
            for (int p = rowOffsets.get(r)[element]; p < end; p++) {
                masks[entries[p]] = 0;
            }
        }
    }
}
