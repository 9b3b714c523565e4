package org.trellis.mesh.plan;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.trellis.common.ParallelRanges;

/** The targets of each block that another block touches too. Only these keep blocks apart. */
final class CommonTargets {
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int NOBODY = -1;
    private static final int[] NONE = {};

    /** By table, then by block. */
    private final int[][][] lists;

    private CommonTargets(int[][][] lists) {
        this.lists = lists;
    }

    /** Finds the common targets of consecutive elements, by all threads; the same on any number of them. */
    static CommonTargets of(Conflicts conflicts, int[] blockOffsets) {
        List<TargetTable> tables = conflicts.tables();
        int blocks = blockOffsets.length - 1;
        int[][][] lists = new int[tables.size()][][];
        for (int t = 0; t < lists.length; t++) {
            lists[t] = of(tables.get(t), blockOffsets, blocks);
        }
        return new CommonTargets(lists);
    }

    private static int[][] of(TargetTable table, int[] blockOffsets, int blocks) {
        int[] first = new int[table.targets()];
        Arrays.fill(first, NOBODY);
        boolean[] common = new boolean[table.targets()];
        ParallelRanges.run(blocks, 1, Room::new, (from, to, room) -> {
            for (int block = from; block < to; block++) {
                for (int e = blockOffsets[block]; e < blockOffsets[block + 1]; e++) {
                    int count = room.list(table, e);
                    for (int k = 0; k < count; k++) {
                        int target = room.targets[k];
                        int other = (int) INTS.getOpaque(first, target);
                        if (other == NOBODY) {
                            other = (int) INTS.compareAndExchange(first, target, NOBODY, block);
                        }
                        if (other != NOBODY && other != block) {
                            common[target] = true;
                        }
                    }
                }
            }
        });
        int[][] lists = new int[blocks][];
        ParallelRanges.run(blocks, 1, Room::new, (from, to, room) -> {
            for (int block = from; block < to; block++) {
                lists[block] = room.common(table, common, blockOffsets[block], blockOffsets[block + 1]);
            }
        });
        return lists;
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

        /** Returns the common targets of some elements, each once. */
        int[] common(TargetTable table, boolean[] common, int from, int to) {
            int size = 0;
            for (int e = from; e < to; e++) {
                int count = list(table, e);
                for (int k = 0; k < count; k++) {
                    if (common[targets[k]]) {
                        if (size == found.length) {
                            found = Arrays.copyOf(found, 2 * size);
                        }
                        found[size++] = targets[k];
                    }
                }
            }
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
