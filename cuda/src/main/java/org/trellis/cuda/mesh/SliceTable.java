package org.trellis.cuda.mesh;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.trellis.common.ParallelRanges;

/**
 * One of the tables of {@link TargetSlices}, which says what it has. All threads fill it, each slice by itself, with
 * two bytes an entry at once if they are asked for.
 *
 * @param slots   the target of each element through each column by which elements add
 * @param columns what elements reach that add through each slot; none for the elements themselves
 * @param first   whether entries also say through which slot an element adds
 */
record SliceTable(List<int[]> slots, List<int[]> columns, boolean first) {
    private static final int SLICES_PER_TASK = 1 << 7;
    private static final int NONE = -1;
    private static final int FIRST_RANGE = (1 << 15) - 2;
    private static final int RANGE = (1 << 16) - 1;
    private static final int FIRST_SLOT = 1 << 15;

    /**
     * Entries of two bytes.
     *
     * @param entries one after the other, or null if the numbers of some row are too far apart
     * @param bases   the least number of each row
     */
    @SuppressWarnings("ArrayRecordComponent") // nothing compares them
    record Narrow(short[] entries, int[] bases) {
        boolean isNear() {
            return entries != null;
        }
    }

    SliceTable {
        slots = List.copyOf(slots);
        columns = List.copyOf(columns);
    }

    /** Makes entries of two bytes. */
    Narrow narrow(SliceOrder order) {
        return new Filling(this, order).narrow();
    }

    /** Makes entries of four bytes. */
    int[] wide(SliceOrder order) {
        return new Filling(this, order).wide();
    }

    /** What threads read while they fill a table. */
    private static final class Filling {
        private final SliceOrder order;
        private final int[] offsets;
        private final int[] places;
        private final int[] rows;
        private final int elements;
        private final int[][] columns;
        private final boolean first;
        private final boolean marked;
        private final int range;

        Filling(SliceTable table, SliceOrder order) {
            this.order = order;
            this.offsets = order.lists().offsets();
            this.places = order.lists().places();
            this.rows = order.rows();
            this.elements = table.slots.getFirst().length;
            this.columns = table.columns.toArray(int[][]::new);
            this.first = table.first;
            this.marked = table.slots.size() <= TargetSlices.PAIR;
            this.range = first ? FIRST_RANGE : RANGE;
        }

        int[] wide() {
            int[] entries = new int[order.allRows() * TargetSlices.WIDTH];
            ParallelRanges.strips(order.slices(), SLICES_PER_TASK, (from, to) -> {
                for (int slice = from; slice < to; slice++) {
                    slice(slice, entries, rows[slice] * TargetSlices.WIDTH);
                }
            });
            return entries;
        }

        Narrow narrow() {
            short[] entries = new short[order.allRows() * TargetSlices.WIDTH];
            int[] bases = new int[order.allRows()];
            AtomicBoolean near = new AtomicBoolean(true);
            ParallelRanges.strips(order.slices(), SLICES_PER_TASK, Slice::new, (from, to, mine) -> {
                for (int slice = from; slice < to && near.getPlain(); slice++) {
                    slice(slice, mine.of(rows[slice + 1] - rows[slice]), 0);
                    for (int row = rows[slice]; row < rows[slice + 1]; row++) {
                        if (!row(mine.entries, (row - rows[slice]) * TargetSlices.WIDTH, row, bases, entries)) {
                            near.set(false);
                        }
                    }
                }
            });
            return near.get() ? new Narrow(entries, bases) : new Narrow(null, null);
        }

        /** Writes what the targets of a slice have, row by row. */
        private void slice(int slice, int[] entries, int begin) {
            int end = begin + (rows[slice + 1] - rows[slice]) * TargetSlices.WIDTH;
            for (int lane = 0; lane < TargetSlices.WIDTH; lane++) {
                int target = order.target(slice, lane);
                int at = begin + lane;
                if (target < order.targets()) {
                    at = list(target, entries, at);
                }
                for (; at < end; at += TargetSlices.WIDTH) {
                    entries[at] = NONE;
                }
            }
        }

        private int list(int target, int[] entries, int begin) {
            int at = begin;
            for (int p = offsets[target]; p < offsets[target + 1]; p++) {
                entries[at] = entry(places[p]);
                at += TargetSlices.WIDTH;
            }
            return at;
        }

        private int entry(int place) {
            int slot = 0;
            int element = place;
            while (element >= elements) {
                element -= elements;
                slot++;
            }
            int value = columns.length == 0 ? element : columns[slot][element];
            if (!first) {
                return value;
            }
            return marked ? value | slot << 31 : value + slot * elements;
        }

        /** Writes a row with two bytes an entry; says whether its numbers are near each other. */
        private boolean row(int[] from, int begin, int row, int[] bases, short[] to) {
            int least = Integer.MAX_VALUE;
            int most = 0;
            for (int at = begin; at < begin + TargetSlices.WIDTH; at++) {
                if (from[at] != NONE) {
                    int value = from[at] & Integer.MAX_VALUE;
                    least = Math.min(least, value);
                    most = Math.max(most, value);
                }
            }
            bases[row] = least;
            for (int lane = 0; lane < TargetSlices.WIDTH; lane++) {
                int entry = from[begin + lane];
                int offset = ((entry & Integer.MAX_VALUE) - least) | (entry < 0 ? FIRST_SLOT : 0);
                to[row * TargetSlices.WIDTH + lane] = (short) (entry == NONE ? NONE : offset);
            }
            return most - least <= range;
        }
    }

    /** The entries of a slice, with four bytes each. */
    private static final class Slice {
        private int[] entries = {};

        int[] of(int rows) {
            if (entries.length < rows * TargetSlices.WIDTH) {
                entries = Arrays.copyOf(entries, 2 * rows * TargetSlices.WIDTH);
            }
            return entries;
        }
    }
}
