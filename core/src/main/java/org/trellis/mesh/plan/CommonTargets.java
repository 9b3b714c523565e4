package org.trellis.mesh.plan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;

/**
 * The targets of each block that another block touches too, with numbers of their own. Only these keep blocks apart.
 */
final class CommonTargets {
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int NO_ELEMENT = -1;
    private static final int[] NONE = {};

    /** By table, then by block. */
    private final int[][][] lists;
    private final int[] counts;

    private CommonTargets(int[][][] lists, int[] counts) {
        this.lists = lists;
        this.counts = counts;
    }

    /** Finds the common targets of consecutive elements, by all threads; the same on any number of them. */
    static CommonTargets of(Conflicts conflicts, int[] blockOffsets) {
        List<TargetTable> tables = conflicts.tables();
        int[][][] lists = new int[tables.size()][][];
        int[] counts = new int[lists.length];
        for (int t = 0; t < lists.length; t++) {
            Finder finder = new Finder(tables.get(t), blockOffsets);
            lists[t] = finder.lists();
            counts[t] = finder.number(lists[t]);
        }
        return new CommonTargets(lists, counts);
    }

    /** Finds the common targets of one table. */
    private static final class Finder {
        private final TargetTable table;
        private final int[] blockOffsets;
        /** A block that touches each target. */
        private final int[] first;
        private final boolean[] common;
        private volatile boolean missed;

        Finder(TargetTable table, int[] blockOffsets) {
            this.table = table;
            this.blockOffsets = blockOffsets;
            this.first = new int[table.targets()];
            this.common = new boolean[table.targets()];
            Arrays.fill(first, NO_ELEMENT);
            ParallelRanges.run(blockOffsets.length - 1, 1, Room::new, (from, to, room) -> {
                for (int block = from; block < to; block++) {
                    touch(block, room);
                }
            });
        }

        private void touch(int block, Room room) {
            for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                int count = room.list(table, e);
                for (int k = 0; k < count; k++) {
                    int target = room.targets[k];
                    int other = (int) INTS.getOpaque(first, target);
                    if (other == NO_ELEMENT) {
                        INTS.setOpaque(first, target, block);
                    } else if (other != block) {
                        common[target] = true;
                    }
                }
            }
        }

        /**
         * Lists the common targets of all blocks. Where two blocks were the first at once, the one that was overwritten
         * finds out here; then all is done again.
         */
        int[][] lists() {
            int[][] lists = new int[blockOffsets.length - 1][];
            do {
                missed = false;
                ParallelRanges.run(lists.length, 1, Room::new, (from, to, room) -> {
                    for (int block = from; block < to; block++) {
                        lists[block] = list(block, room);
                    }
                });
            } while (missed);
            return lists;
        }

        private int[] list(int block, Room room) {
            int size = 0;
            for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                int count = room.list(table, e);
                for (int k = 0; k < count; k++) {
                    int target = room.targets[k];
                    if (!common[target] && first[target] != block) {
                        common[target] = true;
                        missed = true;
                    }
                    if (common[target]) {
                        size = room.add(target, size);
                    }
                }
            }
            return room.distinct(size);
        }

        /** Gives common targets numbers from 0, in the order of their first blocks; returns how many there are. */
        int number(int[][] lists) {
            int count = 0;
            for (int[] list : lists) {
                for (int k = 0; k < list.length; k++) {
                    int target = list[k];
                    if (first[target] >= 0) {
                        first[target] = NO_ELEMENT - 1 - count++;
                    }
                    list[k] = NO_ELEMENT - 1 - first[target];
                }
            }
            return count;
        }
    }

    /** Arrays of one thread. */
    private static final class Room {
        private int[] targets = new int[64];
        private int[] found = new int[256];

        int list(TargetTable table, int element) {
            int count = table.entries(element);
            if (targets.length < count) {
                targets = new int[2 * count];
            }
            return table.list(element, targets, 0);
        }

        int add(int target, int size) {
            if (size == found.length) {
                found = Arrays.copyOf(found, 2 * size);
            }
            found[size] = target;
            return size + 1;
        }

        /** Returns what was added, each once. */
        int[] distinct(int size) {
            if (size == 0) {
                return NONE;
            }
            Arrays.sort(found, 0, size);
            int kept = 1;
            for (int k = 1; k < size; k++) {
                if (found[k] != found[k - 1]) {
                    found[kept++] = found[k];
                }
            }
            return Arrays.copyOf(found, kept);
        }
    }

    /** Returns clean masks for the common targets. */
    long[][] newMasks() {
        return Arrays.stream(counts).mapToObj(long[]::new).toArray(long[][]::new);
    }

    /** Combines the masks of a block's common targets. */
    long mask(long[][] masks, int block) {
        long mask = 0;
        for (int t = 0; t < lists.length; t++) {
            for (int target : lists[t][block]) {
                mask |= masks[t][target];
            }
        }
        return mask;
    }

    /** Sets bits in the masks of a block's common targets. */
    void mark(long[][] masks, int block, long bits) {
        for (int t = 0; t < lists.length; t++) {
            for (int target : lists[t][block]) {
                masks[t][target] |= bits;
            }
        }
    }
}
